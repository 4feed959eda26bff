// Many rows, each as rans.hpp says; where the processor has AVX2, with all lanes in vectors.
#pragma once

#include <algorithm>
#include <array>

#include "rans.hpp"
#include "tiles.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace errai {

#ifdef __AVX2__
namespace rans_rows_detail {

// For each set of eight lanes that take a word: which of the next words each lane takes, a byte a lane.
constexpr std::array<std::uint64_t, 256> make_word_orders() {
  std::array<std::uint64_t, 256> orders{};
  for (int set = 0; set < 256; ++set)
    for (int lane = 0, word = 0; lane < 8; ++lane)
      if (set >> lane & 1) orders[set] |= std::uint64_t(word++) << 8 * lane;
  return orders;
}
inline constexpr std::array<std::uint64_t, 256> kWordOrders = make_word_orders();

// And for each set of eight lanes that give a word: which lane's word comes where, the last one last.
constexpr std::array<std::uint64_t, 256> make_lane_orders() {
  std::array<std::uint64_t, 256> orders{};
  for (int set = 0; set < 256; ++set)
    for (int lane = 7, place = 7; lane >= 0; --lane)
      if (set >> lane & 1) orders[set] |= std::uint64_t(lane) << 8 * place--;
  return orders;
}
inline constexpr std::array<std::uint64_t, 256> kLaneOrders = make_lane_orders();

// The lanes of a half that are in use: all ones.
inline __m256i lanes_in_use(int num_lanes, int half) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(num_lanes - 8 * half), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline unsigned set_of(__m256i mask) { return unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(mask))); }
inline __m256i order_of(const std::array<std::uint64_t, 256>& orders, unsigned set) {
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(std::int64_t(orders[set])));
}

inline __m128i parts_of(const std::array<std::uint8_t, kSymbols>& parts, __m128i symbols) {
  return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(parts.data())), symbols);
}
inline __m256i load(const void* from) { return _mm256_load_si256(static_cast<const __m256i*>(from)); }
inline void store(void* to, __m256i v) { _mm256_store_si256(static_cast<__m256i*>(to), v); }

// Load by load: measured 1.6 times as fast on Zen 3 as the instruction that gathers.
inline __m128i gather(const std::uint32_t* table, std::uint64_t first, std::uint64_t second) {
  __m128i found = _mm_cvtsi32_si128(int(table[std::uint32_t(first)]));
  found = _mm_insert_epi32(found, int(table[first >> 32]), 1);
  found = _mm_insert_epi32(found, int(table[std::uint32_t(second)]), 2);
  return _mm_insert_epi32(found, int(table[second >> 32]), 3);
}
inline __m256i gather(const std::uint32_t* table, __m256i places) {
  return _mm256_set_m128i(
      gather(table, std::uint64_t(_mm256_extract_epi64(places, 2)), std::uint64_t(_mm256_extract_epi64(places, 3))),
      gather(table, std::uint64_t(_mm256_extract_epi64(places, 0)), std::uint64_t(_mm256_extract_epi64(places, 1))));
}

// How many bits beside its symbol a lane has, but for the quick ones. Not for escaped symbols.
[[gnu::always_inline]] inline __m256i rest_bits(__m256i symbols, __m256i contexts) {
  const __m256i has_sign = _mm256_cmpgt_epi32(contexts, _mm256_set1_epi32(kRecentPart[1] - 1));  // minus one
  const __m256i bits = _mm256_sub_epi32(_mm256_sub_epi32(symbols, _mm256_set1_epi32(kQuickBits + 2)), has_sign);
  return _mm256_max_epi32(bits, _mm256_setzero_si256());
}

// The states of a half, of which full ones give a word away.
[[gnu::always_inline]] inline __m256i give_words(__m256i states, __m256i is_full, WordWriter& words) {
  const unsigned set = set_of(is_full);
  const __m256i given = _mm256_and_si256(_mm256_permutevar8x32_epi32(states, order_of(kLaneOrders, set)),
                                         _mm256_set1_epi32(0xffff));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words.at - 8),
                   _mm_packus_epi32(_mm256_castsi256_si128(given), _mm256_extracti128_si256(given, 1)));
  words.at -= std::popcount(set);
  return _mm256_blendv_epi8(states, _mm256_srli_epi32(states, 16), is_full);
}

