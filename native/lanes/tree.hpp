// The public tree of the lane engine, and where its values live.
//
// A round of betting has the same shape in every betting sequence that reaches it. All sequences that reach a round on
// one board are therefore *lanes* of one small tree, and the arithmetic runs vertically across lanes. Hands are the
// classes of hole cards under the suit symmetry of the board.
//
// Layout.  For player p on board b, the lanes are cut into blocks of at most 16. A block of n lanes is computed in
// vectors of a width W >= n (a block of a single lane in vectors of hands):
//
//     array_p[ base_p(b) + hands * actions_p * block.first_lane + hands * n * node.first_action
//              + (hand * node.num_actions + action) * n + lane ]
//
// The scales of 16-bit values (tiles.hpp), with T tiles of hands on the board and the player's nodes numbered from 0:
//
//     scales_p[ scale_base_p(b) + T * nodes_p * block.first_lane + n * (T * node.ordinal + tile) + lane ]
//
// A pass over one board, for the player whose regrets are updated:
//   forward    the opponent's reach goes down, node by node; where the hand or the round ends it is stored in columns
//   terminals  each column becomes the values of its ending, for all hands at once (terminals.hpp); a round before the
//              last passes the reach of its endings to the boards below and receives their values
//   backward   values come up from the endings; the regrets of the player's own nodes are updated
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace errai {

struct BettingNode {
  int player;
  int first_action;  // among this player's actions of the round
  int num_actions;
  int ordinal;  // among this player's nodes of the round
  bool has_fold;
  int call_node;          // -1 where the call ends the round
  int call_end;           // the ending of the round that the call leads to; -1 where the betting continues
  int raise_node;         // -1 where no raise is allowed
  double fold_committed;  // chips that the player who folds here has put in, beyond those of the lane
};

struct LaneBlock {
  int first_lane;
  int width;  // 16, 8, 4, or 1 for a single lane
};

struct Board {
  int num_hands;
  int first_hand;   // in the round's arrays of hands
  int first_child;  // in the next round's boards
  int num_children;
  int first_group;  // group of hands of equal strength; only in the last round
  int num_groups;
  int num_orbits;  // of cards
  std::size_t base[2];
  std::size_t scale_base[2];
};

struct Round {
  bool is_last = false;
  int num_lanes = 0;
  int padded_lanes = 0;
  int num_ends = 0;
  int num_actions[2] = {0, 0};  // of each player in this round
  int num_nodes[2] = {0, 0};
  std::vector<LaneBlock> blocks;
  std::vector<BettingNode> nodes;      // in depth-first order
  std::vector<double> end_committed;   // chips of each player, beyond those of the lane
  std::vector<double> lane_committed;  // chips of each player at the start of the round, one entry per padded lane
  std::vector<Board> boards;
  // One entry per hand of a board, board after board:
  std::vector<std::int32_t> parent_hand;  // its row on the board above
  std::vector<std::uint8_t> orbit;        // num_hole per hand: the card orbits of its cards
  std::vector<double> class_weight;       // raw hands in the class
  std::vector<double> orbit_weight;       // num_hole per hand: hands of the class that hold a given card of the orbit
  std::vector<double> up_weight;          // chance: from this board's value to the hand's value on the board above
  std::vector<std::int32_t> group_end;    // last round: end of each group of equal strength, counted from first_hand
  std::vector<std::uint8_t> board_is_weighted;  // whether any class of the board holds more than one hand
};

struct LaneTree {
  int num_hole = 0;
  std::vector<Round> rounds;
  std::size_t num_values[2] = {0, 0};
  std::size_t num_scales[2] = {0, 0};
};

}  // namespace errai
