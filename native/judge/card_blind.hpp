// What a best response wins against an opponent that ignores its cards.
//
// The opponent's hands stay equally likely, so the value of a hand after a betting sequence needs no ranges: at a
// showdown it is the *edge* of the hand (the number of weaker hands minus that of stronger hands, among those that
// share no card with it) times the chips. Values are in rows, one per hand, with one column for each start of a round
// of betting that differs in what follows.
//
//   betting program   from the columns at the end of a round to those at its start: a list of decisions, in the order
//                     in which they can be computed. `places` are first the columns at the end, then the decisions.
//   last round        the row of a hand is a function of its edge, so it is looked up in a table
//   earlier rounds    the mean of the rows over all deals, then the betting program
//
// Boards that differ only by a relabelling of suits are computed once, and so are the hands of a board.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cards/strength.hpp"

namespace errai {

// One decision. `call` and `raise` are places, -1 where there is no such action.
struct BlindDecision {
  bool is_own;  // the responder takes the best action, the opponent mixes
  int call, raise;
  double fold;  // what the responder gets after a fold; -infinity where the responder cannot fold
  double p_fold, p_call, p_raise;
};

struct BettingProgram {
  std::size_t num_inputs;
  std::vector<BlindDecision> decisions;
  std::vector<int> outputs;  // the place of each column at the start of the round

  // `ends` is [hand][num_inputs], `starts` [hand][outputs].
  void run(const double* ends, std::size_t num_hands, double* starts) const;
};

// A game from a given board on.
class CardBlindGame {
 public:
  // `hands` is [hand][hole card]; `table` is [edge + largest edge][column] of the last round.
  CardBlindGame(unsigned deck_size, unsigned num_suits, unsigned num_hole_cards, const std::uint8_t* hands,
                std::size_t num_hands, const double* table, std::size_t num_edges, std::size_t num_columns);

  // Adds a round before the last, in order; `num_dealt` cards are dealt after it.
  void add_round(BettingProgram program, unsigned num_dealt);

  unsigned deck_size() const { return deck_size_; }
  std::size_t num_hands() const { return hand_sets_.size(); }
  // The number of columns at the start of the first round.
  std::size_t num_columns() const { return rounds_.empty() ? num_columns_ : rounds_.front().program.outputs.size(); }

  // Sets the row of every hand on `board`, with which the first round begins; zeros for hands that share its cards.
  // `relabellings` are [relabelling][card], the identity first, and leave the board unchanged.
  void evaluate(const std::uint8_t* board, std::size_t num_board_cards, const std::uint8_t* relabellings,
                std::size_t num_relabellings, double* rows) const;

 private:
  struct Round {
    BettingProgram program;
    unsigned num_dealt;
  };
  class Evaluation;

  unsigned deck_size_, num_hole_cards_;
  std::vector<std::array<std::uint8_t, 2>> hand_cards_;  // with one hole card, both are the same
  std::vector<CardSet> hand_sets_, card_bits_;
  std::vector<std::uint16_t> hand_of_pair_;  // [card][card]
  std::size_t num_edges_, num_columns_;
  std::vector<double> table_;  // [block of columns][edge, then zeros][column of the block]
  std::vector<Round> rounds_;
};

}  // namespace errai
