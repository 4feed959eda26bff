// CFR over the sequence form of a whole game, every sequence in every iteration, in doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regret.hpp"

namespace errai {

// One player's side of the sequence form. Sequence 0 is the empty one; action k of the player ends sequence k + 1.
// The actions of infoset i are the sequences first_sequence[i] to first_sequence[i + 1]; parents come first.
// The payoffs to this player are a sparse matrix by rows: own sequence, opponent's sequence (`column`), chips.
struct SequenceSide {
  int num_infosets;
  int num_sequences;
  const std::int32_t* first_sequence;
  const std::int32_t* parent_sequence;
  const std::int32_t* row_start;
  const std::int32_t* column;
  const double* payoff;
  const std::uint8_t* is_locked;  // infosets whose strategy no iteration changes; null where there are none
};

// The state of one player, one entry per action.
struct SolverState {
  double* regret;
  double* strategy;
  double* average;
};

class FlatEngine {
 public:
  FlatEngine(const SequenceSide& first, const SequenceSide& second);

  // Makes one iteration per step. Alternating: the second player is updated first, and the other player's strategy at
  // that moment is added to its average. Simultaneous: both averages, then both regrets, from the same strategies.
  void run(const SolverState (&state)[2], std::span<const Step> steps, bool simultaneous);

 private:
  void compute_plan(int player, const SolverState& state);
  void add_to_average(int player, const Step& step, const SolverState& state);
  void evaluate(int player);
  void update(int player, const Step& step, const SolverState& state);

  SequenceSide side_[2];
  std::vector<double> plan_[2];   // probability of each sequence by the choices of its player
  std::vector<double> value_[2];  // counterfactual value of each sequence
};

}  // namespace errai