// From the last row to the first, lanes up to 8 * Halves. There is room for eight words more than are written.
template <int Halves>
void encode_rows(std::uint32_t* states, int num_lanes, const SymbolSlots* symbols, std::size_t num_rows, CodedRows rows,
                 WordWriter& words) {
  const __m256i low_bits = _mm256_set1_epi32(kProbabilityTotal - 1);
  __m256i state[Halves], active[Halves];
  for (int i = 0; i < Halves; ++i) {
    state[i] = load(states + 8 * i);
    active[i] = lanes_in_use(num_lanes, i);
  }
  while (num_rows-- > 0) {
    const std::uint16_t* items = rows.items + num_rows * kChunkLanes;
    __m256i item[Halves], slots[Halves], frequency[Halves], quick[Halves];
    __m256 inverse[Halves];
    for (int i = 0; i < Halves; ++i) {
      item[i] = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(items + 8 * i)));
      slots[i] = gather(&symbols->bits, _mm256_srli_epi32(item[i], kQuickBits));
      frequency[i] = _mm256_and_si256(slots[i], low_bits);
      quick[i] = _mm256_srli_epi32(slots[i], 20);
      inverse[i] = _mm256_div_ps(_mm256_set1_ps(2), _mm256_cvtepi32_ps(frequency[i]));
    }
    if (rows.rare[num_rows]) {
      rows.rest -= kChunkLanes;
      __m256i bits[Halves], is_full[Halves];
      bool is_escaped = false;
      for (int i = 0; i < Halves; ++i) {
        const __m256i index = _mm256_srli_epi32(item[i], kQuickBits);
        const __m256i symbol = _mm256_and_si256(index, _mm256_set1_epi32(kSymbols - 1));
        bits[i] = rest_bits(symbol, _mm256_srli_epi32(index, 4));
        is_escaped |= set_of(_mm256_cmpeq_epi32(symbol, _mm256_set1_epi32(kEscape))) != 0;
        is_full[i] = _mm256_cmpgt_epi32(
            _mm256_srlv_epi32(state[i], _mm256_sub_epi32(_mm256_set1_epi32(32), bits[i])), _mm256_setzero_si256());
      }
      if (is_escaped) [[unlikely]] {
        for (int i = 0; i < Halves; ++i) store(states + 8 * i, state[i]);
        encode_rests(rows.rare[num_rows], states, items, rows.rest, words);
        for (int i = 0; i < Halves; ++i) state[i] = load(states + 8 * i);
      } else {
        for (int i = Halves; i-- > 0;) state[i] = give_words(state[i], is_full[i], words);
        for (int i = 0; i < Halves; ++i)
          state[i] = _mm256_or_si256(_mm256_sllv_epi32(state[i], bits[i]),
                                     _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows.rest + 8 * i)));
      }
    }
    for (int i = Halves; i-- > 0;) {
      const __m256i limit = _mm256_srlv_epi32(_mm256_slli_epi32(frequency[i], 22), quick[i]);
      const __m256i is_full =
          _mm256_and_si256(_mm256_cmpeq_epi32(_mm256_max_epu32(state[i], limit), state[i]), active[i]);
      state[i] = give_words(state[i], is_full, words);
    }
    for (int i = 0; i < Halves; ++i) {
      const __m256i raw = _mm256_and_si256(item[i], _mm256_set1_epi32((1 << kQuickBits) - 1));
      const __m256i whole = _mm256_or_si256(_mm256_sllv_epi32(state[i], quick[i]), raw);

      // The quotient is below 2^22, so that of floats is at most one off. (The lowest bit is left out as floats are
      // made of signed integers.)
      const __m256 ratio = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(whole, 1)), inverse[i]);
      const __m256i near = _mm256_cvttps_epi32(ratio);
      const __m256i left = _mm256_sub_epi32(whole, _mm256_mullo_epi32(near, frequency[i]));
      const __m256i is_above = _mm256_cmpgt_epi32(_mm256_setzero_si256(), left);  // all ones: minus one
      const __m256i is_below = _mm256_cmpgt_epi32(left, _mm256_sub_epi32(frequency[i], _mm256_set1_epi32(1)));
      const __m256i quotient = _mm256_sub_epi32(_mm256_add_epi32(near, is_above), is_below);
      const __m256i remainder = _mm256_sub_epi32(_mm256_add_epi32(left, _mm256_and_si256(is_above, frequency[i])),
                                                 _mm256_and_si256(is_below, frequency[i]));
      const __m256i start = _mm256_and_si256(_mm256_srli_epi32(slots[i], 10), low_bits);
      state[i] = _mm256_add_epi32(_mm256_slli_epi32(quotient, kProbabilityBits), _mm256_add_epi32(remainder, start));
    }
  }
  for (int i = 0; i < Halves; ++i) store(states + 8 * i, state[i]);
}

