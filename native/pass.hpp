// What one pass over a public tree does, and where the numbers are that it works on.
#pragma once

#include "lanes.hpp"
#include "tiles.hpp"

namespace errai {

// Where a pass begins: at a node of the betting on one board, in all lanes.
struct Start {
  int round = 0;
  int board = 0;
  int node = 0;
};

// What is done for the player `player`.
struct Pass {
  const LaneTree* tree;
  Mode mode;
  int player;
  LaneStep step;
  int num_threads;
  Start start = {};
};

// The numbers that a pass works on; those that a mode does not use are null.
template <class Element>
struct PassNumbers {
  Numbers<Element> opponent_weights;  // the opponent's strategy, not normalised; nothing positive means uniform
  Numbers<Element> opponent_average;  // sums of reach * strategy, or null
  Numbers<Element> own_regrets;       // update
  Numbers<Element> own_weights;  // update: where a predictive variant puts its next strategy; evaluate: the strategy
};

// One block of lanes on one board.
struct Place {
  int round;
  int board;
  int block;
};

// Where a walker's numbers come from. This source is whole arrays in memory, laid out as lanes.hpp says; another one
// (streamed.hpp) brings every block when it is needed. A block is loaded and then stored, or kept as it is; a round that
// is not the last asks for a loaded block a second time when it comes back to it.
template <class Element>
class Resident {
 public:
  Resident(const LaneTree& tree, int player, const PassNumbers<Element>& arrays)
      : tree_(tree), player_(player), arrays_(arrays) {}

  PassNumbers<Element> load(const Place& place) const { return loaded(place); }
  PassNumbers<Element> loaded(const Place& place) const {
    const Round& round = tree_.rounds[place.round];
    const Board& board = round.boards[place.board];
    const std::size_t first_lane = round.blocks[place.block].first_lane;
    const std::size_t hands = board.num_hands, tiles = (hands + kTile - 1) / kTile;
    const auto at = [&](Numbers<Element> numbers, int player) -> Numbers<Element> {
      if (!numbers) return {};
      return {numbers.values + board.base[player] + hands * round.num_actions[player] * first_lane,
              numbers.scales
                  ? numbers.scales + board.scale_base[player] + tiles * round.num_nodes[player] * first_lane
                  : nullptr};
    };
    return {at(arrays_.opponent_weights, 1 - player_), at(arrays_.opponent_average, 1 - player_),
            at(arrays_.own_regrets, player_), at(arrays_.own_weights, player_)};
  }
  void store(const Place&) const {}
  void keep(const Place&) const {}

 private:
  const LaneTree& tree_;
  int player_;
  PassNumbers<Element> arrays_;
};

}  // namespace errai
