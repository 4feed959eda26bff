// From regrets to symbols (symbols.hpp), one row at a time.
#pragma once

#include <array>
#include <bit>
#include <cstring>

#include "codec/chunks.hpp"
#include "codec/rans.hpp"
#include "vectors.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace errai {

using LaneReals = Vector<float, kChunkLanes>;
using LaneCodes = Vector<std::int16_t, kChunkLanes>;
using PairBits = Vector<std::uint32_t, kChunkPairs>;

// Codes are below this.
constexpr float kCodeLimit = 1 << 15;

// Codes with none of these bits are certainly below the limit, and so are the values they stand for.
constexpr std::uint16_t kDoubtfulBits = 0xc000;

// floor(value * scale + rounding) where that is below the limit; otherwise, and for NaN, a code with doubtful bits.
[[gnu::always_inline]] inline LaneCodes round_codes(const LaneReals& values, float scale, float rounding) {
  LaneCodes codes;
#ifdef __AVX2__                            // the compiler would convert one value at a time
  Vector<std::int32_t, kChunkLanes> wide;  // what does not fit becomes the least integer
  for (int i = 0; i < LaneReals::kParts; ++i)
    wide.part[i] = __builtin_convertvector(values.part[i] * scale + rounding, decltype(wide)::Native);
#ifdef __AVX512F__
  codes.part[0] = LaneCodes::Native(_mm512_cvtsepi32_epi16(__m512i(wide.part[0])));
#else
  struct Halves {
    __m256i of[2];
  };
  const auto halves = std::bit_cast<Halves>(wide.part);
  codes.part[0] = LaneCodes::Native(_mm256_permute4x64_epi64(_mm256_packs_epi32(halves.of[0], halves.of[1]), 0xd8));
#endif
#else
  for (int lane = 0; lane < kChunkLanes; ++lane) {
    const float code = values.get(lane) * scale + rounding;
    codes.set(lane, code > -kCodeLimit && code < kCodeLimit ? std::int16_t(code) : std::int16_t(-(1 << 15)));
  }
#endif
  return codes;
}

// Whether any of these bits is set.
[[gnu::always_inline]] inline bool is_any(const LaneCodes& codes, std::uint16_t bits = 0xffff) {
#ifdef __AVX2__
  return !_mm256_testz_si256(__m256i(codes.part[0]), _mm256_set1_epi16(short(bits)));
#else
  LaneCodes::Native found{};
  for (int i = 0; i < LaneCodes::kParts; ++i) found |= codes.part[i];
  std::uint16_t all = 0;
  for (int lane = 0; lane < LaneCodes::kNative; ++lane) all |= std::uint16_t(found[lane]);
  return all & bits;
#endif
}

// The bits in which two rows differ.
[[gnu::always_inline]] inline LaneCodes difference(LaneCodes a, const LaneCodes& b) {
  for (int part = 0; part < LaneCodes::kParts; ++part) a.part[part] ^= b.part[part];
  return a;
}

// The even lanes of all pairs, and the odd ones.
[[gnu::always_inline]] inline PairBits::Native even_lanes(LaneCodes::Native v) {
  return std::bit_cast<PairBits::Native>(v) & 0xffff;
}
[[gnu::always_inline]] inline PairBits::Native odd_lanes(LaneCodes::Native v) {
  return std::bit_cast<PairBits::Native>(v) >> 16;
}

// Looks up the classes of all lanes in a table.
[[gnu::always_inline]] inline LaneCodes::Native of_classes(const std::array<std::uint8_t, kClasses>& table,
                                                           LaneCodes::Native classes) {
#ifdef __AVX2__
  static_assert(kClasses == 8);
  const __m256i twice = _mm256_broadcastsi128_si256(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(table.data())));
  return LaneCodes::Native(
      _mm256_shuffle_epi8(twice, __m256i(classes)));  // upper bytes: the first entry, which is zero
#else
  for (int lane = 0; lane < LaneCodes::kNative; ++lane) classes[lane] = table[classes[lane]];
  return classes;
#endif
}

