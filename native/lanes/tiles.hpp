// How the values of a node are stored, one tile of hands at a time.
//
// Either as they are (float, double) or as 16 bits with a scale (packed.hpp): on a tile of kTile hands every lane has
// its own scale, such that the largest value of the lane takes all bits.
//
// A row is one hand and action: `lanes` values, read as a vector of W >= lanes. What lies beyond belongs to other rows
// and is never written. Arrays therefore end with kSpare unused values.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lanes/packed.hpp"
#include "lanes/tree.hpp"
#include "vectors.hpp"

namespace errai {

constexpr int kTile = 32;   // hands that pass through all nodes together, so that their vectors stay in L1
constexpr int kSpare = 16;  // the widest vector

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
  operator int() const {
    if (count < 1 || count > kRoom) __builtin_unreachable();
    return count;
  }
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

template <class Code, int W, int Actions>
  requires kIsScaled<Code>
class Tile<Code, W, Actions> {
 public:
  using V = Vector<float, W>;

  Tile(LaneView<Code> view, std::size_t first, std::size_t first_scale, int lanes, int actions)
      : at_(view.values + first),
        scales_(view.scales + first_scale),
        lanes_(lanes),
        actions_(actions),
        scale_(load<V>(scales_)) {}

  [[gnu::always_inline]] V get(int hand, int action) const {
    const Code* row = at_ + (hand * actions_ + action) * lanes_;
    prefetch_next_tile(row, actions_ * lanes_);
    V v;
    for (int i = 0; i < V::kParts; ++i) v.part[i] = Part::read(row + i * V::kNative);
    return v * scale_;
  }
  [[gnu::always_inline]] void put(int hand, int action, const V& v) {
    changed_[hand * actions_ + action] = v;
    largest_ = maximum(largest_, std::is_signed_v<Code> ? maximum(v, -v) : v);
  }
  // Writes what was put: all actions of the tile's hands.
  void finish(int hands) {
    const int rows = hands * actions_;
    V inverse;
    for (int i = 0; i < V::kParts; ++i) {
      const Integers exponent = scale_exponent<Code>(std::bit_cast<Integers>(largest_.part[i]));
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
      alignas(64) Code all[W];
      write_codes(all, changed_[row] * inverse);
      store_lanes<Code, W>(at_ + row * lanes_, all, lanes_);
    }
  }

 private:
  using Part = Packed<Code, V::kNative>;
  using Integers = typename Part::Integers;

  [[gnu::always_inline]] static void write_codes(Code* to, V v) {
    for (int i = 0; i < V::kParts; ++i) Part::write(to + i * V::kNative, v.part[i]);
  }

  Code* at_;
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
    if constexpr (kIsScaled<Element>) scale_ = view.scales + first_scale;
    const Real scale = kIsScaled<Element> ? *scale_ : Real(1);
    for (int i = 0; i < kTile * actions_; i += 64 / sizeof(Element)) prefetch_next_tile(at_ + i, actions_);
    int h = 0;
    if constexpr (kShuffles)
      for (; h + N <= hands; h += N) {
        Row rows[Actions];
        for (int a = 0; a < Actions; ++a) rows[a] = Memory::read(at_ + h * Actions + a * N) * scale;
        deinterleave<N>(rows);
        for (int a = 0; a < Actions; ++a) *reinterpret_cast<Row*>(&unpacked_[a][h]) = rows[a];
      }
    for (; h < hands; ++h)
      for (int a = 0; a < actions_; ++a) unpacked_[a][h] = Memory::read_one(at_[h * actions_ + a]) * scale;
    // Idle hands of the last vector: clearing the whole tile took a fifth of a pass.
    for (; h % W; ++h)
      for (int a = 0; a < actions_; ++a) unpacked_[a][h] = 0;
  }

  [[gnu::always_inline]] V get(int i, int action) const { return load<V>(&unpacked_[action][i * W]); }
  [[gnu::always_inline]] void put(int i, int action, const V& v) { store(&unpacked_[action][i * W], v); }
  // Writes what was put: all actions of the tile's hands.
  void finish(int hands) {
    Real inverse = 1;
    if constexpr (kIsScaled<Element>) {
      Real largest = 0;
      for (int a = 0; a < actions_; ++a)
        for (int h = 0; h < hands; ++h) {
          const Real size = std::is_signed_v<Element> ? std::abs(unpacked_[a][h]) : unpacked_[a][h];
          largest = largest > size ? largest : size;
        }
      const std::int32_t exponent = scale_exponent<Element>(std::bit_cast<std::int32_t>(largest));
      *scale_ = std::bit_cast<float>(exponent << 23);
      inverse = std::bit_cast<float>((254 - exponent) << 23);
    }
    int h = 0;
    if constexpr (kShuffles)
      for (; h + N <= hands; h += N) {
        Row rows[Actions];
        for (int a = 0; a < Actions; ++a) rows[a] = *reinterpret_cast<const Row*>(&unpacked_[a][h]);
        interleave<N>(rows);
        for (int a = 0; a < Actions; ++a) Memory::write(at_ + h * Actions + a * N, rows[a] * inverse);
      }
    for (; h < hands; ++h)
      for (int a = 0; a < actions_; ++a) at_[h * actions_ + a] = Memory::to_one(unpacked_[a][h] * inverse);
  }

 private:
  static constexpr int N = V::kNative;
  // Whole vectors are packed and unpacked in registers: value by value it took a sixth of a pass.
  static constexpr bool kShuffles = Actions != kAnyActions && Actions <= 3;
  using Memory = Packed<Element, N>;
  using Row = typename Memory::Row;

  Element* at_;
  ActionCount<Actions> actions_;
  float* scale_ = nullptr;
  alignas(64) Real unpacked_[ActionCount<Actions>::kRoom][kTile];
};

}  // namespace errai
