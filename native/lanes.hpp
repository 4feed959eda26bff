// The lane engine: counterfactual regret minimisation over a limit game's public tree.
//
// A round of limit betting has the same shape however the betting went before. So all betting sequences that reach a
// round on one board are *lanes* of one small tree, and the arithmetic runs vertically across lanes. Hands are the
// classes of hole cards under the board's own suit symmetry.
//
// Where a number lives.  For player p, on board b, the lanes are cut into blocks of at most 16, each computed in vectors of
// a width W that holds its n lanes (one lane alone in vectors of hands):
//
//     array_p[ base_p(b) + hands * actions_p * block.first_lane + hands * n * node.first_action
//              + (hand * node.num_actions + action) * n + lane ]
//
// and the scales of 16-bit numbers (tiles.hpp), with T tiles of hands on the board and the player's nodes numbered from 0:
//
//     scales_p[ scale_base_p(b) + T * nodes_p * block.first_lane + n * (T * node.ordinal + tile) + lane ]
//
// A pass over a board for the player whose regrets are updated:
//   forward   the opponent's reach, node by node; where the hand or the round ends it is put into columns
//   terminals each column becomes the values of its ending, all hands at once (terminals.hpp); a round that is not the
//             last hands the reach of its endings to the boards below and takes the values from there
//   backward  values from the endings up; at the player's own nodes the regrets are updated
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
  int call_node;   // -1 where the call ends the round
  int call_end;    // which of the round's endings; -1 where it goes on
  int raise_node;  // -1 where no raise is allowed
  double fold_committed;  // what whoever folds here has put in, beyond what the lane had put in before the round
};

struct LaneBlock {
  int first_lane;
  int width;  // 16, 8, 4, or 1: a lane alone
};

struct Board {
  int num_hands;
  int first_hand;   // in the round's arrays of hands
  int first_child;  // in the next round's boards
  int num_children;
  int first_group;  // of equal strength; only in the last round
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
  std::vector<BettingNode> nodes;
  std::vector<double> end_committed;   // each player, beyond the lane's
  std::vector<double> lane_committed;  // each player at the start of the round, one a padded lane
  std::vector<Board> boards;
  // One entry a hand of a board, boards one after the other:
  std::vector<std::int32_t> parent_hand;  // its row on the board above
  std::vector<std::uint8_t> orbit;        // num_hole of them a hand: the card orbits of its cards
  std::vector<double> class_weight;       // raw hands in the class
  std::vector<double> orbit_weight;       // num_hole of them a hand: hands of the class that hold a given card of the orbit
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

enum class Mode { update, best_response, evaluate };

// The rule of one iteration (see solvers/variants.py) as this engine takes it.
struct LaneStep {
  double discount_positive = 1;
  double discount_negative = 1;
  double regret_weight = 1;
  bool floor = true;
  bool predictive = false;
  double discount_prediction = 1;
  double average_decay = 1;
  double average_weight = 0;
};

}  // namespace errai
