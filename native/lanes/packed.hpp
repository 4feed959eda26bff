// How values are kept in memory: as they are (float, double), or as 16 bits with a scale.
//
// A scale is a power of two, so that values that do not change keep their bits. Codes are unsigned where no value is
// negative, and then the largest value takes 16 bits; else they have a sign, and it takes 15. The actions of a hand
// stand together; they are separated and joined in registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "vectors.hpp"

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
// to 65535, or by 14 where a bit is the sign's.
template <class Code, class Bits>
[[gnu::always_inline]] inline Bits scale_exponent(Bits largest) {
  const Bits exponent = largest >> 23;
  return (exponent > 30 ? exponent : Bits{} + 30) - (std::is_signed_v<Code> ? 14 : 15);
}

// N values that follow each other in memory.
template <class Element, int N>
struct Packed {
  using Row = typename Register<Element, N>::type;
  using Unaligned = typename Register<Element, N>::unaligned;

  [[gnu::always_inline]] static Row read(const Element* from) { return *reinterpret_cast<const Unaligned*>(from); }
  [[gnu::always_inline]] static void write(Element* to, Row v) { *reinterpret_cast<Unaligned*>(to) = v; }
  static Element read_one(Element value) { return value; }
  static Element to_one(Element value) { return value; }
};

// The same as codes: multiples of the scale, rounded to the nearest.
template <class Code, int N>
  requires kIsScaled<Code>
struct Packed<Code, N> {
  using Row = typename Register<float, N>::type;
  using Integers = typename Register<std::int32_t, N>::type;
  using Codes = typename Register<Code, N>::type;
  using Unaligned = typename Register<Code, N>::unaligned;
  static constexpr int kLowest = std::is_signed_v<Code> ? -32768 : 0;
  static constexpr float kToPositive = 0.5f - kLowest;  // and half a unit, because conversions round down
  static constexpr float kLimit = 65535.0f;

  [[gnu::always_inline]] static Row read(const Code* from) {
    const Codes codes = *reinterpret_cast<const Unaligned*>(from);
    return __builtin_convertvector(__builtin_convertvector(codes, Integers), Row);
  }
  [[gnu::always_inline]] static void write(Code* to, Row v) {
    const Row limit = Row{} + kLimit, rounded = v + kToPositive;
    const Integers whole = __builtin_convertvector(rounded < limit ? rounded : limit, Integers) + kLowest;
    *reinterpret_cast<Unaligned*>(to) = __builtin_convertvector(whole, Codes);
  }
  static float read_one(Code code) { return float(int(code)); }
  static Code to_one(float v) {
    const float rounded = v + kToPositive;
    return Code(int(rounded < kLimit ? rounded : kLimit) + kLowest);
  }
};

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

}  // namespace errai