// The class of a residual by its size, for sizes below 8, and by its size / 8 for the others, which have the same class
// as all sizes with the same quotient. The largest place stands for all above it.
constexpr std::array<std::uint8_t, 16> make_class_table(int step) {
  std::array<std::uint8_t, 16> classes{};
  for (int i = 1; i < 16; ++i)
    for (int c = 2; c < kClasses; ++c)
      if (i * step >= kLeastSize[c] && (step > 1 || i < 8)) classes[i] = std::uint8_t(c);
  return classes;
}
inline constexpr auto kClassOfSize = make_class_table(1), kClassOfEights = make_class_table(8);
static_assert(kLeastSize[5] == 8 && kLeastSize[6] % 8 == 0 && kLeastSize[7] % 8 == 0 && kLeastSize[7] <= 8 * 15);

// The class of each size of a residual, if the code is not zero.
[[gnu::always_inline]] inline LaneCodes::Native classes_of(LaneCodes::Native size) {
#ifdef __AVX2__
  const auto of = [](const std::array<std::uint8_t, 16>& classes, __m256i places) {
    const __m256i twice =
        _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(classes.data())));
    return _mm256_shuffle_epi8(twice, _mm256_min_epi16(places, _mm256_set1_epi16(15)));
  };
  const __m256i sizes = __m256i(size);
  const __m256i eights = of(kClassOfEights, _mm256_srli_epi16(sizes, 3));
  return LaneCodes::Native(_mm256_max_epi16(_mm256_max_epi16(of(kClassOfSize, sizes), eights), _mm256_set1_epi16(1)));
#else
  LaneCodes::Native classes = LaneCodes::Native{} + 1;
  for (int c = 2; c < kClasses; ++c) classes -= size > short(kLeastSize[c] - 1);
  return classes;
#endif
}

// a - b modulo 2^16: codes with doubtful bits, whose rows are made again with a larger shift, can overflow.
[[gnu::always_inline]] inline LaneCodes::Native wrapping_difference(LaneCodes::Native a, LaneCodes::Native b) {
  using Unsigned = Register<std::uint16_t, LaneCodes::kNative>::type;
  return LaneCodes::Native(Unsigned(a) - Unsigned(b));
}

// Turns the rows of an action into items, hand by hand.
class RowCoder {
 public:
  // The next row has no hand before it.
  [[gnu::always_inline]] void begin() {
    last_ = LaneCodes::all(0);
    context_ = PairBits::all(0);
  }

  // Sets the items of a row; returns the escaped lanes.
  [[gnu::always_inline]] unsigned code(const LaneCodes& codes, Item* items) {
    using Lanes = LaneCodes::Native;
    using Pairs = PairBits::Native;
    LaneCodes is_escaped;
    for (int i = 0; i < LaneCodes::kParts; ++i) {
      const Lanes residual = wrapping_difference(codes.part[i], last_.part[i]);
      const Lanes is_negative = residual >> 15;
      const Lanes size = wrapping_difference(residual ^ is_negative, is_negative);
      const Lanes is_nonzero = codes.part[i] != 0;  // all ones: minus one
      const Lanes classes = classes_of(size) & is_nonzero;
      is_escaped.part[i] = is_nonzero & (size > kEscapedSize - 1);
      const Lanes kept = size > kEscapedSize ? Lanes{} + kEscapedSize : size;
      const Lanes low = is_nonzero & wrapping_difference(kept, of_classes(kLeastSize, classes));
      const Lanes has_sign = (classes > 1) & (last_.part[i] != 0);
      // low, or 2 * low + sign.
      const Lanes raw = wrapping_difference(low, has_sign & wrapping_difference(is_negative, low));
      const Lanes count = of_classes(kSizeBits, classes) - has_sign;
      const Lanes level = of_classes(kClassLevel, classes);
      const Pairs symbol = even_lanes(classes) * kClasses + odd_lanes(classes);
      const Pairs raw_of_pair = even_lanes(raw) | odd_lanes(raw) << even_lanes(count);
      const Pairs count_of_pair = even_lanes(count) + odd_lanes(count);
      const Pairs item = (context_.part[i] * kSymbols + symbol) << Item::kIndexBegin |
                         count_of_pair << Item::kCountBegin | raw_of_pair;
      std::memcpy(items + i * PairBits::kNative, &item, sizeof item);
      context_.part[i] = even_lanes(level) * kClassLevels + odd_lanes(level);
    }
    last_ = codes;
    unsigned escaped = 0;
    if (is_any(is_escaped)) [[unlikely]]
      for (int lane = 0; lane < kChunkLanes; ++lane) escaped |= unsigned(is_escaped.get(lane) & 1) << lane;
    return escaped;
  }

 private:
  LaneCodes last_;
  PairBits context_;
};

}  // namespace errai
