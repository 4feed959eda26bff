// Many rows, each as in rans.hpp; if the processor has AVX2, with all pairs in one vector.
#pragma once

#include <algorithm>
#include <array>

#include "codec/rans.hpp"
#include "codec/residuals.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace errai {

#ifdef __AVX2__
namespace rans_rows_detail {

// For each set of eight pairs that take a word: which of the next words each pair takes, one byte per pair.
constexpr std::array<std::uint64_t, 256> make_word_orders() {
  std::array<std::uint64_t, 256> orders{};
  for (int set = 0; set < 256; ++set)
    for (int pair = 0, word = 0; pair < 8; ++pair)
      if (set >> pair & 1) orders[set] |= std::uint64_t(word++) << 8 * pair;
  return orders;
}
inline constexpr std::array<std::uint64_t, 256> kWordOrders = make_word_orders();

// For each set of eight pairs that emit a word: the pair whose word comes at each place, the last one last.
constexpr std::array<std::uint64_t, 256> make_pair_orders() {
  std::array<std::uint64_t, 256> orders{};
  for (int set = 0; set < 256; ++set)
    for (int pair = 7, place = 7; pair >= 0; --pair)
      if (set >> pair & 1) orders[set] |= std::uint64_t(pair) << 8 * place--;
  return orders;
}
inline constexpr std::array<std::uint64_t, 256> kPairOrders = make_pair_orders();

inline unsigned set_of(__m256i mask) { return unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(mask))); }
inline __m256i order_of(const std::array<std::uint64_t, 256>& orders, unsigned set) {
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(std::int64_t(orders[set])));
}
// The pairs whose state is below kLeastState: the uppermost bit of each.
inline __m256i low_states(__m256i states) { return _mm256_cmpeq_epi16(states, _mm256_setzero_si256()); }
// `a` or, where the uppermost bit of a pair is set in `mask`, `b`.
inline __m256i choose(__m256i a, __m256i b, __m256i mask) {
  return _mm256_castps_si256(
      _mm256_blendv_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), _mm256_castsi256_ps(mask)));
}
// The same value in all N elements.
template <class T, int N>
struct alignas(32) Broadcast {
  std::array<T, N> values;
  explicit Broadcast(T value) { values.fill(value); }
  operator __m256i() const { return _mm256_load_si256(reinterpret_cast<const __m256i*>(&values)); }
};
using PairBroadcast = Broadcast<std::uint32_t, 8>;
using LaneBroadcast = Broadcast<std::uint16_t, 16>;
// Not constant, so that they are loaded: otherwise the compiler builds each one again from integers in every row.
inline struct {
  PairBroadcast slot{kProbabilityTotal - 1};
  PairBroadcast context{(kContexts - 1) << Slot::kContextBegin};
  PairBroadcast even_class{kClasses - 1};
  PairBroadcast odd_class{(kClasses - 1) << 16};
  PairBroadcast even{0xffff};
  LaneBroadcast one{1};
  LaneBroadcast escaped{kEscapedSize};
} masks;
inline __m256i load(const void* from) { return _mm256_load_si256(static_cast<const __m256i*>(from)); }
inline void store(void* to, __m256i v) { _mm256_store_si256(static_cast<__m256i*>(to), v); }

// Load by load: measured 1.6 times as fast on Zen 3 as the gather instruction.
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

}  // namespace rans_rows_detail

// The words of a stream, which are read in whole vectors.
class RowWords {
 public:
  RowWords() = default;
  // `data`: after the states.
  [[gnu::always_inline]] RowWords(const std::uint8_t* data, const std::uint8_t* end, WordTail& tail)
      : at_(data), end_(end), last_(end - data >= kMostRowBytes ? end - kMostRowBytes : data - 1), tail_(&tail) {}

  // Before every row: that there are words to read, beyond the end zeros.
  [[gnu::always_inline]] void verify_row() {
    if (at_ > last_) [[unlikely]]
      copy_last_words();
  }
  [[gnu::always_inline]] __m128i next() const { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at_)); }
  [[gnu::always_inline]] void skip(int count) { at_ += 2 * std::ptrdiff_t(count); }
  [[gnu::always_inline]] std::int16_t take() {
    WordReader words{at_, end_};
    const auto word = std::int16_t(words.take());
    at_ = words.at;
    return word;
  }
  bool is_at_end() const { return at_ == end_; }

 private:
  // Whole vectors are read, so the last words are copied to where there are zeros behind them.
  [[gnu::always_inline]] void copy_last_words() {
    if (last_ == end_) throw std::runtime_error("a packed chunk ends too early");
    const std::ptrdiff_t left = end_ - at_;
    tail_->fill(0);
    std::memcpy(tail_->data(), at_, left);
    at_ = tail_->data();
    last_ = end_ = at_ + left;
  }

  const std::uint8_t *at_, *end_;
  const std::uint8_t* last_;  // the last place where a row can begin and read whole vectors; once in `tail_`, the end
  WordTail* tail_;
};

