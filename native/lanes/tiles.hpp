// How the values of a node are stored, one tile of hands at a time.
//
// Either as they are (float, double) or as 16 bits with a scale: on a tile of kTile hands every lane has its own scale,
// a power of two such that the largest value of the lane takes 16 bits. Because it is a power of two, values that do
// not change keep their bits. Only non-negative values can be stored this way.
//
// A row is one hand and action: `lanes` values, read as a vector of W >= lanes. What lies beyond belongs to other rows
// and is never written. Arrays therefore end with kSpare unused values.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lanes/tree.hpp"
#include "vectors.hpp"

namespace errai {

constexpr int kTile = 32;   // hands that pass through all nodes together, so that their vectors stay in L1
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

// A view of values in an array, and of their scales if they have any.
template <class Element>
struct LaneView {
  Element* values = nullptr;
  float* scales = nullptr;
  explicit operator bool() const { return values != nullptr; }
};

// Stores the first `lanes` of W elements, by powers of two: cheaper than a copy of unknown length.
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

// Prefetches what the next tile of the node will read in place of `at`, with `values_per_hand` values per hand. A tile
// is too short for the processor's own prefetcher, and the values of a turn come from memory: without this an iteration
// takes a sixth longer.
template <class Element>
[[gnu::always_inline]] inline void prefetch_next_tile(const Element* at, int values_per_hand) {
  __builtin_prefetch(at + kTile * values_per_hand);
}

// The number of actions of a node: the compiler knows the common ones; others (kAnyActions) are known only at run time.
constexpr int kAnyActions = 0;

template <int Actions>
struct ActionCount {
  static constexpr int kRoom = Actions;
  explicit ActionCount(int) {}
  constexpr operator int() const { return Actions; }
};

template <>
struct ActionCount<kAnyActions> {
  static constexpr int kRoom = kMostActions;
  int count;
  explicit ActionCount(int num_actions) : count(num_actions) {}
  operator int() const { return count; }
};

template <class Element, int W, int Actions>
class Tile {
 public:
  using V = Vector<Element, W>;

  Tile(LaneView<Element> view, std::size_t first, std::size_t, int lanes, int actions)
      : at_(view.values + first), lanes_(lanes), actions_(actions) {}

  [[gnu::always_inline]] V get(int hand, int action) const {
    prefetch_next_tile(row(hand, action), actions_ * lanes_);
    return load<V>(row(hand, action));
  }
  [[gnu::always_inline]] void put(int hand, int action, const V& v) {
    Element* to = row(hand, action);
    if (lanes_ == W) return store(to, v);
    alignas(64) Element all[W];
    store(all, v);
    store_lanes<Element, W>(to, all, lanes_);
  }
  void finish(int) {}

 private:
  [[gnu::always_inline]] Element* row(int hand, int action) const { return at_ + (hand * actions_ + action) * lanes_; }

  Element* at_;
  int lanes_;
  ActionCount<Actions> actions_;
};

// The exponent of the scale, given the bits of the largest value: 15 less than its own, so that it becomes 32768 to
// 65535.
template <class Bits>
[[gnu::always_inline]] inline Bits scale_exponent(Bits largest) {
  const Bits exponent = largest >> 23;
  return (exponent > 30 ? exponent : Bits{} + 30) - 15;
}

template <int W, int Actions>
class Tile<std::uint16_t, W, Actions> {
 public:
  using V = Vector<float, W>;

  Tile(LaneView<std::uint16_t> view, std::size_t first, std::size_t first_scale, int lanes, int actions)
      : at_(view.values + first),
        scales_(view.scales + first_scale),
        lanes_(lanes),
        actions_(actions),
        scale_(load<V>(scales_)) {}

