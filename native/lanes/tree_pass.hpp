// One pass of the lane engine over a public tree: tree.hpp gives the layout and the order of the steps.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "lanes/block_pass.hpp"
#include "lanes/pass.hpp"
#include "threads.hpp"

namespace errai {

template <class Element, class Source>
class TreePass {
 public:
  using Real = RealOf<Element>;
  struct Scratch;  // what one thread needs for one board of each round

  // Keeps its buffers from pass to pass. The owner of `pass` may change the step in between.
  explicit TreePass(const Pass& pass) : pass_(pass), tree_(*pass.tree) {
    for (int r = 0; r < int(tree_.rounds.size()); ++r)
      rounds_.emplace_back(tree_.rounds[r], pass.player,
                           r == pass.start.round ? pass.start.shape : PassStart::kAllShapes, pass.start.node);
    scratch_ = std::make_unique<Scratch>(*this, pass.start.round);
  }

  // `reach`: the opponent's at the start, [opponent's hand][padded lane]; `value`: the player's, [own hand][padded
  // lane]; `action_values`: those of each action where the player acts at the start, [action][own hand][padded lane].
  void run(const Real* reach, Real* value, Source& source, Real* action_values = nullptr) {
    action_values_ = action_values;
    run_board({pass_.start.round, pass_.start.board, reach, nullptr}, value, *scratch_, source, pass_.num_threads);
  }

  // The same in parts, from a root that is not of the last round: begin, every child of the root, add them in order,
  // end. Several threads can run children, each with its own scratch space. `child_value` is zero at first, and stays
  // so where this iteration does not visit the child.
  void begin(const Real* reach, Source& source) { begin_board({0, 0, reach, nullptr}, *scratch_, source); }
  void run_child(int child, Real* child_value, Scratch& scratch, Source& source) {
    if (!visits({0, 0, nullptr, nullptr}, child)) return keep_board(1, child, source);
    run_board(child_input(0, child, *scratch_), child_value, scratch, source, 1);
  }
  void add_child(int child, const Real* child_value) {
    add_child(0, child, child_value, next_value(), {0, tree_.rounds[1].padded_lanes});
  }
  void end(const Real* reach, Real* value, Source& source, Real* action_values = nullptr) {
    action_values_ = action_values;
    end_board({0, 0, reach, nullptr}, value, *scratch_, source);
  }

  const Real* next_reach() const { return scratch_->at(0).next_reach.data; }  // [hand of the root board][next lane]
  Real* next_value() { return scratch_->at(0).next_value.data; }

  struct Scratch {
    std::vector<Level<Real>> levels;
    int first_round;
    Scratch(const TreePass& pass, int first) : first_round(first) {  // from the round `first` on
      for (std::size_t r = first; r < pass.rounds_.size(); ++r)
        levels.emplace_back(pass.rounds_[r], r + 1 < pass.rounds_.size() ? &pass.rounds_[r + 1] : nullptr);
    }
    Level<Real>& at(int round) { return levels[round - first_round]; }
  };

 private:
  // A board, and the reach on the board above it, where hand h of this board has row parent_hand[h]. The root has its
  // own rows and no `parent_hand`.
  struct BoardInput {
    int round;
    int board;
    const Real* reach_rows;
    const std::int32_t* parent_hand;
  };

  BoardInput child_input(int round, int child, Scratch& scratch) const {
    const Round& next = tree_.rounds[round + 1];
    return {round + 1, child, scratch.at(round).next_reach.data,
            rounds_[round + 1].opponent->parent_hand.data() + next.boards[child].first_hand[1 - pass_.player]};
  }

  void run_board(const BoardInput& board, Real* value, Scratch& scratch, Source& source, int num_threads) {
    if (tree_.rounds[board.round].is_last) return run_last_board(board, value, scratch, source, num_threads);
    begin_board(board, scratch, source);
    run_children(board, scratch, source, num_threads);
    end_board(board, value, scratch, source);
  }

