// How the numbers of a node are kept, for a tile of hands at a time.
//
// As they are (float, double), or as 16 bits with a scale: on a tile of kTile hands every lane has a scale of its own, a
// power of two such that the largest number of the lane takes 16 bits. A power of two keeps what did not change as it
// was, to the bit. Only numbers that are not negative can be kept so.
//
// A row is one hand and action: `lanes` numbers, of which a vector of W >= lanes is read; what lies beyond is somebody
// else's and is never written. Arrays therefore end with kSpare unused numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vectors.hpp"

namespace errai {

constexpr int kTile = 32;   // hands that go through all nodes before the next ones do, so that their vectors stay in L1
constexpr int kSpare = 16;  // the widest vector

template <class Element>
struct Arithmetic {
  using Real = Element;
};
template <>
struct Arithmetic<std::uint16_t> {
  using Real = float;
};
template <class Element>
using RealOf = typename Arithmetic<Element>::Real;

// Where an array lies; `scales` only where there are scales.
template <class Element>
struct Numbers {
  Element* values = nullptr;
  float* scales = nullptr;
  explicit operator bool() const { return values != nullptr; }
};

// The first `lanes` of W elements, by powers of two: cheaper than a copy of unknown length.
template <class Element, int W>
[[gnu::always_inline]] inline void store_lanes(Element* to, const Element* from, int lanes) {
  if constexpr (W == 1) {
    if (lanes) *to = *from;
  } else if (lanes >= W) {
    std::memcpy(to, from, W * sizeof(Element));
  } else {
    const bool has_half = lanes >= W / 2;
    if (has_half) std::memcpy(to, from, W / 2 * sizeof(Element));
    const int done = has_half ? W / 2 : 0;
    store_lanes<Element, W / 2>(to + done, from + done, lanes - done);
  }
}

template <class Element, int W>
class Tile {
 public:
  using V = Vector<Element, W>;

  Tile(Numbers<Element> numbers, std::size_t first, std::size_t, int lanes)
      : at_(numbers.values + first), lanes_(lanes) {}

  [[gnu::always_inline]] V get(int row) const { return load<V>(at_ + row * lanes_); }
  [[gnu::always_inline]] void put(int row, const V& v) {
    if (lanes_ == W) return store(at_ + row * lanes_, v);
    alignas(64) Element all[W];
    store(all, v);
    store_lanes<Element, W>(at_ + row * lanes_, all, lanes_);
  }
  void finish(int) {}

 private:
  Element* at_;
  int lanes_;
};

template <int W>
class Tile<std::uint16_t, W> {
 public:
  using V = Vector<float, W>;

  Tile(Numbers<std::uint16_t> numbers, std::size_t first, std::size_t first_scale, int lanes)
      : at_(numbers.values + first), scales_(numbers.scales + first_scale), lanes_(lanes), scale_(load<V>(scales_)) {}

  [[gnu::always_inline]] V get(int row) const {
    V v;
    for (int i = 0; i < V::kParts; ++i) {
      const Codes codes = *reinterpret_cast<const UnalignedCodes*>(at_ + row * lanes_ + i * V::kNative);
      v.part[i] = __builtin_convertvector(__builtin_convertvector(codes, Integers), typename V::Native);
    }
    return v * scale_;
  }
  [[gnu::always_inline]] void put(int row, const V& v) {
    changed_[row] = v;
    most_ = maximum(most_, v);
  }
  // Write the rows that were put, all of the tile's.
  void finish(int rows) {
    V inverse;
    for (int i = 0; i < V::kParts; ++i) {
      // The exponent of the largest number, less 15: it becomes 32768 to 65535.
      const Integers exponent = std::bit_cast<Integers>(most_.part[i]) >> 23;
      const Integers clamped = exponent > 30 ? exponent : Integers{} + 30;
      scale_.part[i] = std::bit_cast<typename V::Native>((clamped - 15) << 23);
      inverse.part[i] = std::bit_cast<typename V::Native>((254 - (clamped - 15)) << 23);
    }
    alignas(64) float scales[W];
    store(scales, scale_);
    store_lanes<float, W>(scales_, scales, lanes_);
    // Whole vectors in order: what one writes beyond its lanes, the next one puts right. Only the last ones must stop.
    int row = 0;
    for (; row * lanes_ + W <= rows * lanes_; ++row) write_codes(at_ + row * lanes_, changed_[row] * inverse);
    for (; row < rows; ++row) {
      alignas(64) std::uint16_t all[W];
      write_codes(all, changed_[row] * inverse);
      store_lanes<std::uint16_t, W>(at_ + row * lanes_, all, lanes_);
    }
  }

 private:
  using Integers = typename Register<std::int32_t, V::kNative>::type;
  using Codes = typename Register<std::uint16_t, V::kNative>::type;
  using UnalignedCodes = typename Register<std::uint16_t, V::kNative>::unaligned;

  [[gnu::always_inline]] static void write_codes(std::uint16_t* to, V v) {
    for (int i = 0; i < V::kParts; ++i) {
      const auto most = typename V::Native{} + 65535.0f;
      const auto rounded = v.part[i] + 0.5f;
      const Integers whole = __builtin_convertvector(rounded < most ? rounded : most, Integers);
      *reinterpret_cast<UnalignedCodes*>(to + i * V::kNative) = __builtin_convertvector(whole, Codes);
    }
  }

  std::uint16_t* at_;
  float* scales_;
  int lanes_;
  V scale_;
  V most_ = V::all(0);
  V changed_[kTile * 3];
};

}  // namespace errai