  [[gnu::always_inline]] V get(int hand, int action) const {
    const std::uint16_t* row = at_ + (hand * actions_ + action) * lanes_;
    prefetch_next_tile(row, actions_ * lanes_);
    V v;
    for (int i = 0; i < V::kParts; ++i) {
      const Codes codes = *reinterpret_cast<const UnalignedCodes*>(row + i * V::kNative);
      v.part[i] = __builtin_convertvector(__builtin_convertvector(codes, Integers), typename V::Native);
    }
    return v * scale_;
  }
  [[gnu::always_inline]] void put(int hand, int action, const V& v) {
    changed_[hand * actions_ + action] = v;
    largest_ = maximum(largest_, v);
  }
  // Writes what was put: all actions of the tile's hands.
  void finish(int hands) {
    const int rows = hands * actions_;
    V inverse;
    for (int i = 0; i < V::kParts; ++i) {
      const Integers exponent = scale_exponent(std::bit_cast<Integers>(largest_.part[i]));
      scale_.part[i] = std::bit_cast<typename V::Native>(exponent << 23);
      inverse.part[i] = std::bit_cast<typename V::Native>((254 - exponent) << 23);
    }
    alignas(64) float scales[W];
    store(scales, scale_);
    store_lanes<float, W>(scales_, scales, lanes_);
    // Whole vectors in order: the next vector overwrites what this one writes beyond its lanes. Only the last ones must
    // stop at the end.
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
      const auto limit = typename V::Native{} + 65535.0f;
      const auto rounded = v.part[i] + 0.5f;
      const Integers whole = __builtin_convertvector(rounded < limit ? rounded : limit, Integers);
      *reinterpret_cast<UnalignedCodes*>(to + i * V::kNative) = __builtin_convertvector(whole, Codes);
    }
  }

  std::uint16_t* at_;
  float* scales_;
  int lanes_;
  ActionCount<Actions> actions_;
  V scale_;
  V largest_ = V::all(0);
  V changed_[kTile * ActionCount<Actions>::kRoom];
};

// The same for a block of one lane, where a vector holds W hands: once unpacked, the values lie action by action.
template <class Element, int W, int Actions>
class HandTile {
 public:
  using Real = RealOf<Element>;
  using V = Vector<Real, W>;

  HandTile(LaneView<Element> view, std::size_t first, std::size_t first_scale, int hands, int actions)
      : at_(view.values + first), actions_(actions) {
    if constexpr (kScaled) scale_ = view.scales + first_scale;
    const Real scale = kScaled ? *scale_ : Real(1);
    for (int i = 0; i < kTile * actions_; i += 64 / sizeof(Element)) prefetch_next_tile(at_ + i, actions_);
    for (int h = 0; h < hands; ++h)
      for (int a = 0; a < actions_; ++a) {
        const Element value = at_[h * actions_ + a];
        unpacked_[a][h] = kScaled ? Real(int(value)) * scale : Real(value);
      }
    // Idle hands of the last vector: clearing the whole tile took a fifth of a pass.
    for (int h = hands; h % W; ++h)
      for (int a = 0; a < actions_; ++a) unpacked_[a][h] = 0;
  }

  [[gnu::always_inline]] V get(int i, int action) const { return load<V>(&unpacked_[action][i * W]); }
  [[gnu::always_inline]] void put(int i, int action, const V& v) { store(&unpacked_[action][i * W], v); }
  // Writes what was put: all actions of the tile's hands.
  void finish(int hands) {
    Real inverse = 1;
    if constexpr (kScaled) {
      Real largest = 0;
      for (int a = 0; a < actions_; ++a)
        for (int h = 0; h < hands; ++h) largest = largest > unpacked_[a][h] ? largest : unpacked_[a][h];
      const std::int32_t exponent = scale_exponent(std::bit_cast<std::int32_t>(largest));
      *scale_ = std::bit_cast<float>(exponent << 23);
      inverse = std::bit_cast<float>((254 - exponent) << 23);
    }
    for (int h = 0; h < hands; ++h)
      for (int a = 0; a < actions_; ++a) {
        if constexpr (kScaled) {
          const Real rounded = unpacked_[a][h] * inverse + Real(0.5);
          at_[h * actions_ + a] = Element(int(rounded < 65535 ? rounded : Real(65535)));
        } else {
          at_[h * actions_ + a] = unpacked_[a][h];
        }
      }
  }

 private:
  static constexpr bool kScaled = std::is_same_v<Element, std::uint16_t>;

  Element* at_;
  ActionCount<Actions> actions_;
  float* scale_ = nullptr;
  alignas(64) Real unpacked_[ActionCount<Actions>::kRoom][kTile];
};

}  // namespace errai
