// One pass of the lane engine over a public tree: lanes.hpp gives the layout and the order of the steps.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "block_walk.hpp"
#include "pass.hpp"

namespace errai {

template <class Element, class Source>
class Walker {
 public:
  using Real = RealOf<Element>;
  struct Scratch;  // what one thread needs for one board of each round

  // The walker keeps its buffers from pass to pass; whoever owns `pass` may change the step in between.
  explicit Walker(const Pass& pass) : pass_(pass), tree_(*pass.tree) {
    for (int r = 0; r < int(tree_.rounds.size()); ++r)
      rounds_.emplace_back(tree_.rounds[r], pass.player, r == pass.start.round ? pass.start.node : 0);
    scratch_ = std::make_unique<Scratch>(*this, pass.start.round);
  }

  // `reach`: the opponent's at the start, [hand of its board][padded lane]; `value`: ours there, in the same shape.
  void run(const Real* reach, Real* value, Source& source) {
    walk(pass_.start.round, pass_.start.board, reach, nullptr, value, *scratch_, source, pass_.num_threads);
  }

  // The same in parts, from a root that is not of the last round: begin, every child of the root, add them in order, end.
  // Children can be walked by several threads, each with a scratch of its own.
  void begin(const Real* reach, Source& source) { begin_board(0, 0, reach, nullptr, *scratch_, source); }
  void walk_child(int child, Real* child_value, Scratch& scratch, Source& source) {
    const Round& next = tree_.rounds[1];
    walk(1, child, scratch_->at(0).next_reach.data, &next.parent_hand[next.boards[child].first_hand], child_value,
         scratch, source, 1);
  }
  void add_child(int child, const Real* child_value) { add_child(0, child, child_value, next_value()); }
  void end(const Real* reach, Real* value, Source& source) {
    end_board(0, 0, reach, nullptr, value, *scratch_, source);
  }

  const Real* next_reach() const { return scratch_->at(0).next_reach.data; }  // [hand of the root board][next lane]
  Real* next_value() { return scratch_->at(0).next_value.data; }

  struct Scratch {
    std::vector<Level<Real>> levels;
    int first_round;
    Scratch(const Walker& walker, int first) : first_round(first) {  // from the round `first` on
      for (std::size_t r = first; r < walker.rounds_.size(); ++r)
        levels.emplace_back(walker.rounds_[r], r + 1 < walker.rounds_.size() ? &walker.rounds_[r + 1] : nullptr);
    }
    Level<Real>& at(int round) { return levels[round - first_round]; }
  };

 private:
  // `rows`: the reach on the board above, whose row of hand h is parent_hand[h]; at the root its own rows.
  void walk(int r, int b, const Real* rows, const std::int32_t* parent_hand, Real* value, Scratch& scratch,
            Source& source, int num_threads) {
    if (tree_.rounds[r].is_last) {
      for_blocks(r, b, rows, parent_hand, scratch.at(r), [&](const Place& place, auto& walk) {
        if (walk.is_dead()) {
          source.keep(place);
          return walk.write_zero(value);
        }
        walk.numbers = source.load(place);
        walk.forward();
        walk.terminals();
        walk.backward(value);
        source.store(place);
      });
      return;
    }
    begin_board(r, b, rows, parent_hand, scratch, source);
    walk_children(r, b, scratch, source, num_threads);
    end_board(r, b, rows, parent_hand, value, scratch, source);
  }

  // The way down on a board that is not of the last round.
  void begin_board(int r, int b, const Real* rows, const std::int32_t* parent_hand, Scratch& scratch, Source& source) {
    auto& level = scratch.at(r);
    const std::size_t size = std::size_t(tree_.rounds[r].boards[b].num_hands) * tree_.rounds[r + 1].padded_lanes;
    std::fill_n(level.next_reach.data, size, Real(0));
    std::fill_n(level.next_value.data, size, Real(0));
    for_blocks(r, b, rows, parent_hand, level, [&](const Place& place, auto& walk) {
      if (walk.is_dead()) return source.keep(place);
      walk.numbers = source.load(place);
      walk.forward();
      walk.terminals();
    });
  }

