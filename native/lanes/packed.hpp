// How values are kept in memory: as they are (float, double), or as 16 bits with a scale.
//
// A scale is a power of two, so that values that do not change keep their bits. Codes are unsigned where no value is
// negative, and then the largest value takes 16 bits; else they have a sign, and it takes 15. The actions of a hand
// stand together; they are separated and joined in registers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "vectors.hpp"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace errai {

template <class Element>
struct Arithmetic {
  using Real = Element;
};
template <>
struct Arithmetic<std::uint16_t> {
  using Real = float;
};
template <>
struct Arithmetic<std::int16_t> {
  using Real = float;
};
template <class Element>
using RealOf = typename Arithmetic<Element>::Real;

template <class Element>
constexpr bool kIsScaled = std::is_same_v<Element, std::uint16_t> || std::is_same_v<Element, std::int16_t>;

// The exponent of the scale, given the bits of the largest magnitude: less than its own by 15, so that it becomes 32768
// to 65535, or by 14 where a bit is the sign's. Signed codes are not cut off at their limit: what would be rounded to
// 32768 has the next exponent.
template <class Code, class Bits>
[[gnu::always_inline]] inline Bits scale_exponent(Bits largest) {
  constexpr bool kIsSigned = std::is_signed_v<Code>;
  const Bits exponent = (largest + (kIsSigned ? 1 << 8 : 0)) >> 23;
  return (exponent > 30 ? exponent : Bits{} + 30) - (kIsSigned ? 14 : 15);
}

// Of rows that follow each other, up to three: the values First, First + Count, First + 2 Count, ...
template <int First, int Count, class Row, std::size_t... Place>
[[gnu::always_inline]] inline Row every(const Row (&rows)[Count], std::index_sequence<Place...>) {
  constexpr int kSize = sizeof...(Place);
  if constexpr (Count == 1) {
    return rows[0];
  } else {
    const auto of_two = [](int at) { return at < 2 * kSize ? at : 0; };
    const Row picked = __builtin_shufflevector(rows[0], rows[1], of_two(int(Place) * Count + First)...);
    if constexpr (Count == 2)
      return picked;
    else
      return __builtin_shufflevector(
          picked, rows[2],
          (int(Place) * Count + First < 2 * kSize ? int(Place) : int(Place) * Count + First - kSize)...);
  }
}

// The reverse: row number Index of those that hold a value of each row in turn.
template <int Index, int Count, class Row, std::size_t... Place>
[[gnu::always_inline]] inline Row in_turn(const Row (&rows)[Count], std::index_sequence<Place...>) {
  constexpr int kSize = sizeof...(Place);
  if constexpr (Count == 1) {
    return rows[0];
  } else {
    const auto of_two = [](int at) { return at % Count == 2 ? 0 : at % Count * kSize + at / Count; };
    const Row merged = __builtin_shufflevector(rows[0], rows[1], of_two(Index * kSize + int(Place))...);
    if constexpr (Count == 2)
      return merged;
    else
      return __builtin_shufflevector(
          merged, rows[2],
          ((Index * kSize + int(Place)) % Count == 2 ? kSize + (Index * kSize + int(Place)) / Count : int(Place))...);
  }
}

// Rows of `Count` kinds of values in turn become one row of each kind.
template <int Size, int Count, class Row>
[[gnu::always_inline]] inline void deinterleave(Row (&rows)[Count]) {
  [&]<std::size_t... Kind>(std::index_sequence<Kind...>) {
    const Row kinds[Count] = {every<int(Kind)>(rows, std::make_index_sequence<Size>())...};
    ((rows[Kind] = kinds[Kind]), ...);
  }(std::make_index_sequence<Count>());
}

// And back.
template <int Size, int Count, class Row>
[[gnu::always_inline]] inline void interleave(Row (&rows)[Count]) {
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    const Row mixed[Count] = {in_turn<int(Index)>(rows, std::make_index_sequence<Size>())...};
    ((rows[Index] = mixed[Index]), ...);
  }(std::make_index_sequence<Count>());
}

// Values as they lie in memory: N that follow each other, or those of N hands, the actions of a hand together.
template <class Element, int N>
struct Packed {
  using Row = typename Register<Element, N>::type;
  using Unaligned = typename Register<Element, N>::unaligned;