// Decodes the rows of one stream. Nothing takes its address, so that it stays in registers.
//
// A row takes four steps, and streams that are decoded together take each step in turn. (Instructions that wait for a
// state fill the queues of the processor, which then finds no other work: a whole row of one stream after a whole row
// of the other gains nothing.)
class RowDecoder {
 public:
  RowDecoder() = default;
  // `data`: the states, then words.
  [[gnu::always_inline]] RowDecoder(const std::uint8_t* data, const std::uint8_t* end, const Slot* slots,
                                    WordTail& tail)
      : state_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(data))),
        words_(data + sizeof state_, end, tail),
        slots_(&slots->bits) {
    begin();
  }

  // The next row has no hand before it.
  [[gnu::always_inline]] void begin() { code_ = slot_ = _mm256_setzero_si256(); }

  // First step: symbols.
  [[gnu::always_inline]] void look_up() {
    using namespace rans_rows_detail;
    words_.verify_row();
    const __m256i context = _mm256_and_si256(slot_, masks.context);
    slot_ = gather(slots_, _mm256_or_si256(context, _mm256_and_si256(state_, masks.slot)));
  }

  // Second step: states.
  [[gnu::always_inline]] void advance() {
    using namespace rans_rows_detail;
    const __m256i frequency = _mm256_srli_epi32(slot_, Slot::kFrequencyBegin);
    state_ = _mm256_add_epi32(_mm256_mullo_epi32(frequency, _mm256_srli_epi32(state_, kProbabilityBits)),
                              _mm256_and_si256(slot_, masks.slot));
    refill();
  }

  // Third step: sizes.
  [[gnu::always_inline]] void take_sizes() {
    using namespace rans_rows_detail;
    static_assert(Slot::kSymbolBegin == 16 && kClasses == 8);
    classes_ = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi32(slot_, 16 + 3), masks.even_class),
                               _mm256_and_si256(slot_, masks.odd_class));
    has_sign_ =
        _mm256_andnot_si256(_mm256_cmpeq_epi16(code_, _mm256_setzero_si256()), _mm256_cmpgt_epi16(classes_, masks.one));
    const __m256i bits = _mm256_sub_epi16(__m256i(of_classes(kSizeBits, LaneCodes::Native(classes_))), has_sign_);
    const __m256i even_bits = _mm256_and_si256(bits, masks.even);
    const __m256i odd_bits = _mm256_srli_epi32(bits, 16);
    const __m256i ones = _mm256_set1_epi32(-1);
    const __m256i even = _mm256_andnot_si256(_mm256_sllv_epi32(ones, even_bits), state_);
    state_ = _mm256_srlv_epi32(state_, even_bits);
    const __m256i odd = _mm256_andnot_si256(_mm256_sllv_epi32(ones, odd_bits), state_);
    state_ = _mm256_srlv_epi32(state_, odd_bits);
    raw_ = _mm256_or_si256(even, _mm256_slli_epi32(odd, 16));
    refill();
  }

  // Last step: codes.
  [[gnu::always_inline]] void finish(CodeRow& row) {
    using namespace rans_rows_detail;
    const __m256i size = _mm256_add_epi16(__m256i(of_classes(kLeastSize, LaneCodes::Native(classes_))),
                                          _mm256_blendv_epi8(raw_, _mm256_srli_epi16(raw_, 1), has_sign_));
    const __m256i sign = _mm256_slli_epi16(_mm256_and_si256(raw_, has_sign_), 15);
    const __m256i residual = _mm256_sign_epi16(size, _mm256_or_si256(sign, masks.one));
    code_ = _mm256_sign_epi16(_mm256_add_epi16(code_, residual), classes_);  // zero where the class is
    const __m256i is_escaped = _mm256_cmpeq_epi16(size, masks.escaped);
    if (!_mm256_testz_si256(is_escaped, is_escaped)) [[unlikely]]
      take_escaped(is_escaped);
    store(row.codes, code_);
  }

  // Whether everything was read, and every state is where an encoder began.
  bool ends_well() const {
    return words_.is_at_end() &&
           rans_rows_detail::set_of(_mm256_cmpeq_epi32(state_, _mm256_set1_epi32(kLeastState))) == 0xff;
  }

 private:
  [[gnu::always_inline]] void refill() {
    using namespace rans_rows_detail;
    const __m256i is_low = low_states(state_);
    const unsigned set = set_of(is_low);
    const __m256i following = _mm256_cvtepu16_epi32(words_.next());
    const __m256i word = _mm256_permutevar8x32_epi32(following, order_of(kWordOrders, set));
    state_ = choose(state_, _mm256_or_si256(_mm256_slli_epi32(state_, 16), word), is_low);
    words_.skip(std::popcount(set));
  }

  [[gnu::always_inline]] void take_escaped(__m256i is_escaped) {
    alignas(32) std::int16_t codes[kChunkLanes];
    rans_rows_detail::store(codes, code_);
    const auto bytes = unsigned(_mm256_movemask_epi8(is_escaped));  // two per lane
    for (int lane = 0; lane < kChunkLanes; ++lane)
      if (bytes >> 2 * lane & 1) codes[lane] = words_.take();
    code_ = rans_rows_detail::load(codes);
  }

  __m256i state_, code_, slot_;       // codes: of all lanes, 16 bits each
  __m256i classes_, has_sign_, raw_;  // of a row between its steps
  RowWords words_;
  const std::uint32_t* slots_;

  friend class TwoRowDecoder;
};