// The codes that follow `codes` when `symbols` came with `raw` beside them, but for escaped ones.
[[gnu::always_inline]] inline __m256i following_codes(__m256i codes, __m256i symbols, __m256i raw) {
  // A shift by a negative number gives zero: symbols 0 and 1 have no size.
  const __m256i ones = _mm256_set1_epi32(1);
  const __m256i has_sign = _mm256_min_epu32(codes, ones);
  const __m256i size = _mm256_add_epi32(_mm256_sllv_epi32(ones, _mm256_sub_epi32(symbols, _mm256_set1_epi32(2))),
                                        _mm256_srlv_epi32(raw, has_sign));
  const __m256i is_negative = _mm256_sub_epi32(_mm256_setzero_si256(), _mm256_and_si256(raw, has_sign));
  const __m256i residual = _mm256_sub_epi32(_mm256_xor_si256(size, is_negative), is_negative);
  return _mm256_andnot_si256(_mm256_cmpeq_epi32(symbols, _mm256_setzero_si256()), _mm256_add_epi32(codes, residual));
}

}  // namespace rans_rows_detail

// Decodes the rows of one chunk, up to 8 * Halves lanes. Nothing takes its address, so that it stays in registers.
//
// A row takes three steps, each for all lanes, and a pair of chunks takes each in turn. (What waits for a state fills
// the queues of the processor, which then finds no other work: with a whole row of one chunk after a whole row of the
// other a pair gains nothing.)
template <int Halves>
class RowDecoder {
 public:
  // `data`: a state a lane, then words.
  [[gnu::always_inline]] RowDecoder(const std::uint8_t* data, const std::uint8_t* end, int num_lanes, const Slot* slots,
                                    float step, WordTail& tail)
      : at_(data + num_lanes * sizeof(std::uint32_t)), end_(end), slots_(&slots->bits), num_lanes_(num_lanes),
        step_(step), tail_(&tail) {
    alignas(32) std::uint32_t states[kChunkLanes];
    std::fill_n(states, kChunkLanes, kLeastState);
    std::memcpy(states, data, num_lanes * sizeof *states);
    for (int i = 0; i < Halves; ++i) {
      state_[i] = rans_rows_detail::load(states + 8 * i);
      in_use_[i] = _mm256_srli_epi32(rans_rows_detail::lanes_in_use(num_lanes, i), 31);
    }
    begin();
  }

  // What follows has no hand before it.
  [[gnu::always_inline]] void begin() {
    for (int i = 0; i < Halves; ++i) code_[i] = _mm256_setzero_si256();
    recent_ = before_ = _mm_setzero_si128();
  }

  // A row between its steps.
  struct Row {
    __m256i context[Halves], slot[Halves], symbols[Halves], raw[Halves];
  };

  // First step. `above`: the symbols of the action before.
  [[gnu::always_inline]] void look_up(const std::uint8_t* above, Row& row) {
    using namespace rans_rows_detail;
    if (end_ - at_ < spare_) [[unlikely]] copy_last_words();
    const __m128i contexts =
        _mm_add_epi8(_mm_add_epi8(parts_of(kBeforePart, before_),
                                  parts_of(kAbovePart, _mm_loadu_si128(reinterpret_cast<const __m128i*>(above)))),
                     parts_of(kRecentPart, recent_));
    for (int i = 0; i < Halves; ++i) {
      row.context[i] = _mm256_cvtepu8_epi32(i ? _mm_unpackhi_epi64(contexts, contexts) : contexts);
      row.slot[i] = gather(slots_, _mm256_or_si256(_mm256_slli_epi32(row.context[i], kProbabilityBits),
                                                   _mm256_and_si256(state_[i], low_bits())));
    }
  }