  [[gnu::always_inline]] static Row read(const Element* from) { return *reinterpret_cast<const Unaligned*>(from); }
  [[gnu::always_inline]] static void write(Element* to, Row v) { *reinterpret_cast<Unaligned*>(to) = v; }
  // A row for each action.
  template <int Actions>
  [[gnu::always_inline]] static void read_hands(const Element* from, Row (&rows)[Actions]) {
    for (int i = 0; i < Actions; ++i) rows[i] = read(from + i * N);
    deinterleave<N>(rows);
  }
  template <int Actions>
  [[gnu::always_inline]] static void write_hands(Element* to, Row (&rows)[Actions], Row) {
    interleave<N>(rows);
    for (int i = 0; i < Actions; ++i) write(to + i * N, rows[i]);
  }
  static Element read_one(Element value) { return value; }
  static Element to_one(Element value, Element) { return value; }
};

// The same as codes: multiples of the scale, rounded to the nearest.
//
// The actions of hands are separated and joined as codes, which are half as many bytes and stay within 16 of them: four
// hands at a time.
template <class Code, int N>
  requires kIsScaled<Code>
struct Packed<Code, N> {
  using Row = typename Register<float, N>::type;
  using Integers = typename Register<std::int32_t, N>::type;
  using Codes = typename Register<Code, N>::type;
  using Unaligned = typename Register<Code, N>::unaligned;

  [[gnu::always_inline]] static Row read(const Code* from) {
    return __builtin_convertvector(widened(*reinterpret_cast<const Unaligned*>(from)), Row);
  }
  // What values are rounded with, given the exponents of their scales. Unsigned: the inverse of the scale. Signed: so
  // many times the scale that a sum with it has the code in its lowest bits.
  [[gnu::always_inline]] static Row rounder(Integers exponent) {
    if constexpr (kIsSigned) return std::bit_cast<Row>(((exponent + 23) << 23) | (1 << 22));
    return std::bit_cast<Row>((254 - exponent) << 23);
  }
  [[gnu::always_inline]] static void write(Code* to, Row v, Row rounder) {
    *reinterpret_cast<Unaligned*>(to) = __builtin_convertvector(to_codes(v, rounder), Codes);
  }
  [[gnu::always_inline]] static void write_two(Code* to, const Row (&rows)[2], const Row (&rounders)[2]) {
    write_lower_halves(to, std::bit_cast<Halves>(to_codes(rows[0], rounders[0])),
                       std::bit_cast<Halves>(to_codes(rows[1], rounders[1])), std::make_index_sequence<2 * N>());
  }

  [[gnu::always_inline]] static void read_hands(const Code* from, Row (&rows)[2]) {
    const Integers both = *reinterpret_cast<const UnalignedIntegers*>(from);
    rows[0] = upper_halves(both << 16);
    rows[1] = upper_halves(both);
  }
  [[gnu::always_inline]] static void write_hands(Code* to, const Row (&rows)[2], Row rounder) {
    *reinterpret_cast<UnalignedIntegers*>(to) = in_pairs(to_codes(rows[0], rounder), to_codes(rows[1], rounder));
  }

  // Of the twelve codes of four hands, the first eight and the last eight. No action has two codes at the same place.
  [[gnu::always_inline]] static void read_hands(const Code* from, Row (&rows)[3]) {
    const Halves first = read_groups(from), last = read_groups(from + 4);
    rows[0] = upper_halves(action_of_three<0>(first, last, std::make_index_sequence<2 * N>()));
    rows[1] = upper_halves(action_of_three<1>(first, last, std::make_index_sequence<2 * N>()));
    rows[2] = upper_halves(action_of_three<2>(first, last, std::make_index_sequence<2 * N>()));
  }
  [[gnu::always_inline]] static void write_hands(Code* to, const Row (&rows)[3], Row rounder) {
    const Integers pairs = in_pairs(to_codes(rows[0], rounder), to_codes(rows[1], rounder));
    write_groups(to, std::bit_cast<Halves>(pairs), std::bit_cast<Halves>(to_codes(rows[2], rounder)),
                 std::make_index_sequence<2 * N>());
  }

  static float read_one(Code code) { return float(int(code)); }
  static Code to_one(float v, float rounder) {
    if constexpr (kIsSigned) return Code(std::bit_cast<std::int32_t>(v + rounder));
    const float rounded = v * rounder + 0.5f;
    return Code(int(rounded < kLimit ? rounded : kLimit));
  }

 private:
  static constexpr bool kIsSigned = std::is_signed_v<Code>;
  static constexpr float kLimit = 65535.0f;
  static constexpr int kGroups = N / 4;
  using UnalignedIntegers [[gnu::vector_size(N * 4), gnu::aligned(2), gnu::may_alias]] = std::int32_t;
  using Unsigned = typename Register<std::uint32_t, N>::type;
  using Halves = typename Register<std::int16_t, 2 * N>::type;  // of integers
  using UnalignedHalves = typename Register<std::int16_t, 2 * N>::unaligned;
  using Group = typename Register<std::int16_t, 8>::type;
  using UnalignedGroup = typename Register<std::int16_t, 8>::unaligned;
  using UnalignedHalfGroup = typename Register<std::int16_t, 4>::unaligned;

