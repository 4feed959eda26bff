// What a best response wins against an opponent who does not look at its cards.
//
// The opponent's hands stay equally likely, so a hand's worth after a betting sequence needs no ranges: at a showdown it
// is the *edge* of the hand (weaker less stronger hands, of those that share no card with it) times the chips. Values
// stand in rows, one a hand, with a column for each way to begin a round of betting that differs in what follows.
//
//   betting program   from the columns at the end of a round to those at its start: a list of decisions, in the order
//                     in which they can be computed. `places` are first the columns at the end, then the decisions.
//   last round        the row of a hand is a function of its edge, so it is looked up in a table
//   earlier rounds    the mean of the rows over all deals, then the betting program
//
// Boards that a relabelling of suits makes of each other are computed once, and so are hands of a board.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "strength.hpp"

namespace errai {

// One decision. Sources are places, -1 where there is no such action.
struct BlindDecision {
  bool is_own;         // the responder takes the best action, the opponent mixes
  int call, raise;     // sources
  double fold;         // what the responder gets when whoever decides folds; of its own, -infinity where it cannot
  double p_fold, p_call, p_raise;
};

struct BettingProgram {
  std::size_t num_inputs;
  std::vector<BlindDecision> decisions;
  std::vector<int> outputs;  // the place of each column at the start of the round

  // `ends` is [hand][num_inputs], `starts` [hand][outputs].
  void run(const double* ends, std::size_t num_hands, double* starts) const;
};

// A game from some board on.
class CardBlindGame {
 public:
  // `hands` is [hand][hole card]; `table` is [edge + largest edge][column] of the last round.
  CardBlindGame(unsigned deck_size, unsigned num_suits, unsigned num_hole_cards, const std::uint8_t* hands,
                std::size_t num_hands, const double* table, std::size_t num_edges, std::size_t num_columns);

  // The rounds before the last one, in order; after each, `num_dealt` cards come.
  void add_round(BettingProgram program, unsigned num_dealt);

  std::size_t num_hands() const { return hand_sets_.size(); }
  // Columns at the start of the first round.
  std::size_t num_columns() const { return rounds_.empty() ? num_columns_ : rounds_.front().program.outputs.size(); }

  // The row of every hand on `board`, with which the first round begins; zeros for hands that share its cards.
  // `relabellings` are [relabelling][card], the identity first, and leave the board as it is.
  void evaluate(const std::uint8_t* board, std::size_t num_board_cards, const std::uint8_t* relabellings,
                std::size_t num_relabellings, double* rows) const;

 private:
  struct Round {
    BettingProgram program;
    unsigned num_dealt;
  };
  class Walk;

  unsigned deck_size_, num_hole_cards_;
  std::vector<std::array<std::uint8_t, 2>> hand_cards_;  // the second is the first where there is one
  std::vector<CardSet> hand_sets_, card_bits_;
  std::vector<std::uint16_t> number_of_pair_;  // [card][card]
  std::size_t num_edges_, num_columns_;
  std::vector<double> table_;  // [block of columns][edge, then zeros][column of the block]
  std::vector<Round> rounds_;
};

}  // namespace errai