  // Second step: symbols and quick bits.
  [[gnu::always_inline]] void advance(Row& row) {
    __m256i bits[Halves];
    for (int i = 0; i < Halves; ++i) {
      const __m256i frequency = _mm256_and_si256(_mm256_srli_epi32(row.slot[i], 17), low_bits());
      const __m256i product = _mm256_mullo_epi32(frequency, _mm256_srli_epi32(state_[i], kProbabilityBits));
      state_[i] = _mm256_add_epi32(product, _mm256_and_si256(row.slot[i], low_bits()));
      bits[i] = _mm256_and_si256(_mm256_srli_epi32(row.slot[i], 14), _mm256_set1_epi32(7));
      row.symbols[i] = _mm256_and_si256(_mm256_srli_epi32(row.slot[i], 10), _mm256_set1_epi32(kSymbols - 1));
    }
    take_bits(bits, row.raw);
    const __m256i narrow = _mm256_permute4x64_epi64(_mm256_packus_epi32(row.symbols[0], row.symbols[Halves - 1]), 0xd8);
    before_ = recent_;
    recent_ = _mm_packus_epi16(_mm256_castsi256_si128(narrow), _mm256_extracti128_si256(narrow, 1));
  }

  // Third step: rests and values. `above` becomes the symbols of this action.
  [[gnu::always_inline]] void finish(Row& row, std::uint8_t* above, float* values) {
    using namespace rans_rows_detail;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(above), recent_);
    const __m128i is_escaped = _mm_cmpeq_epi8(recent_, _mm_set1_epi8(kEscape));
    if (set_of(_mm256_or_si256(row.slot[0], row.slot[Halves - 1]))) [[unlikely]] {
      if (unsigned(_mm_movemask_epi8(is_escaped)) & ((1u << num_lanes_) - 1)) [[unlikely]]
        take_rests_one_by_one(row, above);
      else
        take_rests(row);
    } else {
      for (int i = 0; i < Halves; ++i) code_[i] = following_codes(code_[i], row.symbols[i], row.raw[i]);
    }
    alignas(32) float real[kChunkLanes];
    for (int i = 0; i < Halves; ++i) {
      const __m256 value = _mm256_mul_ps(_mm256_cvtepi32_ps(code_[i]), _mm256_set1_ps(step_));
      _mm256_storeu_ps(num_lanes_ == kChunkLanes ? values + 8 * i : real + 8 * i, value);
    }
    if (num_lanes_ != kChunkLanes) store_lanes<float, 8 * Halves>(values, real, num_lanes_);
  }

  // Whether all was read, and every state is where an encoder began.
  bool ends_well() const {
    unsigned back = 0;
    for (int i = 0; i < Halves; ++i)
      back |= rans_rows_detail::set_of(_mm256_cmpeq_epi32(state_[i], _mm256_set1_epi32(kLeastState))) << 8 * i;
    const unsigned in_use = (1u << num_lanes_) - 1;
    return at_ == end_ && (back & in_use) == in_use;
  }

 private:
  static __m256i low_bits() { return _mm256_set1_epi32(kProbabilityTotal - 1); }

  // The lowest bits of the states, which are filled up again.
  [[gnu::always_inline]] void take_bits(const __m256i* bits, __m256i* taken) {
    using namespace rans_rows_detail;
    __m256i is_low[Halves];
    for (int i = 0; i < Halves; ++i) {
      taken[i] = _mm256_andnot_si256(_mm256_sllv_epi32(_mm256_set1_epi32(-1), bits[i]), state_[i]);
      state_[i] = _mm256_srlv_epi32(state_[i], bits[i]);
      is_low[i] = _mm256_cmpgt_epi32(in_use_[i], _mm256_srli_epi32(state_[i], 16));
    }
    for (int i = 0; i < Halves; ++i) {
      const unsigned set = set_of(is_low[i]);
      const __m256i following = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at_)));
      const __m256i word = _mm256_permutevar8x32_epi32(following, order_of(kWordOrders, set));
      state_[i] = _mm256_blendv_epi8(state_[i], _mm256_or_si256(_mm256_slli_epi32(state_[i], 16), word), is_low[i]);
      at_ += 2 * std::popcount(set);
    }
  }

  // Like decode_rests, for rows where nothing is escaped.
  [[gnu::always_inline]] void take_rests(Row& row) {
    using namespace rans_rows_detail;
    __m256i bits[Halves], high[Halves];
    for (int i = 0; i < Halves; ++i) bits[i] = rest_bits(row.symbols[i], row.context[i]);
    take_bits(bits, high);
    for (int i = 0; i < Halves; ++i)
      code_[i] = following_codes(code_[i], row.symbols[i],
                                 _mm256_or_si256(row.raw[i], _mm256_slli_epi32(high[i], kQuickBits)));
  }

  [[gnu::always_inline]] void take_rests_one_by_one(const Row& row, const std::uint8_t* symbols) {
    using namespace rans_rows_detail;
    LaneStates lanes;
    alignas(32) std::uint32_t low[kChunkLanes];
    alignas(32) std::int32_t next[kChunkLanes];
    unsigned rare = 0;
    for (int i = 0; i < Halves; ++i) {
      store(low + 8 * i, row.raw[i]);
      store(next + 8 * i, following_codes(code_[i], row.symbols[i], row.raw[i]));
      store(lanes.state + 8 * i, state_[i]);
      store(lanes.code + 8 * i, code_[i]);
      rare |= set_of(row.slot[i]) << 8 * i;
    }
    _mm_store_si128(reinterpret_cast<__m128i*>(lanes.recent), before_);  // `recent_` are those of this row already
    WordReader words{at_, end_};
    decode_rests(rare & ((1u << num_lanes_) - 1), lanes, symbols, low, next, words);
    at_ = words.at;
    for (int i = 0; i < Halves; ++i) {
      state_[i] = load(lanes.state + 8 * i);
      code_[i] = load(next + 8 * i);
    }
  }

  // Vectors of words are read whether or not all are needed.
  [[gnu::always_inline]] void copy_last_words() {
    if (spare_ == 0) throw std::runtime_error("a packed chunk ends too early");
    spare_ = 0;
    const std::ptrdiff_t left = end_ - at_;
    tail_->fill(0);
    std::memcpy(tail_->data(), at_, left);
    at_ = tail_->data();
    end_ = at_ + left;
  }

  __m256i state_[Halves], code_[Halves], in_use_[Halves];  // `in_use_`: one, or zero
  __m128i recent_, before_;
  const std::uint8_t *at_, *end_;
  std::ptrdiff_t spare_ = 2 * Halves * sizeof(__m128i);  // bytes that a row may read; none once they are in `tail_`
  const std::uint32_t* slots_;
  int num_lanes_;
  float step_;
  WordTail* tail_;
};
#else
// Decodes the rows of one chunk, lane by lane: all in the last of the three steps.
template <int Halves>
class RowDecoder {
 public:
  struct Row {};