  // GCC 12 widens a register in two halves, five instructions instead of one.
  [[gnu::always_inline]] static Integers widened(Codes codes) {
#if defined(__AVX512F__)
    if constexpr (N == 16)
      return std::bit_cast<Integers>(kIsSigned ? _mm512_cvtepi16_epi32(std::bit_cast<__m256i>(codes))
                                               : _mm512_cvtepu16_epi32(std::bit_cast<__m256i>(codes)));
#endif
#if defined(__AVX2__)
    if constexpr (N == 8)
      return std::bit_cast<Integers>(kIsSigned ? _mm256_cvtepi16_epi32(std::bit_cast<__m128i>(codes))
                                               : _mm256_cvtepu16_epi32(std::bit_cast<__m128i>(codes)));
#endif
    return __builtin_convertvector(codes, Integers);
  }

  // The codes are the lower halves; the upper ones hold anything.
  [[gnu::always_inline]] static Integers to_codes(Row v, Row rounder) {
    if constexpr (kIsSigned) return std::bit_cast<Integers>(v + rounder);
    const Row limit = Row{} + kLimit, rounded = v * rounder + 0.5f;
    return __builtin_convertvector(rounded < limit ? rounded : limit, Integers);
  }
  template <std::size_t... Place>
  [[gnu::always_inline]] static void write_lower_halves(Code* to, Halves first, Halves second,
                                                        std::index_sequence<Place...>) {
    *reinterpret_cast<UnalignedHalves*>(to) = __builtin_shufflevector(first, second, 2 * int(Place)...);
  }
  [[gnu::always_inline]] static Integers in_pairs(Integers first, Integers second) {
    return (first & 0xffff) | (second << 16);
  }
  template <class Words>
  [[gnu::always_inline]] static Row upper_halves(Words words) {
    if constexpr (kIsSigned) return __builtin_convertvector(std::bit_cast<Integers>(words) >> 16, Row);
    return __builtin_convertvector(std::bit_cast<Integers>(std::bit_cast<Unsigned>(words) >> 16), Row);
  }

  [[gnu::always_inline]] static Halves read_groups(const Code* from) {
    const auto group = [&](int number) { return Group(*reinterpret_cast<const UnalignedGroup*>(from + 12 * number)); };
    if constexpr (kGroups == 1)
      return group(0);
    else
      return __builtin_shufflevector(group(0), group(1), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }

  // In the upper halves.
  template <int Action, std::size_t... Place>
  [[gnu::always_inline]] static Halves action_of_three(Halves first, Halves last, std::index_sequence<Place...>) {
    const Halves codes = __builtin_shufflevector(
        first, last, ((Place % 8 + 4) % 3 == Action && Place % 8 >= 4 ? 2 * N + int(Place) : int(Place))...);
    const auto place = [](int hand) { return 3 * hand + Action < 8 ? 3 * hand + Action : 3 * hand + Action - 4; };
    return __builtin_shufflevector(codes, codes, (int(Place) / 8 * 8 + place(int(Place) % 8 / 2))...);
  }

  template <std::size_t... Place>
  [[gnu::always_inline]] static void write_groups(Code* to, Halves pairs, Halves third, std::index_sequence<Place...>) {
    // Where the code at `place` of a group's twelve comes from.
    const auto source = [](int group, int place) {
      return 8 * group + place / 3 * 2 + (place % 3 < 2 ? place % 3 : 2 * N);
    };
    const Halves first = __builtin_shufflevector(pairs, third, source(int(Place) / 8, int(Place) % 8)...);
    const Halves last = __builtin_shufflevector(pairs, third, source(int(Place) / 8, 8 + int(Place) % 4)...);
    write_group<0>(to, first, last);
    if constexpr (kGroups == 2) write_group<1>(to + 12, first, last);
  }
  template <int Number>
  [[gnu::always_inline]] static void write_group(Code* to, Halves first, Halves last) {
    constexpr int k = 8 * Number;
    *reinterpret_cast<UnalignedGroup*>(to) =
        __builtin_shufflevector(first, first, k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7);
    *reinterpret_cast<UnalignedHalfGroup*>(to + 8) = __builtin_shufflevector(last, last, k, k + 1, k + 2, k + 3);
  }
};

}  // namespace errai
