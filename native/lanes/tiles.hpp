// How the values of a node are stored, one tile of hands at a time.
//
// Either as they are (float, double) or as 16 bits with a scale (packed.hpp): on a tile of kTile hands every lane has
// its own scale, such that the largest value of the lane takes all bits. `read` returns values in units of
// the scale, which is all that a strategy needs; `scaled` puts the scale into a factor, once per tile. `write` takes
// values as they are, and `finish` rounds them when the largest is known.
//
// A row is one hand and action: `lanes` values, read as a vector of W >= lanes. What lies beyond belongs to other rows
// and is never written. Arrays therefore end with kSpare unused values.
#pragma once

#include <algorithm>
#include <bit>
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

template <class Code, class V>
[[gnu::always_inline]] inline V magnitude_of(const V& v) {
  return std::is_signed_v<Code> ? magnitude(v) : v;
}

// Prefetches what the next tile of the node will read in place of `at`, with `values_per_hand` values per hand. A tile
// is too short for the processor's own prefetcher, and the values of a turn come from memory: without this an iteration
// takes a sixth longer.
template <class Element>
[[gnu::always_inline]] inline void prefetch_next_tile(const Element* at, int values_per_hand) {
  __builtin_prefetch(at + kTile * values_per_hand);
}

// Rows that a line of the cache holds at least: one of them is prefetched.
template <class Element, int W>
constexpr int kRowsPerLine = W * sizeof(Element) < 64 ? 64 / (W * sizeof(Element)) : 1;

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

  [[gnu::always_inline]] void read(int hand, V* values) const {
    for (int a = 0; a < actions_; ++a) {
      if (a % kRowsPerLine<Element, W> == 0) prefetch_next_tile(row(hand, a), actions_ * lanes_);
      values[a] = load<V>(row(hand, a));
    }
  }
  [[gnu::always_inline]] void write(int hand, const V* values) {
    for (int a = 0; a < actions_; ++a) {
      if (lanes_ == W) {
        store(row(hand, a), values[a]);
      } else {
        alignas(64) Element all[W];
        store(all, values[a]);
        store_lanes<Element, W>(row(hand, a), all, lanes_);
      }
    }
  }
  [[gnu::always_inline]] V scaled(const V& factor) const { return factor; }
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

  [[gnu::always_inline]] void read(int hand, V* values) const {
    for (int a = 0; a < actions_; ++a) {
      const Code* const row = at_ + (hand * actions_ + a) * lanes_;
      if (a % kRowsPerLine<Code, W> == 0) prefetch_next_tile(row, actions_ * lanes_);
      for (int i = 0; i < V::kParts; ++i) values[a].part[i] = Part::read(row + i * V::kNative);
    }
  }
  [[gnu::always_inline]] V scaled(const V& factor) const { return factor * scale_; }
  [[gnu::always_inline]] void write(int hand, const V* values) {
    for (int a = 0; a < actions_; ++a) {
      changed_[hand * actions_ + a] = values[a];
      largest_ = maximum(largest_, magnitude_of<Code>(values[a]));
    }
  }
  void finish(int hands) {
    const int rows = hands * actions_;
    V rounder;
    for (int i = 0; i < V::kParts; ++i) {
      const Integers exponent = scale_exponent<Code>(std::bit_cast<Integers>(largest_.part[i]));
      scale_.part[i] = std::bit_cast<typename V::Native>(exponent << 23);
      rounder.part[i] = Part::rounder(exponent);
    }
    alignas(64) float scales[W];
    store(scales, scale_);
    store_lanes<float, W>(scales_, scales, lanes_);
    // Whole vectors in order: the next vector overwrites what this one writes beyond its lanes. Only the last ones must
    // stop at the end.
    int row = 0;
    if constexpr (V::kParts == 1)
      if (lanes_ == W)
        for (; row + 2 <= rows; row += 2)
          Part::write_two(at_ + row * W, {changed_[row].part[0], changed_[row + 1].part[0]},
                          {rounder.part[0], rounder.part[0]});
    for (; row * lanes_ + W <= rows * lanes_; ++row) write_codes(at_ + row * lanes_, changed_[row], rounder);
    for (; row < rows; ++row) {
      alignas(64) Code all[W];
      write_codes(all, changed_[row], rounder);
      store_lanes<Code, W>(at_ + row * lanes_, all, lanes_);
    }
  }

 private:
  using Part = Packed<Code, V::kNative>;
  using Integers = typename Part::Integers;

  [[gnu::always_inline]] static void write_codes(Code* to, const V& v, const V& rounder) {
    if constexpr (V::kParts == 1)
      Part::write(to, v.part[0], rounder.part[0]);
    else
      for (int i = 0; i < V::kParts; i += 2)
        Part::write_two(to + i * V::kNative, {v.part[i], v.part[i + 1]}, {rounder.part[i], rounder.part[i + 1]});
  }

  Code* at_;
  float* scales_;
  int lanes_;
  ActionCount<Actions> actions_;
  V scale_;
  V largest_ = V::all(0);
  V changed_[kTile * ActionCount<Actions>::kRoom];
};

