// The rows of a chunk in the coding `fast` (chunks.hpp): the lanes that differ from the row before, how many bits their
// residuals take, and these bits.
//
// A residual is not zero, so that -1, 1, -2, 2, ... are written as 0, 1, 2, 3, ...: its zigzag less one. All residuals
// of a row take as many bits as the largest of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "codec/residuals.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace errai {

// Residuals take 0 to 14 bits, or 16.
constexpr int kMostNarrowBits = 14, kWideBits = 16;
constexpr int kWideWidth = 15;  // what stands for 16 bits among the widths
constexpr int bits_of_width(int width) { return width == kWideWidth ? kWideBits : width; }
constexpr std::uint8_t width_of_bits(int bits) { return std::uint8_t(bits > kMostNarrowBits ? kWideWidth : bits); }

// A decoder reads whole vectors, so that as many zeros follow the bits.
constexpr std::size_t kFastTail = 16;

// From a residual to what is written, and back.
constexpr unsigned zigzag(int residual) { return unsigned(residual << 1 ^ residual >> 31); }
constexpr int unzigzag(unsigned value) { return int(value >> 1) ^ -int(value & 1); }

namespace fast_rows_detail {

inline std::uint64_t load_word(const std::uint8_t* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

#ifdef __AVX2__
// [set of lanes][...]: the bytes of the lanes of 16 bits in the set, one after the other; and the other way, for each
// lane of 32 bits in the set, its place among them.
struct SetTables {
  alignas(64) std::uint8_t compress[256][16];
  alignas(64) std::uint8_t place[256][8];
};
constexpr SetTables make_set_tables() {
  SetTables tables{};
  for (int set = 0; set < 256; ++set) {
    int count = 0;
    for (int i = 0; i < 16; ++i) tables.compress[set][i] = 0x80;
    for (int lane = 0; lane < 8; ++lane) {
      if (!(set >> lane & 1)) continue;
      tables.compress[set][2 * count] = std::uint8_t(2 * lane);
      tables.compress[set][2 * count + 1] = std::uint8_t(2 * lane + 1);
      tables.place[set][lane] = std::uint8_t(count++);
    }
  }
  return tables;
}
inline constexpr SetTables kSets = make_set_tables();

// [bits][...]: for each of eight values of so many bits, the four bytes from the one in which it begins, and the bit.
struct BitTables {
  alignas(64) std::uint8_t bytes[kMostNarrowBits + 1][32];
  alignas(64) std::uint32_t first_bit[kMostNarrowBits + 1][8];
};
constexpr BitTables make_bit_tables() {
  BitTables tables{};
  for (int bits = 0; bits <= kMostNarrowBits; ++bits)
    for (int i = 0; i < 8; ++i) {
      tables.first_bit[bits][i] = std::uint32_t(i * bits % 8);
      for (int byte = 0; byte < 4; ++byte) {
        const int at = i * bits / 8 + byte;
        tables.bytes[bits][4 * i + byte] = std::uint8_t(at < 16 ? at : 0x80);
      }
    }
  return tables;
}
inline constexpr BitTables kBits = make_bit_tables();
#endif

}  // namespace fast_rows_detail

// Bits that are written one after the other.
struct BitWriter {
  std::uint8_t* at;
  std::uint64_t pending = 0;  // bits that do not fill a byte
  unsigned num_pending = 0;

  static constexpr int kMostBits = 56;

  // Up to so many bits. Writes whole words.
  [[gnu::always_inline]] void put(std::uint64_t value, int bits) {
    pending |= value << num_pending;
    std::memcpy(at, &pending, sizeof pending);
    num_pending += unsigned(bits);
    at += num_pending / 8;
    pending >>= num_pending / 8 * 8;
    num_pending %= 8;
  }
};

#ifdef __AVX512BW__
// The same in vectors: up to sixteen values of the same width at once. From row to row only the bits that do not fill a
// byte and their number are waited for.
struct VectorBitWriter {
  std::uint8_t* at;
  __m128i pending;  // in its first byte
  unsigned num_pending;

  explicit VectorBitWriter(const BitWriter& bits)
      : at(bits.at), pending(_mm_cvtsi32_si128(int(bits.pending))), num_pending(bits.num_pending) {}
  explicit operator BitWriter() const { return {at, std::uint64_t(_mm_cvtsi128_si32(pending)), num_pending}; }