// The rows of a stream that are not yet encoded, from the last to the first, and its words.
struct RowsToEncode {
  struct Words : WordWriter {
    // The last `count` of eight words.
    [[gnu::always_inline]] void put(__m128i eight, int count) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(at - 8), eight);
      at -= count;
    }
  };

  const std::uint32_t* symbols;
  std::size_t left;
  const Item* items;             // of the rows before
  const std::uint16_t* escaped;  // of the first row
  const std::uint16_t* escapes;
  Words words;

  RowsToEncode(RowBuffer& rows, const SymbolSlots* slots)
      : symbols(&slots->bits),
        left(rows.num_rows),
        items(rows.next_items()),
        escaped(rows.escaped.data()),
        escapes(rows.escapes.data() + rows.num_escapes),
        words{rows.words.data() + rows.words.size()} {}

  // The items of the next row; its escapes are encoded.
  [[gnu::always_inline]] __m256i take_items() {
    items -= kChunkPairs;
    if (const unsigned lanes = escaped[--left]) [[unlikely]]
      encode_escapes(lanes, escapes -= kChunkLanes, words);
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(items));
  }
};

// Encodes the rows of one stream.
class RowEncoder {
 public:
  [[gnu::always_inline]] RowEncoder(RowBuffer& rows, const SymbolSlots* symbols)
      : rows_(&rows), of_(rows, symbols), state_(_mm256_set1_epi32(kLeastState)) {}

  [[gnu::always_inline]] std::size_t left() const { return of_.left; }

  // First step.
  [[gnu::always_inline]] void look_up() {
    using namespace rans_rows_detail;
    item_ = of_.take_items();
    slots_ = gather(of_.symbols, _mm256_srli_epi32(item_, Item::kIndexBegin));
  }

  // Second step: sizes.
  [[gnu::always_inline]] void emit_sizes() {
    using namespace rans_rows_detail;
    const __m256i count = _mm256_and_si256(_mm256_srli_epi32(item_, Item::kCountBegin), _mm256_set1_epi32(31));
    const __m256i above = _mm256_srlv_epi32(state_, _mm256_sub_epi32(_mm256_set1_epi32(32), count));
    emit_words(_mm256_cmpgt_epi32(above, _mm256_setzero_si256()));
    state_ = _mm256_or_si256(_mm256_sllv_epi32(state_, count), _mm256_and_si256(item_, _mm256_set1_epi32(0xffff)));
  }

