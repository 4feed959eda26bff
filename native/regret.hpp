// The rule of one infoset, for all variants of CFR: see `solvers/variants.py` for the formulas and their sources.
#pragma once

#include <algorithm>

namespace errai {

// The numbers of one iteration, in the order of the fields of `variants.Step`.
struct Step {
  double discount_positive;
  double discount_negative;
  bool floor;
  bool predictive;
  double discount_prediction;
  double average_decay;
  double average_weight;

  static constexpr int num_fields = 7;

  static Step from_row(const double* row) {
    return {row[0], row[1], row[2] != 0.0, row[3] != 0.0, row[4], row[5], row[6]};
  }
};

// The strategy that is proportional to the positive parts of `weight`; uniform when there are none.
inline void match_regrets(int num_actions, const double* weight, double* strategy) {
  double total = 0.0;
  for (int a = 0; a < num_actions; ++a) total += std::max(weight[a], 0.0);
  if (total > 0.0) {
    for (int a = 0; a < num_actions; ++a) strategy[a] = std::max(weight[a], 0.0) / total;
  } else {
    for (int a = 0; a < num_actions; ++a) strategy[a] = 1.0 / num_actions;
  }
}

// Takes the regrets `value[a] - expected` of this iteration into `regret` and sets the strategy of the next one.
// `value` is overwritten: it serves as the room for the predicted regrets.
inline void update_infoset(const Step& step, int num_actions, double* value, double expected, double* regret,
                           double* strategy) {
  for (int a = 0; a < num_actions; ++a) {
    const double increment = value[a] - expected;
    const double discount = regret[a] > 0.0 ? step.discount_positive : step.discount_negative;
    double sum = regret[a] * discount + increment;
    if (step.floor) sum = std::max(sum, 0.0);
    regret[a] = sum;
    value[a] = step.predictive ? sum * step.discount_prediction + increment : sum;
  }
  match_regrets(num_actions, value, strategy);
}

}  // namespace errai