  // The first `count` of sixteen values; the others are zero. Eight values take `bits` bytes, so that the ninth begins
  // at the same bit of a byte as the first. Writes up to 30 bytes.
  [[gnu::always_inline]] void put(__m256i values, int count, int bits) {
    const auto by = [](unsigned shift) { return _mm_cvtsi32_si128(int(shift)); };  // 64 bits: nothing is left
    const __m256i twos = _mm256_madd_epi16(values, _mm256_set1_epi32(1 | 1 << (16 + bits)));
    const __m256i fours = _mm256_or_si256(_mm256_and_si256(twos, _mm256_set1_epi64x(0xffffffff)),
                                          _mm256_sll_epi64(_mm256_srli_epi64(twos, 32), by(2 * unsigned(bits))));
    const __m256i later_fours = _mm256_unpackhi_epi64(fours, fours);
    const unsigned of_first = num_pending, of_later = of_first + 4 * unsigned(bits);
    constexpr __mmask8 kLowWords = 0b0101, kHighWords = 0b1010;
    const __m256i eights =
        _mm256_or_si256(_mm256_maskz_sll_epi64(kLowWords, fours, by(of_first)),
                        _mm256_or_si256(_mm256_maskz_sll_epi64(kLowWords, later_fours, by(of_later)),
                                        _mm256_maskz_srl_epi64(kHighWords, later_fours, by(64 - of_later))));
    const __m128i first = _mm_or_si128(_mm256_castsi256_si128(eights), pending);
    const __m128i second = _mm_or_si128(_mm256_extracti128_si256(eights, 1), byte_of(first, bits));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(at), first);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(at + bits), second);
    const unsigned total = of_first + unsigned(count * bits), last = total / 8;
    // Without a branch, which would often be mispredicted: the first is zero or part of the second, or the second zero.
    pending = _mm_or_si128(byte_of(first, int(last)), byte_of(second, int(last) - bits));
    at += last;
    num_pending = total % 8;
  }

 private:
  // Zero where there is no such byte, from -16 to 31.
  static __m128i byte_of(__m128i bytes, int number) {
    constexpr int kSkipsFrom = 0x80;  // a shuffle skips indices from here on
    const int index = number < 0 ? kSkipsFrom : number + kSkipsFrom - 16;
    return _mm_shuffle_epi8(bytes, _mm_or_si128(_mm_cvtsi32_si128(index), _mm_setr_epi32(~0xff, -1, -1, -1)));
  }
};
using RowBitWriter = VectorBitWriter;
#else
using RowBitWriter = BitWriter;
#endif

// The rows of a chunk while it is encoded.
class FastRows {
 public:
  // Starts anew, with space for `most_rows` rows.
  void begin(std::size_t most_rows) {
    if (masks_.size() < most_rows) {
      masks_.resize(most_rows);
      widths_.resize(most_rows + 1);
      values_.resize(most_rows * kChunkLanes * 2 + sizeof(std::uint64_t) + kFastTail);
    }
    num_rows_ = 0;
    bits_ = {values_.data()};
  }

  // Adds rows; before the first one stands the row of the hand before.
  void add(const CodeRow* rows, std::size_t count) {
    RowBitWriter out(bits_);  // a copy that no bits overwrite
    std::uint16_t* const masks = masks_.data() + num_rows_;
    std::uint8_t* const widths = widths_.data() + num_rows_;
    for (std::size_t i = 0; i < count; ++i) add(rows[i], rows[std::ptrdiff_t(i) - 1], masks[i], widths[i], out);
    num_rows_ += count;
    bits_ = BitWriter(out);
  }

  std::size_t num_rows() const { return num_rows_; }

  // Appends masks, widths and bits.
  void append_to(std::vector<std::uint8_t>& out) {
    std::memset(bits_.at, 0, sizeof bits_.pending + kFastTail);
    std::memcpy(bits_.at, &bits_.pending, sizeof bits_.pending);
    const std::size_t size = bits_.at - values_.data() + (bits_.num_pending > 0) + kFastTail;
    const std::size_t begin = out.size(), num_widths = (num_rows_ + 1) / 2;
    out.resize(begin + num_rows_ * sizeof(std::uint16_t) + num_widths + size);
    std::uint8_t* to = out.data() + begin;
    std::memcpy(to, masks_.data(), num_rows_ * sizeof(std::uint16_t));
    to += num_rows_ * sizeof(std::uint16_t);
    if (num_rows_ % 2) widths_[num_rows_] = 0;
    for (std::size_t i = 0; i < num_widths; ++i) to[i] = std::uint8_t(widths_[2 * i] | widths_[2 * i + 1] << 4);
    std::memcpy(to + num_widths, values_.data(), size);
  }

