#include "flat/flat.hpp"

namespace errai {

FlatEngine::FlatEngine(const SequenceSide& first, const SequenceSide& second) : side_{first, second} {
  for (int player = 0; player < 2; ++player) {
    plan_[player].assign(side_[player].num_sequences, 1.0);
    value_[player].assign(side_[player].num_sequences, 0.0);
  }
}

void FlatEngine::run(const SolverState (&state)[2], std::span<const Step> steps, bool simultaneous) {
  for (const Step& step : steps) {
    if (simultaneous) {
      for (const int player : {0, 1}) {
        compute_plan(player, state[player]);
        add_to_average(player, step, state[player]);
      }
      for (const int player : {0, 1}) evaluate(player);
      for (const int player : {0, 1}) update(player, step, state[player]);
    } else {
      for (const int player : {1, 0}) {
        const int opponent = 1 - player;
        compute_plan(opponent, state[opponent]);
        add_to_average(opponent, step, state[opponent]);
        evaluate(player);
        update(player, step, state[player]);
      }
    }
  }
}

void FlatEngine::compute_plan(int player, const SolverState& state) {
  const SequenceSide& side = side_[player];
  double* plan = plan_[player].data();
  for (int i = 0; i < side.num_infosets; ++i) {
    const double reach = plan[side.parent_sequence[i]];
    for (int s = side.first_sequence[i]; s < side.first_sequence[i + 1]; ++s) plan[s] = reach * state.strategy[s - 1];
  }
}

void FlatEngine::add_to_average(int player, const Step& step, const SolverState& state) {
  const double* plan = plan_[player].data();
  for (int s = 1; s < side_[player].num_sequences; ++s) {
    state.average[s - 1] = state.average[s - 1] * step.average_decay + step.average_weight * plan[s];
  }
}

void FlatEngine::evaluate(int player) {
  const SequenceSide& side = side_[player];
  const double* opponent_plan = plan_[1 - player].data();
  for (int s = 0; s < side.num_sequences; ++s) {
    double sum = 0.0;
    for (int k = side.row_start[s]; k < side.row_start[s + 1]; ++k) {
      sum += side.payoff[k] * opponent_plan[side.column[k]];
    }
    value_[player][s] = sum;
  }
}

void FlatEngine::update(int player, const Step& step, const SolverState& state) {
  const SequenceSide& side = side_[player];
  double* value = value_[player].data();
  for (int i = side.num_infosets - 1; i >= 0; --i) {
    const int first = side.first_sequence[i];
    const int num_actions = side.first_sequence[i + 1] - first;
    double expected = 0.0;
    for (int s = first; s < first + num_actions; ++s) expected += state.strategy[s - 1] * value[s];
    value[side.parent_sequence[i]] += expected;
    if (side.is_locked && side.is_locked[i]) continue;
    update_infoset(step, num_actions, value + first, expected, state.regret + first - 1, state.strategy + first - 1);
  }
}

}  // namespace errai