  // The blocks of a last board know nothing of each other, so that threads can share them.
  void run_last_board(const BoardInput& board, Real* value, Scratch& scratch, Source& source, int num_threads) {
    const int num_blocks = int(tree_.rounds[board.round].blocks.size());
    const int count = std::min(num_threads, num_blocks);
    while (int(block_scratch_.size()) + 1 < count)
      block_scratch_.push_back(std::make_unique<Scratch>(*this, board.round));
    for (int thread = 0; thread < count; ++thread) source.for_thread(thread);
    for_each_in_threads(num_blocks, count, [&](int number, int thread) {
      Scratch& own_scratch = thread == 0 ? scratch : *block_scratch_[thread - 1];
      run_last_block(block_input(board, number, own_scratch), value, source.for_thread(thread));
    });
  }

  void run_last_block(const BlockInput<Real>& block, Real* value, Source& source) {
    if (is_outside(block.place)) return write_zero(block, value);
    if (is_dead(block)) {
      source.keep(block.place);
      return write_zero(block, value);
    }
    const PassViews<Element> views = source.load(block.place);
    pass_down(block, views);
    pass_up(block, views, value);
    source.store(block.place);
  }

  // The way down on a board that is not of the last round.
  void begin_board(const BoardInput& board, Scratch& scratch, Source& source) {
    auto& level = scratch.at(board.round);
    const Board& tree_board = tree_.rounds[board.round].boards[board.board];
    const std::size_t next_lanes = tree_.lanes_after(board.round);
    std::fill_n(level.next_reach.data, tree_board.num_hands[1 - pass_.player] * next_lanes, Real(0));
    std::fill_n(level.next_value.data, tree_board.num_hands[pass_.player] * next_lanes, Real(0));
    for_blocks(board, scratch, [&](const BlockInput<Real>& block) {
      if (is_outside(block.place)) return;
      if (is_dead(block)) return source.keep(block.place);
      pass_down(block, source.load(block.place));
    });
  }

  // The way up.
  void end_board(const BoardInput& board, Real* value, Scratch& scratch, Source& source) {
    for_blocks(board, scratch, [&](const BlockInput<Real>& block) {
      if (is_outside(block.place) || is_dead(block)) return write_zero(block, value);
      pass_up(block, source.loaded(block.place), value);
      source.store(block.place);
    });
  }

  // Whether a block is of another shape than the one that the pass begins at.
  bool is_outside(const Place& place) const {
    return place.round == pass_.start.round && pass_.start.shape != PassStart::kAllShapes &&
           tree_.rounds[place.round].blocks[place.block].shape != pass_.start.shape;
  }

  template <class Act>
  void for_blocks(const BoardInput& board, Scratch& scratch, Act&& act) {
    const int num_blocks = int(tree_.rounds[board.round].blocks.size());
    for (int block = 0; block < num_blocks; ++block) act(block_input(board, block, scratch));
  }

  BlockInput<Real> block_input(const BoardInput& board, int block, Scratch& scratch) {
    return {pass_,
            rounds_[board.round],
            {board.round, board.board, block},
            board.reach_rows,
            board.parent_hand,
            scratch.at(board.round),
            board.round == pass_.start.round ? action_values_ : nullptr};
  }