 private:
#ifdef __AVX512BW__
  [[gnu::always_inline]] static void add(const CodeRow& row, const CodeRow& before, std::uint16_t& mask_of_row,
                                         std::uint8_t& width, RowBitWriter& out) {
    const __m256i codes = _mm256_load_si256(reinterpret_cast<const __m256i*>(row.codes));
    const __m256i residual = _mm256_sub_epi16(codes, _mm256_load_si256(reinterpret_cast<const __m256i*>(before.codes)));
    const __mmask16 mask = _mm256_test_epi16_mask(residual, residual);
    const __m256i zigzags = _mm256_xor_si256(_mm256_slli_epi16(residual, 1), _mm256_srai_epi16(residual, 15));
    const __m256i values = _mm256_maskz_add_epi16(mask, zigzags, _mm256_set1_epi16(-1));
    const __m128i large = _mm_max_epu16(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
    const __m128i least_inverse = _mm_minpos_epu16(_mm_xor_si128(large, _mm_set1_epi16(-1)));
    const int bits = 32 - std::countl_zero(0xffffu & ~std::uint32_t(_mm_cvtsi128_si32(least_inverse)));
    mask_of_row = mask;
    width = width_of_bits(bits);
    if (bits > kMostNarrowBits) [[unlikely]] {
      BitWriter one_by_one(out);
      put_values(row, before, mask, kWideBits, one_by_one);
      out = VectorBitWriter(one_by_one);
      return;
    }
    const __m512i kept = _mm512_maskz_compress_epi32(mask, _mm512_cvtepu16_epi32(values));
    out.put(_mm512_cvtepi32_epi16(kept), std::popcount(unsigned(mask)), bits);
  }
#elif defined(__AVX2__)
  [[gnu::always_inline]] static void add(const CodeRow& row, const CodeRow& before, std::uint16_t& mask_of_row,
                                         std::uint8_t& width, BitWriter& out) {
    using namespace fast_rows_detail;
    const __m256i codes = _mm256_load_si256(reinterpret_cast<const __m256i*>(row.codes));
    const __m256i residual = _mm256_sub_epi16(codes, _mm256_load_si256(reinterpret_cast<const __m256i*>(before.codes)));
    const __m256i same = _mm256_cmpeq_epi16(residual, _mm256_setzero_si256());
    const __m256i zigzags = _mm256_xor_si256(_mm256_slli_epi16(residual, 1), _mm256_srai_epi16(residual, 15));
    const __m256i values = _mm256_andnot_si256(same, _mm256_add_epi16(zigzags, _mm256_set1_epi16(-1)));
    const __m128i low = _mm256_castsi256_si128(values), high = _mm256_extracti128_si256(values, 1);
    const unsigned mask =
        0xffff &
        ~unsigned(_mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(same), _mm256_extracti128_si256(same, 1))));
    const __m128i any = _mm_or_si128(low, high);
    std::uint64_t all = std::uint64_t(_mm_cvtsi128_si64(any)) | std::uint64_t(_mm_extract_epi64(any, 1));
    all |= all >> 32;
    const int bits = std::bit_width(std::uint16_t(all | all >> 16));
    mask_of_row = std::uint16_t(mask);
    width = width_of_bits(bits);
    if (bits > kMostNarrowBits) [[unlikely]]
      return put_values(row, before, mask, kWideBits, out);
    const auto compress = [](__m128i eight, unsigned set) {
      return _mm_shuffle_epi8(eight, _mm_load_si128(reinterpret_cast<const __m128i*>(kSets.compress[set])));
    };
    const __m256i kept = _mm256_set_m128i(compress(high, mask >> 8), compress(low, mask & 255));
    const __m256i twos = _mm256_or_si256(_mm256_and_si256(kept, _mm256_set1_epi32(0xffff)),
                                         _mm256_sll_epi32(_mm256_srli_epi32(kept, 16), _mm_cvtsi32_si128(bits)));
    const __m256i fours = _mm256_or_si256(_mm256_and_si256(twos, _mm256_set1_epi64x(0xffffffff)),
                                          _mm256_sll_epi64(_mm256_srli_epi64(twos, 32), _mm_cvtsi32_si128(2 * bits)));
    const int first = std::popcount(mask & 255) * bits, second = std::popcount(mask >> 8) * bits;
    put_eight(_mm256_castsi256_si128(fours), first, bits, out);
    put_eight(_mm256_extracti128_si256(fours, 1), second, bits, out);
  }

  // Up to eight values, as two words of up to four; `total` bits.
  [[gnu::always_inline]] static void put_eight(__m128i fours, int total, int bits, BitWriter& out) {
    const auto low = std::uint64_t(_mm_cvtsi128_si64(fours)), high = std::uint64_t(_mm_extract_epi64(fours, 1));
    if (total <= BitWriter::kMostBits) [[likely]]
      return out.put(low | high << 4 * bits, total);
    out.put(low, 4 * bits);
    out.put(high, total - 4 * bits);
  }