// The same for a block of one lane, where a vector holds W hands.
template <class Element, int W, int Actions>
class HandTile {
 public:
  using Real = RealOf<Element>;
  using V = Vector<Real, W>;

  HandTile(LaneView<Element> view, std::size_t first, std::size_t first_scale, int hands, int actions)
      : at_(view.values + first), hands_(hands), actions_(actions) {
    if constexpr (kIsScaled<Element>) scale_ = view.scales + first_scale;
    for (int i = 0; i < kTile * actions_; i += 64 / sizeof(Element)) prefetch_next_tile(at_ + i, actions_);
  }

  [[gnu::always_inline]] void read(int i, V* values) const {
    const Element* const from = at_ + i * W * actions_;
    const int filled = std::min(W, hands_ - i * W);
    if constexpr (kShuffles) {
      if (filled == W) return read_hands(from, values);
      Element some[kMostCopied] = {};  // idle hands are zero
      store_lanes<Element, kMostCopied>(some, from, filled * Actions);
      return read_hands(some, values);
    }
    alignas(64) Real all[ActionCount<Actions>::kRoom][W] = {};
    for (int h = 0; h < filled; ++h)
      for (int a = 0; a < actions_; ++a) all[a][h] = Memory::read_one(from[h * actions_ + a]);
    for (int a = 0; a < actions_; ++a) values[a] = load<V>(all[a]);
  }
  [[gnu::always_inline]] V scaled(const V& factor) const {
    if constexpr (kIsScaled<Element>) return factor * *scale_;
    return factor;
  }
  [[gnu::always_inline]] void write(int i, const V* values) {
    if constexpr (!kIsScaled<Element>) return pack(i, values, Row{});
    for (int a = 0; a < actions_; ++a) {
      const V v = (i + 1) * W <= hands_ ? values[a] : first_values(values[a], hands_ - i * W);
      changed_[i * ActionCount<Actions>::kRoom + a] = v;
      largest_ = maximum(largest_, magnitude_of<Element>(v));
    }
  }
  void finish(int) {
    if constexpr (kIsScaled<Element>) {
      using Integers = typename Memory::Integers;
      const Integers exponent = scale_exponent<Element>(std::bit_cast<Integers>(largest_of(largest_)));
      *scale_ = std::bit_cast<Row>(exponent << 23)[0];
      const Row rounder = Memory::rounder(exponent);
      for (int i = 0; i * W < hands_; ++i) pack(i, changed_ + i * ActionCount<Actions>::kRoom, rounder);
    }
  }

 private:
  static constexpr int N = V::kNative;
  // Whole vectors are packed and unpacked in registers: value by value it took a sixth of a pass.
  static constexpr bool kShuffles = Actions != kAnyActions && Actions <= 3;
  static constexpr int kMostCopied = std::bit_ceil(unsigned(W * Actions));  // of the actions of a vector's hands
  using Memory = Packed<Element, N>;
  using Row = typename V::Native;

  [[gnu::always_inline]] static void read_hands(const Element* from, V* values) {
    for (int part = 0; part < V::kParts; ++part) {
      Row rows[Actions];
      Memory::read_hands(from + part * N * Actions, rows);
      for (int a = 0; a < Actions; ++a) values[a].part[part] = rows[a];
    }
  }
  [[gnu::always_inline]] static void write_hands(Element* to, const V* values, Row rounder) {
    for (int part = 0; part < V::kParts; ++part) {
      Row rows[Actions];
      for (int a = 0; a < Actions; ++a) rows[a] = values[a].part[part];
      Memory::write_hands(to + part * N * Actions, rows, rounder);
    }
  }

  [[gnu::always_inline]] void pack(int i, const V* values, Row rounder) const {
    Element* const to = at_ + i * W * actions_;
    const int filled = std::min(W, hands_ - i * W);
    if constexpr (kShuffles) {
      if (filled == W) return write_hands(to, values, rounder);
      Element some[kMostCopied];
      write_hands(some, values, rounder);
      return store_lanes<Element, kMostCopied>(to, some, filled * Actions);
    }
    for (int a = 0; a < actions_; ++a)
      for (int h = 0; h < filled; ++h) to[h * actions_ + a] = Memory::to_one(values[a].get(h), rounder[0]);
  }

  Element* at_;
  float* scale_ = nullptr;
  int hands_;
  ActionCount<Actions> actions_;
  V largest_ = V::all(0);
  V changed_[kIsScaled<Element> ? kTile / W * ActionCount<Actions>::kRoom : 1];
};

}  // namespace errai
