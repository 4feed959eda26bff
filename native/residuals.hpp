// From regrets to symbols (symbols.hpp), a row at a time.
#pragma once

#include <bit>
#include <cstring>

#include "codec.hpp"
#include "vectors.hpp"

#ifdef __SSSE3__
#include <tmmintrin.h>
#endif

namespace errai {

using LaneReals = Vector<float, kChunkLanes>;
using LaneCodes = Vector<std::int32_t, kChunkLanes>;
using LaneBytes = Register<std::uint8_t, kChunkLanes>::type;

// The compiler makes bytes of integers one by one, and looks them up one by one.
#ifdef __SSSE3__
// Small integers as bytes.
[[gnu::always_inline]] inline LaneBytes narrow(const LaneCodes& codes) {
  struct Quarters {
    __m128i of[4];
  };
  const auto quarters = std::bit_cast<Quarters>(codes.part);
  return std::bit_cast<LaneBytes>(_mm_packs_epi16(_mm_packs_epi32(quarters.of[0], quarters.of[1]),
                                                  _mm_packs_epi32(quarters.of[2], quarters.of[3])));
}
// table[index] for all lanes, whose indices are below 16.
[[gnu::always_inline]] inline LaneBytes look_up(const std::array<std::uint8_t, 16>& table, LaneBytes indices) {
  const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data()));
  return std::bit_cast<LaneBytes>(_mm_shuffle_epi8(all, std::bit_cast<__m128i>(indices)));
}
// The lanes whose byte is negative.
[[gnu::always_inline]] inline unsigned lanes_of(LaneBytes bytes) {
  return unsigned(_mm_movemask_epi8(std::bit_cast<__m128i>(bytes)));
}
#else
inline LaneBytes narrow(const LaneCodes& codes) {
  LaneBytes bytes;
  for (int lane = 0; lane < kChunkLanes; ++lane) bytes[lane] = std::uint8_t(codes.get(lane));
  return bytes;
}
inline LaneBytes look_up(const std::array<std::uint8_t, 16>& table, LaneBytes indices) {
  for (int lane = 0; lane < kChunkLanes; ++lane) indices[lane] = table[indices[lane]];
  return indices;
}
inline unsigned lanes_of(LaneBytes bytes) {
  unsigned lanes = 0;
  for (int lane = 0; lane < kChunkLanes; ++lane) lanes |= unsigned(bytes[lane] >> 7) << lane;
  return lanes;
}
#endif

// round(value * scale); beyond what 31 bits hold, the largest float that they do.
[[gnu::always_inline]] inline LaneCodes round_codes(const LaneReals& values, float scale) {
  LaneCodes codes;
  for (int i = 0; i < LaneReals::kParts; ++i) {
    const auto most = LaneReals::Native{} + 0x1.fffffep30f;
    const auto scaled = values.part[i] * scale + 0.5f;
    const auto bounded = scaled < most ? scaled : most;
    codes.part[i] = __builtin_convertvector(bounded > 0 ? bounded : LaneReals::Native{}, LaneCodes::Native);
  }
  return codes;
}

// One row as it is encoded.
struct CodedRow {
  LaneBytes symbols;
  alignas(32) std::uint16_t items[kChunkLanes];  // (context * kSymbols + symbol) << kQuickBits | quick bits
  alignas(32) std::uint32_t raw[kChunkLanes];    // all bits beside the symbols
  unsigned rare;                                 // lanes with more than quick bits, or an escaped code
};

// What a row becomes after the codes `last` and the symbols `recent`, `before` and `above`.
[[gnu::always_inline]] inline void code_row(const LaneCodes& codes, const LaneCodes& last, LaneBytes recent,
                                            LaneBytes before, LaneBytes above, CodedRow& row) {
  using Integers = LaneCodes::Native;
  using Reals = LaneReals::Native;
  constexpr int kNative = LaneCodes::kNative;
  using Bytes = Register<std::uint8_t, kNative>;
  using Shorts = Register<std::uint16_t, kNative>;
  const LaneBytes contexts = look_up(kRecentPart, recent) + look_up(kBeforePart, before) + look_up(kAbovePart, above);
  LaneCodes symbols, is_rare;
  for (int i = 0; i < LaneCodes::kParts; ++i) {
    const Integers residual = codes.part[i] - last.part[i];
    const Integers is_negative = residual >> 31;
    const Integers size = (residual ^ is_negative) - is_negative;
    // The exponent of a float is the width of the integer, and the float without its mantissa the highest bit of it.
    // (Rounding can only make a size wider that is escaped anyway.)
    const Integers exponent = std::bit_cast<Integers>(__builtin_convertvector(size, Reals)) >> 23;
    const Integers highest = __builtin_convertvector(std::bit_cast<Reals>(exponent << 23), Integers);
    const Integers width = exponent > 126 ? exponent - 126 : Integers{};
    const Integers symbol = (codes.part[i] != 0) & (width < kEscape ? width + 1 : Integers{} + kEscape);
    const Integers has_sign = last.part[i] != 0;
    const Integers low = size - highest;
    const Integers raw = ((symbol > 1) & (symbol < kEscape)) & (has_sign ? low + low - is_negative : low);
    const Integers context =
        __builtin_convertvector(reinterpret_cast<const typename Bytes::unaligned*>(&contexts)[i], Integers);
    const Integers item = (context * kSymbols + symbol) << kQuickBits | (raw & ((1 << kQuickBits) - 1));
    std::memcpy(row.raw + i * kNative, &raw, sizeof raw);
    *reinterpret_cast<typename Shorts::unaligned*>(row.items + i * kNative) =
        __builtin_convertvector(item, typename Shorts::type);
    symbols.part[i] = symbol;
    is_rare.part[i] = symbol - has_sign > kQuickBits + 2;
  }
  row.symbols = narrow(symbols);
  row.rare = lanes_of(narrow(is_rare));
}

}  // namespace errai