#else
  static void add(const CodeRow& row, const CodeRow& before, std::uint16_t& mask_of_row, std::uint8_t& width,
                  BitWriter& out) {
    unsigned mask = 0, all = 0;
    for (int lane = 0; lane < kChunkLanes; ++lane) {
      const int residual = row.codes[lane] - before.codes[lane];
      if (residual == 0) continue;
      mask |= 1u << lane;
      all |= zigzag(residual) - 1;
    }
    const int bits = std::bit_width(all);
    mask_of_row = std::uint16_t(mask);
    width = width_of_bits(bits);
    put_values(row, before, mask, bits > kMostNarrowBits ? kWideBits : bits, out);
  }
#endif

  static void put_values(const CodeRow& row, const CodeRow& before, unsigned mask, int bits, BitWriter& out) {
    for (; mask; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      out.put(zigzag(row.codes[lane] - before.codes[lane]) - 1, bits);
    }
  }

  std::vector<std::uint16_t> masks_;
  std::vector<std::uint8_t> widths_;  // one per row
  std::vector<std::uint8_t> values_;
  std::size_t num_rows_ = 0;
  BitWriter bits_{};
};

// Decodes the rows of a chunk one after the other.
class FastRowDecoder {
 public:
  // `data`: masks, widths and bits.
  FastRowDecoder(const std::uint8_t* data, const std::uint8_t* end, std::size_t num_rows)
      : masks_(data), widths_(data + num_rows * sizeof(std::uint16_t)), bits_(widths_ + (num_rows + 1) / 2) {
    if (std::size_t(end - data) < num_rows * sizeof(std::uint16_t) + (num_rows + 1) / 2 + kFastTail)
      throw std::runtime_error("a packed chunk ends too early");
    num_bits_ = std::size_t(end - bits_ - kFastTail) * 8;
  }

  // Decodes the rows of an action; before the first hand there are zeros.
  void decode(CodeRow* rows, int count) {
#ifdef __AVX2__
    __m256i code = _mm256_setzero_si256(), any = code;
#else
    CodeRow code{};
    bool is_negative = false;
#endif
    const FastRowDecoder of = *this;  // a copy that no row overwrites
    std::size_t number = row_, place = place_;
    for (int i = 0; i < count; ++i, ++number) {
      std::uint16_t mask;
      std::memcpy(&mask, of.masks_ + number * sizeof mask, sizeof mask);
      const int width = of.widths_[number / 2] >> number % 2 * 4 & 15, bits = bits_of_width(width);
      const std::size_t begin = place;
      place += std::size_t(std::popcount(mask) * bits);
      if (place > of.num_bits_) [[unlikely]]
        throw std::runtime_error("a packed chunk ends too early");
#ifdef __AVX2__
      __m256i zigzags;
      if (width == kWideWidth) [[unlikely]] {
        alignas(32) std::uint16_t all[kChunkLanes];
        of.take_values(begin, mask, bits, all);
        zigzags = _mm256_load_si256(reinterpret_cast<const __m256i*>(all));
      } else {
#ifdef __AVX512BW__
        zigzags = of.take_sixteen(begin, mask, bits);
#else
        const __m256i first = of.take_eight(begin, mask & 255u, bits);
        const __m256i second = of.take_eight(begin + std::size_t(std::popcount(mask & 255u) * bits), mask >> 8, bits);
        zigzags = _mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), 0xd8);
#endif
      }
      const __m256i sign = _mm256_sub_epi16(_mm256_setzero_si256(), _mm256_and_si256(zigzags, _mm256_set1_epi16(1)));
      code = _mm256_add_epi16(code, _mm256_xor_si256(_mm256_srli_epi16(zigzags, 1), sign));
      any = _mm256_or_si256(any, code);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows[i].codes), code);
    }
    const bool is_negative = _mm256_movemask_epi8(any) & 0xaaaaaaaa;