  void run_children(const BoardInput& input, Scratch& scratch, Source& source, int num_threads) {
    const int r = input.round;
    const Board& board = tree_.rounds[r].boards[input.board];
    auto& level = scratch.at(r);
    const LaneRange all_lanes{0, tree_.rounds[r + 1].padded_lanes};
    if constexpr (Source::kSharesRows)
      if (num_threads <= 1 && tree_.rounds[r + 1].is_last) return run_last_children(input, scratch, source);
    if (num_threads <= 1 || board.num_children <= 1) {
      for (int i = 0; i < board.num_children; ++i) {
        const int child = board.first_child + i;
        if (!visits(input, i)) {
          keep_board(r + 1, child, source);
          continue;
        }
        run_board(child_input(r, child, scratch), level.child_value.data, scratch, source, num_threads);
        add_child(r, child, level.child_value.data, level.next_value.data, all_lanes);
      }
      return;
    }
    // Threads take children as they become free; the values are added in the order of the children, so that any number
    // of threads gives the same bits.
    const std::size_t size = std::size_t(rounds_[r + 1].most_own) * tree_.rounds[r + 1].padded_lanes;
    while (int(child_values_.size()) < board.num_children) child_values_.emplace_back(size);
    const int count = std::min(num_threads, board.num_children);
    while (int(thread_scratch_.size()) < count) thread_scratch_.push_back(std::make_unique<Scratch>(*this, r + 1));
    for_each_in_threads(board.num_children, count, [&](int i, int thread) {
      if (!visits(input, i)) return keep_board(r + 1, board.first_child + i, source);
      run_board(child_input(r, board.first_child + i, scratch), child_values_[i].data, *thread_scratch_[thread], source,
                1);
    });
    for (int i = 0; i < board.num_children; ++i)
      if (visits(input, i))
        add_child(r, board.first_child + i, child_values_[i].data, level.next_value.data, all_lanes);
  }

  // Whether this iteration visits a child of a board.
  bool visits(const BoardInput& input, int child) const {
    return !tree_.rounds[input.round + 1].is_last || pass_.step.last_boards.visits(input.board, child);
  }

  void keep_board(int round, int board, Source& source) const {
    for (int block = 0; block < int(tree_.rounds[round].blocks.size()); ++block) source.keep({round, board, block});
  }

  // The last boards below a board, block by block: where boards share rows, those of a block stay in the cache from one
  // board to the next. Every lane adds its boards in the same order as it does board by board.
  void run_last_children(const BoardInput& input, Scratch& scratch, Source& source) {
    const int r = input.round;
    const Board& board = tree_.rounds[r].boards[input.board];
    auto& level = scratch.at(r);
    const auto& blocks = tree_.rounds[r + 1].blocks;
    for (int number = 0; number < int(blocks.size()); ++number) {
      const LaneRange lanes{blocks[number].first_lane, blocks[number].first_lane + blocks[number].width};
      for (int i = 0; i < board.num_children; ++i) {
        if (!visits(input, i)) continue;
        const int child = board.first_child + i;
        run_last_block(block_input(child_input(r, child, scratch), number, scratch), level.child_value.data, source);
        add_child(r, child, level.child_value.data, level.next_value.data, lanes);
      }
    }
  }

  struct LaneRange {
    int begin, end;
  };

  void add_child(int r, int child, const Real* child_value, Real* next_value, LaneRange added) const {
    const Round& next = tree_.rounds[r + 1];
    const Board& board = next.boards[child];
    const std::size_t lanes = next.padded_lanes;
    const std::size_t first_hand = board.first_hand[pass_.player];
    const Real times = Real(next.is_last ? pass_.step.last_boards.one_in : 1);
    for (int h = 0; h < board.num_hands[pass_.player]; ++h) {
      const Real weight = rounds_[r + 1].up_weight[first_hand + h] * times;
      Real* to = next_value + rounds_[r + 1].own->parent_hand[first_hand + h] * lanes;
      const Real* from = child_value + h * lanes;
      for (int l = added.begin; l < added.end; ++l) to[l] += weight * from[l];
    }
  }

  const Pass& pass_;
  const LaneTree& tree_;
  Real* action_values_ = nullptr;
  std::vector<RoundTables<Real>> rounds_;
  std::unique_ptr<Scratch> scratch_;
  std::vector<std::unique_ptr<Scratch>> thread_scratch_;  // for the boards below the one where the threads split
  std::vector<std::unique_ptr<Scratch>> block_scratch_;   // for the blocks of a last board, beside the first thread's
  std::vector<Aligned<Real>> child_values_;
};

}  // namespace errai
