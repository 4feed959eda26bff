// Values that belong to buckets of hands: all hands of a bucket share one row.
//
// A pass reads the row of a hand's bucket in place of the hand's own. What it adds is summed by *rows*, the buckets
// that occur on the board in hand, numbered from 0; the source (bucket_source.hpp) adds the sums to the buckets when
// the block is done, so that all hands of a pass see the same strategy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lanes/tiles.hpp"

namespace errai {

template <class Real>
struct Bucketed {};

template <class T>
struct Arithmetic<Bucketed<T>> {
  using Real = T;
};

template <class Element>
constexpr bool kIsBucketed = false;
template <class Real>
constexpr bool kIsBucketed<Bucketed<Real>> = true;

// The rows of buckets are anywhere in memory: they are prefetched so many hands ahead. Lists of buckets are that much
// longer than their hands.
constexpr int kBucketsAhead = 6;

// The values of a block, and the hands of a board.
template <class Real>
struct LaneView<Bucketed<Real>> {
  Real* values = nullptr;                // [node][bucket][action][lane]
  Real* sums = nullptr;                  // [node][row][action][width of the block]
  const std::int32_t* bucket = nullptr;  // of each hand
  const std::int32_t* row = nullptr;
  const Real* weight = nullptr;  // deals that each hand stands for
  std::size_t num_buckets = 0;
  std::size_t num_rows = 0;
  explicit operator bool() const { return values != nullptr || sums != nullptr; }
};

template <class Real>
Real* offset(Real* array, std::size_t count) {
  return array ? array + count : nullptr;
}

template <class Real, int W, int Actions>
class Tile<Bucketed<Real>, W, Actions> {
 public:
  using V = Vector<Real, W>;

  Tile(const LaneView<Bucketed<Real>>& view, int first_action, int begin, int lanes, int actions)
      : values_(offset(view.values, lanes * view.num_buckets * first_action)),
        sums_(offset(view.sums, W * view.num_rows * first_action)),
        bucket_(view.bucket + begin),
        row_(view.row + begin),
        weight_(view.weight + begin),
        lanes_(lanes),
        actions_(actions) {}

  [[gnu::always_inline]] void read(int hand, V* values) const {
    for (int a = 0; a < actions_; ++a) {
      __builtin_prefetch(value_row(hand + kBucketsAhead, a));
      values[a] = load<V>(value_row(hand, a));
    }
  }
  [[gnu::always_inline]] void write(int hand, const V* values) {
    for (int a = 0; a < actions_; ++a) {
      alignas(64) Real all[W];
      store(all, values[a]);
      store_lanes<Real, W>(value_row(hand, a), all, lanes_);
    }
  }
  [[gnu::always_inline]] void add(int hand, int action, const V& v) {
    Real* const to = sums_ + (std::size_t(row_[hand]) * actions_ + action) * W;
    store(to, load<V>(to) + v * weight_[hand]);
  }
  void finish(int) {}

 private:
  [[gnu::always_inline]] Real* value_row(int hand, int action) const {
    return values_ + (std::size_t(bucket_[hand]) * actions_ + action) * lanes_;
  }

  Real* values_;
  Real* sums_;
  const std::int32_t* bucket_;
  const std::int32_t* row_;
  const Real* weight_;
  int lanes_;
  ActionCount<Actions> actions_;
};

// The same for a block of one lane, where a vector holds W hands.
template <class Real, int W, int Actions>
class HandTile<Bucketed<Real>, W, Actions> {
 public:
  using V = Vector<Real, W>;

  HandTile(const LaneView<Bucketed<Real>>& view, int first_action, int begin, int hands, int actions)
      : values_(offset(view.values, view.num_buckets * first_action)),
        sums_(offset(view.sums, view.num_rows * first_action)),
        bucket_(view.bucket + begin),
        row_(view.row + begin),
        weight_(view.weight + begin),
        actions_(actions) {
    if (!values_) return;
    for (int h = 0; h < hands; ++h)
      for (int a = 0; a < actions_; ++a) unpacked_[a][h] = values_[std::size_t(bucket_[h]) * actions_ + a];
  }

  [[gnu::always_inline]] void read(int i, V* values) const {
    for (int a = 0; a < actions_; ++a) values[a] = load<V>(&unpacked_[a][i * W]);
  }
  [[gnu::always_inline]] void write(int i, const V* values) {
    for (int a = 0; a < actions_; ++a) store(&changed_[a][i * W], values[a]);
    is_written_ = true;
  }
  [[gnu::always_inline]] void add(int i, int action, const V& v) { store(&changed_[action][i * W], v); }
  // Writes what was written, or adds what was added: all actions of the tile's hands.
  void finish(int hands) {
    for (int h = 0; h < hands; ++h)
      for (int a = 0; a < actions_; ++a) {
        if (is_written_)
          values_[std::size_t(bucket_[h]) * actions_ + a] = changed_[a][h];
        else
          sums_[std::size_t(row_[h]) * actions_ + a] += changed_[a][h] * weight_[h];
      }
  }

 private:
  Real* values_;
  Real* sums_;
  const std::int32_t* bucket_;
  const std::int32_t* row_;
  const Real* weight_;
  ActionCount<Actions> actions_;
  bool is_written_ = false;
  alignas(64) Real unpacked_[ActionCount<Actions>::kRoom][kTile] = {};
  alignas(64) Real changed_[ActionCount<Actions>::kRoom][kTile] = {};
};

}  // namespace errai