#else
      std::uint16_t all[kChunkLanes];
      of.take_values(begin, mask, bits, all);
      for (int lane = 0; lane < kChunkLanes; ++lane) {
        code.codes[lane] = std::int16_t(code.codes[lane] + unzigzag(all[lane]));
        is_negative |= code.codes[lane] < 0;
      }
      rows[i] = code;
    }
#endif
    if (is_negative) throw std::runtime_error("a packed chunk was damaged");
    row_ = number;
    place_ = place;
  }

  // Whether everything was read, and zeros follow.
  bool ends_well() const {
    const std::uint8_t* const end = bits_ + num_bits_ / 8;
    std::uint8_t all = place_ % 8 ? bits_[place_ / 8] >> place_ % 8 : 0;
    for (std::size_t i = 0; i < kFastTail; ++i) all |= end[i];
    return num_bits_ - place_ < 8 && all == 0;
  }

 private:
#ifdef __AVX512BW__
  // The zigzags of all lanes, zero for those that are not in the set. The ninth value begins as many bytes after the
  // first one as each has bits; where there is none, that may be beyond the end.
  [[gnu::always_inline]] __m256i take_sixteen(std::size_t place, unsigned set, int bits) const {
    using namespace fast_rows_detail;
    const std::size_t byte = place / 8, byte_of_ninth = std::min(byte + std::size_t(bits), num_bits_ / 8);
    const auto load = [&](std::size_t at) {
      return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bits_ + at)));
    };
    const auto both_halves = [](const void* table) {
      return _mm512_broadcast_i64x4(_mm256_load_si256(static_cast<const __m256i*>(table)));
    };
    const __m512i bytes = _mm512_inserti64x4(_mm512_castsi256_si512(load(byte)), load(byte_of_ninth), 1);
    const __m512i fours = _mm512_shuffle_epi8(bytes, both_halves(kBits.bytes[bits]));
    const __m512i first_bit = _mm512_add_epi32(both_halves(kBits.first_bit[bits]), _mm512_set1_epi32(int(place % 8)));
    const __m512i values = _mm512_and_si512(_mm512_srlv_epi32(fours, first_bit), _mm512_set1_epi32((1 << bits) - 1));
    const __m512i zigzags = _mm512_add_epi32(values, _mm512_set1_epi32(1));
    return _mm512_cvtepi32_epi16(_mm512_maskz_expand_epi32(__mmask16(set), zigzags));
  }
#elif defined(__AVX2__)
  // The zigzags of eight lanes, zero for those that are not in the set.
  [[gnu::always_inline]] __m256i take_eight(std::size_t place, unsigned set, int bits) const {
    using namespace fast_rows_detail;
    const __m256i bytes =
        _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bits_ + place / 8)));
    const __m256i fours =
        _mm256_shuffle_epi8(bytes, _mm256_load_si256(reinterpret_cast<const __m256i*>(kBits.bytes[bits])));
    const __m256i first_bit = _mm256_load_si256(reinterpret_cast<const __m256i*>(kBits.first_bit[bits]));
    const __m256i kept = _mm256_srlv_epi32(fours, _mm256_add_epi32(first_bit, _mm256_set1_epi32(int(place % 8))));
    const __m256i values = _mm256_and_si256(kept, _mm256_set1_epi32((1 << bits) - 1));
    const __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kSets.place[set])));
    const __m256i of_lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i is_in = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(int(set)), of_lane), of_lane);
    return _mm256_sub_epi32(_mm256_and_si256(_mm256_permutevar8x32_epi32(values, places), is_in), is_in);
  }
#endif

  void take_values(std::size_t place, unsigned mask, int bits, std::uint16_t* all) const {
    std::memset(all, 0, kChunkLanes * sizeof *all);
    for (; mask; mask &= mask - 1, place += std::size_t(bits)) {
      const auto value = unsigned(fast_rows_detail::load_word(bits_ + place / 8) >> place % 8) & ((1u << bits) - 1);
      all[std::countr_zero(mask)] = std::uint16_t(value + 1);
    }
  }

  const std::uint8_t *masks_, *widths_, *bits_;
  std::size_t num_bits_;
  std::size_t row_ = 0, place_ = 0;  // rows and bits that are decoded
};

}  // namespace errai