  // Last step: symbols.
  [[gnu::always_inline]] void emit_symbols() {
    using namespace rans_rows_detail;
    const __m256i frequency = _mm256_and_si256(slots_, _mm256_set1_epi32(kProbabilityTotal - 1));
    const __m256i below = _mm256_sub_epi32(frequency, _mm256_set1_epi32(1));
    emit_words(_mm256_cmpgt_epi32(_mm256_srli_epi32(state_, 32 - kProbabilityBits), below));
    // The quotient is below 2^22, so that the quotient of floats is at most one off. (The lowest bit is left out
    // because floats are converted from signed integers.)
    const __m256 inverse = _mm256_div_ps(_mm256_set1_ps(2), _mm256_cvtepi32_ps(frequency));
    const __m256i near = _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(state_, 1)), inverse));
    const __m256i left = _mm256_sub_epi32(state_, _mm256_mullo_epi32(near, frequency));
    const __m256i is_above = _mm256_cmpgt_epi32(_mm256_setzero_si256(), left);
    const __m256i is_below = _mm256_cmpgt_epi32(left, below);
    // (quotient << bits) + (state - quotient * frequency) + start; the quotient is corrected last, as everything waits
    // for the state.
    const __m256i stretch = _mm256_sub_epi32(_mm256_set1_epi32(kProbabilityTotal), frequency);
    state_ = _mm256_add_epi32(_mm256_add_epi32(state_, _mm256_srli_epi32(slots_, kProbabilityBits)),
                              _mm256_mullo_epi32(near, stretch));
    state_ = _mm256_sub_epi32(_mm256_add_epi32(state_, _mm256_and_si256(is_below, stretch)),
                              _mm256_and_si256(is_above, stretch));
  }

  [[gnu::always_inline]] void finish() {
    rans_rows_detail::store(rows_->states, state_);
    rows_->first_word = of_.words.at;
  }

 private:
  // Full states emit a word.
  [[gnu::always_inline]] void emit_words(__m256i is_full) {
    using namespace rans_rows_detail;
    const unsigned set = set_of(is_full);
    const __m256i emitted =
        _mm256_and_si256(_mm256_permutevar8x32_epi32(state_, order_of(kPairOrders, set)), _mm256_set1_epi32(0xffff));
    of_.words.put(_mm_packus_epi32(_mm256_castsi256_si128(emitted), _mm256_extracti128_si256(emitted, 1)),
                  std::popcount(set));
    state_ = _mm256_blendv_epi8(state_, _mm256_srli_epi32(state_, 16), is_full);
  }

  // What another encoder, which has taken over, has left.
  [[gnu::always_inline]] void leave(const RowsToEncode& rows, __m256i state) {
    of_ = rows;
    state_ = state;
  }

  RowBuffer* rows_;
  RowsToEncode of_;
  __m256i state_;
  __m256i item_, slots_;  // of a row between its steps

  friend class TwoRowEncoder;
};
#else
// Decodes the rows of one stream, pair by pair: all in the last step.
class RowDecoder {
 public:
  RowDecoder() = default;
  RowDecoder(const std::uint8_t* data, const std::uint8_t* end, const Slot* slots, WordTail&)
      : words_{data + sizeof lanes_.state, end}, slots_(slots) {
    std::memcpy(lanes_.state, data, sizeof lanes_.state);
    begin();
  }
  void begin() { lanes_.begin(); }
  void look_up() {}
  void advance() {}
  void take_sizes() {}
  void finish(CodeRow& row) {
    decode_row(lanes_, slots_, words_);
    std::memcpy(row.codes, lanes_.code, sizeof row.codes);
  }
  bool ends_well() const {
    return !words_.left() &&
           std::all_of(lanes_.state, lanes_.state + kChunkPairs, [](auto state) { return state == kLeastState; });
  }

 private:
  LaneStates lanes_;
  WordReader words_;
  const Slot* slots_;
};

class RowEncoder {
 public:
  RowEncoder(RowBuffer& rows, const SymbolSlots* symbols)
      : rows_(&rows),
        symbols_(symbols),
        left_(rows.num_rows),
        escapes_(rows.escapes.data() + rows.num_escapes),
        words_{rows.words.data() + rows.words.size()} {
    std::fill_n(rows.states, kChunkPairs, kLeastState);
  }
  std::size_t left() const { return left_; }
  void look_up() {}
  void emit_sizes() {}
  void emit_symbols() {
    if (const unsigned escaped = rows_->escaped[--left_]) encode_escapes(escaped, escapes_ -= kChunkLanes, words_);
    encode_row(rows_->states, symbols_, &rows_->items[left_ * kChunkPairs], words_);
  }
  void finish() { rows_->first_word = words_.at; }

 private:
  RowBuffer* rows_;
  const SymbolSlots* symbols_;
  std::size_t left_;
  const std::uint16_t* escapes_;
  WordWriter words_;
};
#endif

}  // namespace errai
