// The public tree of the lane engine, and where its values live.
//
// The betting of a round, from one of the sequences that reach it, is a small tree. Sequences whose trees have the same
// *shape* (who acts, where a fold is allowed, where a call ends the round, how many raises there are) are *lanes* of
// that shape, whatever the chips, and the arithmetic runs vertically across lanes. In limit games all sequences that
// reach a round have one shape. Hands are the classes of hole cards under the suit symmetry of the board, listed for
// each player.
//
// Layout.  For player p with `hands` hands on board b, the lanes of each shape are cut into blocks of at most 16. A
// block of n lanes is computed in vectors of a width W >= n (a block of a single lane in vectors of hands):
//
//     array_p[ base_p(b) + hands * block.values_before_p + hands * n * node.first_action
//              + (hand * node.num_actions + action) * n + lane ]
//
// where `values_before_p` counts lanes x actions of the blocks before it. The scales of 16-bit values (tiles.hpp), with
// T tiles of hands on the board and the player's nodes of the shape numbered from 0:
//
//     scales_p[ scale_base_p(b) + T * block.nodes_before_p + n * (T * node.ordinal + tile) + lane ]
//
// A pass over one board, for the player whose regrets are updated:
//   forward    the opponent's reach goes down, node by node; where the hand or the round ends it is stored in columns
//   terminals  each column becomes the values of its ending, for all hands at once (terminals.hpp); a round before the
//              last passes the reach of its endings to the boards below and receives their values
//   backward   values come up from the endings; the regrets of the player's own nodes are updated
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lanes/pair_weights.hpp"

namespace errai {

constexpr int kMostActions = 8;

struct BettingNode {
  int player;
  int first_action;  // among this player's actions of the shape
  int num_actions;   // fold, call and raises, in this order
  int ordinal;       // among this player's nodes of the shape
  bool has_fold;
  int call_node;  // -1 where the call ends the round
  int call_end;   // the ending of the round that the call leads to; -1 where the betting continues
  std::vector<int> raise_nodes;
};

// The betting of a round, without its chips.
struct BettingShape {
  std::vector<BettingNode> nodes;           // in depth-first order
  std::vector<std::uint8_t> end_is_all_in;  // before the last round: whether an ending leaves no more betting
  int num_actions[2] = {0, 0};
  int num_nodes[2] = {0, 0};

  int num_ends() const { return int(end_is_all_in.size()); }
};

// Up to 16 lanes of one shape that are computed together. Chips are those of the whole hand.
struct LaneBlock {
  int shape;
  int first_lane;                       // in the rows of the round, [hand][padded lane]
  int width;                            // 16, 8, or 1 for a single lane
  int num_lanes;                        // active lanes; the rest of the width is padding
  std::vector<double> fold_chips;       // [node][width]: what the player who folds there loses
  std::vector<double> won_chips;        // [node][width]: what the other player then wins, after rake
  std::vector<double> end_chips;        // [ending][width]: what each player has put in
  std::vector<double> half_rake;        // [ending][width]: half of the rake of a showdown
  std::vector<std::int32_t> next_lane;  // [ending][width]: in the rows of the next round; -1 where there is none
  std::size_t values_before[2] = {0, 0};
  std::size_t nodes_before[2] = {0, 0};
};

struct Board {
  int num_hands[2];   // of each player
  int first_hand[2];  // in the round's lists of hands
  int first_child;    // in the next round's boards
  int num_children;
  int first_group;  // group of hands of equal strength; before the last round only where the board is drawn to its end
  int num_groups;
  int num_orbits;  // of cards
  std::size_t base[2];
  std::size_t scale_base[2];
};

// The hands that a player can hold, one entry per hand, board after board. Hands outside a player's range are left out.
struct HandList {
  std::vector<std::int32_t> parent_hand;  // its row in the player's list on the board above
  std::vector<std::uint8_t> orbit;        // num_hole per hand: the card orbits of its cards
  std::vector<double> class_weight;       // raw hands in the class
  std::vector<double> orbit_weight;       // num_hole per hand: hands of the class that hold a given card of the orbit
  std::vector<double> up_weight;          // chance: from this board's value to the hand's value on the board above
  std::vector<std::int32_t> group_end;    // end of each group of equal strength, counted from first_hand; the groups of
                                          // a board are those of both players
  std::vector<std::int32_t>
      opponent_hand;  // the same hand in the opponent's list; the length of that where it is missing
};

// A decision of one lane on one board where hands are locked: they act by fixed probabilities, which the player's
// weights hold as well. Neither an update nor a best response changes them.
struct LockedNode {
  int block, node;
  int lane;                             // of the block
  std::vector<std::uint8_t> is_locked;  // [hand of the node's player on the board]
  std::vector<double> probability;      // [hand][action]
  int next = -1;                        // of the same block and board, in `Round::locks`
};

struct Round {
  bool is_last = false;
  int padded_lanes = 0;
  int widest = 0;                      // of the blocks
  bool has_rake = false;               // whether any showdown is raked
  std::size_t num_values[2] = {0, 0};  // per hand: lanes x actions of each player
  std::size_t num_scales[2] = {0, 0};  // per tile of hands: lanes x nodes of each player
  std::vector<BettingShape> shapes;
  std::vector<LaneBlock> blocks;
  std::vector<Board> boards;
  std::shared_ptr<const HandList> hands[2];     // one list for both where every hand is in both ranges
  std::vector<std::uint8_t> board_is_weighted;  // whether any class of the board holds more than one hand
  // Where an ending is all-in, for each player: [board][own hand][opponent's hand], the boards to come on which the
  // hand wins minus those on which it loses, summed over the opponent's raw hands of the class: whole numbers. Empty
  // where no ending of the round is all-in, and where the board is drawn to its end: there the groups of hands settle
  // an all-in call, and the hands after the last group share a card with the rest of the board.
  std::vector<float> all_in_edge[2];
  std::vector<std::size_t> first_edge[2];  // of each board
  double num_final_boards = 1;             // that two hands can see; of a drawn board, what its showdown is divided by
  std::vector<LockedNode> locks;
  std::vector<std::int32_t> first_lock;  // [board][block]: -1 where nothing is locked; empty where nothing is anywhere
  // Where hands are buckets, on the only board of the round: what decides its endings, in one type of the arithmetic.
  std::shared_ptr<const PairWeights<float>> pairs_in_float;
  std::shared_ptr<const PairWeights<double>> pairs_in_double;

  bool has_pairs() const { return pairs_in_float || pairs_in_double; }
  template <class Real>
  const PairWeights<Real>* pairs() const {
    if constexpr (sizeof(Real) == sizeof(float))
      return pairs_in_float.get();
    else
      return pairs_in_double.get();
  }

  bool has_one_list() const { return hands[0] == hands[1]; }
};

struct LaneTree {
  int num_hole = 0;
  std::vector<Round> rounds;
  std::size_t num_values[2] = {0, 0};
  std::size_t num_scales[2] = {0, 0};

  // Padded lanes of the round after `round`; none where it is the last.
  int lanes_after(std::size_t round) const { return round + 1 < rounds.size() ? rounds[round + 1].padded_lanes : 0; }
};

}  // namespace errai