  // The way up on it.
  void end_board(int r, int b, const Real* rows, const std::int32_t* parent_hand, Real* value, Scratch& scratch,
                 Source& source) {
    for_blocks(r, b, rows, parent_hand, scratch.at(r), [&](const Place& place, auto& walk) {
      if (walk.is_dead()) return walk.write_zero(value);
      walk.numbers = source.loaded(place);
      walk.backward(value);
      source.store(place);
    });
  }

  template <class Do>
  void for_blocks(int r, int b, const Real* rows, const std::int32_t* parent_hand, Level<Real>& level,
                  Do&& act) {
    const auto& blocks = tree_.rounds[r].blocks;
    for (int k = 0; k < int(blocks.size()); ++k)
      with_width(blocks[k].width, [&](auto w) {
        const Place place{r, b, k};
        BlockWalk<Element, decltype(w)::value> walk(pass_, rounds_[r], place, rows, parent_hand, level);
        act(place, walk);
      });
  }

  void walk_children(int r, int b, Scratch& scratch, Source& source, int num_threads) {
    const Board& board = tree_.rounds[r].boards[b];
    const Round& next = tree_.rounds[r + 1];
    auto& level = scratch.at(r);
    const bool splits = num_threads > 1 && board.num_children > 1;
    const auto walk_child = [&](int child, Real* child_value, Scratch& own) {
      walk(r + 1, child, level.next_reach.data, &next.parent_hand[next.boards[child].first_hand], child_value, own,
           source, splits ? 1 : num_threads);
    };
    if (!splits) {
      for (int child = board.first_child; child < board.first_child + board.num_children; ++child) {
        walk_child(child, level.child_value.data, scratch);
        add_child(r, child, level.child_value.data, level.next_value.data);
      }
      return;
    }
    // Threads take children as they come; the values are added in the children's order, so that any number of threads
    // gives the same bits.
    const std::size_t size = std::size_t(rounds_[r + 1].most_hands) * next.padded_lanes;
    while (int(child_values_.size()) < board.num_children) child_values_.emplace_back(size);
    const int count = std::min(num_threads, board.num_children);
    while (int(thread_scratch_.size()) < count) thread_scratch_.push_back(std::make_unique<Scratch>(*this, r + 1));
    std::atomic<int> taken{0};
    const auto work = [&](int thread) {
      for (int i; (i = taken.fetch_add(1)) < board.num_children;)
        walk_child(board.first_child + i, child_values_[i].data, *thread_scratch_[thread]);
    };
    std::vector<std::thread> threads;
    for (int thread = 1; thread < count; ++thread) threads.emplace_back(work, thread);
    work(0);
    for (std::thread& thread : threads) thread.join();
    for (int i = 0; i < board.num_children; ++i)
      add_child(r, board.first_child + i, child_values_[i].data, level.next_value.data);
  }

  void add_child(int r, int child, const Real* child_value, Real* next_value) const {
    const Round& next = tree_.rounds[r + 1];
    const Board& board = next.boards[child];
    const std::size_t lanes = next.padded_lanes;
    for (int h = 0; h < board.num_hands; ++h) {
      const Real weight = rounds_[r + 1].up_weight[board.first_hand + h];
      Real* to = next_value + next.parent_hand[board.first_hand + h] * lanes;
      const Real* from = child_value + h * lanes;
      for (std::size_t l = 0; l < lanes; ++l) to[l] += weight * from[l];
    }
  }

  template <class Do>
  static void with_width(int width, Do&& act) {
    if (width == 16)
      act(std::integral_constant<int, 16>{});
    else if (width == 8)
      act(std::integral_constant<int, 8>{});
    else if (width == 4)
      act(std::integral_constant<int, 4>{});
    else
      act(std::integral_constant<int, 1>{});
  }

  const Pass& pass_;
  const LaneTree& tree_;
  std::vector<RoundTables<Real>> rounds_;
  std::unique_ptr<Scratch> scratch_;
  std::vector<std::unique_ptr<Scratch>> thread_scratch_;  // for the boards below the one where the threads part
  std::vector<Aligned<Real>> child_values_;
};

}  // namespace errai
