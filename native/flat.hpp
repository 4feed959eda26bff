// CFR over the sequence form of a whole game, every sequence in every iteration, in doubles.
#pragma once

#include <cstdint>
#include <vector>

#include "regret.hpp"

namespace errai {

// One player's side of the sequence form. Sequence 0 is the empty one; action k of the player ends sequence k + 1.
// The actions of infoset i are the sequences first_sequence[i] to first_sequence[i + 1]; parents come first.
// The payoffs to this player are a sparse matrix by rows: own sequence, opponent's sequence (`column`), chips.
struct Side {
  int num_infosets;
  int num_sequences;
  const std::int32_t* first_sequence;
  const std::int32_t* parent_sequence;
  const std::int32_t* row_start;
  const std::int32_t* column;
  const double* payoff;
};

// What a player has learnt: one entry an action.
struct Learnt {
  double* regret;
  double* strategy;
  double* average;
};

class FlatEngine {
 public:
  FlatEngine(const Side& first, const Side& second);

  // Iterates once for each step. Alternating: the second player is updated first, and the other player's strategy of
  // that moment goes into its average. Simultaneous: both averages, then both regrets, from the same strategies.
  void run(const Learnt (&learnt)[2], const double* steps, int num_steps, bool simultaneous);

 private:
  void weigh(int player, const Learnt& learnt);
  void add_to_average(int player, const Step& step, const Learnt& learnt);
  void evaluate(int player);
  void update(int player, const Step& step, const Learnt& learnt);

  Side side_[2];
  std::vector<double> plan_[2];   // probability of each sequence by its own player's choices
  std::vector<double> value_[2];  // counterfactual value of each sequence
};

}  // namespace errai