  RowDecoder(const std::uint8_t* data, const std::uint8_t* end, int num_lanes, const Slot* slots, float step, WordTail&)
      : words_{data + num_lanes * sizeof(std::uint32_t), end}, num_lanes_(num_lanes), slots_(slots), step_(step) {
    std::memcpy(lanes_.state, data, num_lanes * sizeof(std::uint32_t));
    begin();
  }
  void begin() { lanes_.begin_action(); }
  void look_up(const std::uint8_t*, Row&) {}
  void advance(Row&) {}
  void finish(Row&, std::uint8_t* above, float* values) {
    decode_row(lanes_, num_lanes_, slots_, above, words_);
    for (int lane = 0; lane < num_lanes_; ++lane) values[lane] = float(lanes_.code[lane]) * step_;
  }
  bool ends_well() const {
    return !words_.left() &&
           std::all_of(lanes_.state, lanes_.state + num_lanes_, [](auto state) { return state == kLeastState; });
  }

 private:
  LaneStates lanes_;
  WordReader words_;
  int num_lanes_;
  const Slot* slots_;
  float step_;
};
#endif

// `num_rows` rows, from the last to the first. There is room for eight words more than are written.
inline void encode_rows(std::uint32_t* states, int num_lanes, const SymbolSlots* symbols, std::size_t num_rows,
                        CodedRows rows, WordWriter& words) {
#ifdef __AVX2__
  const auto encode_all = num_lanes > 8 ? rans_rows_detail::encode_rows<2> : rans_rows_detail::encode_rows<1>;
  encode_all(states, num_lanes, symbols, num_rows, rows, words);
#else
  while (num_rows-- > 0) {
    const std::uint16_t* items = rows.items + num_rows * kChunkLanes;
    if (rows.rare[num_rows]) encode_rests(rows.rare[num_rows], states, items, rows.rest -= kChunkLanes, words);
    encode_row(states, num_lanes, symbols, items, words);
  }
#endif
}

}  // namespace errai
