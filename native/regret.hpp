// The update rule of one infoset, for all variants of CFR: `solvers/variants.py` has the formulas and their sources.
#pragma once

#include <algorithm>

#include "board_draw.hpp"

namespace errai {

// The parameters of one iteration.
struct Step {
  double discount_positive = 1;
  double discount_negative = 1;
  double regret_weight = 1;
  bool floor = true;
  bool predictive = false;
  double discount_prediction = 1;
  double average_decay = 1;
  double average_weight = 0;
  BoardDraw last_boards = {};  // of the lane engine
};

// Where none of the opponent's hands that reach a node is compatible with ours, the true regrets are zero, but sums by
// inclusion and exclusion leave noise, and noise would select a pure strategy instead of an even one. The lane engine
// therefore treats regrets below this fraction of (pot x total reach of the node) as zero.
template <class Real>
constexpr Real kNoise = sizeof(Real) == 8 ? Real(0x1p-50) : Real(0x1p-21);

// Subtracted from an even strategy over three or more actions. If the true values of two actions are equal (which
// happens against even play), the line with fewer decisions of the opponent then wins in any order of summation, just
// as it does by the rounding of 1/3 in plain doubles. Without it, noise breaks such ties: after two iterations of CFR+,
// Rhode Island hold'em is then 4e-5 off the published figure. A larger value shows up later: 2^-40 makes Leduc 0.4 %
// worse after 100 iterations than 113-bit arithmetic does; 2^-49 leaves 4e-5.
template <class Real>
constexpr Real kTieBreak = 2 * kNoise<Real>;

template <class Real>
constexpr Real even_probability(int num_actions) {
  return (1 - (num_actions > 2 ? kTieBreak<Real> : 0)) / Real(num_actions);
}

// The strategy proportional to the positive parts of `weight`; even if there are none.
inline void match_regrets(int num_actions, const double* weight, double* strategy) {
  double total = 0.0;
  for (int a = 0; a < num_actions; ++a) total += std::max(weight[a], 0.0);
  if (total > 0.0) {
    for (int a = 0; a < num_actions; ++a) strategy[a] = std::max(weight[a], 0.0) / total;
  } else {
    for (int a = 0; a < num_actions; ++a) strategy[a] = even_probability<double>(num_actions);
  }
}

// Adds this iteration's regrets, `value[a] - expected`, to `regret` and sets the strategy of the next iteration.
// `value` is overwritten: it is used as scratch space for the predicted regrets.
inline void update_infoset(const Step& step, int num_actions, double* value, double expected, double* regret,
                           double* strategy) {
  for (int a = 0; a < num_actions; ++a) {
    const double increment = step.regret_weight * (value[a] - expected);
    const double discount = regret[a] > 0.0 ? step.discount_positive : step.discount_negative;
    double sum = regret[a] * discount + increment;
    if (step.floor) sum = std::max(sum, 0.0);
    regret[a] = sum;
    value[a] = step.predictive ? sum * step.discount_prediction + increment : sum;
  }
  match_regrets(num_actions, value, strategy);
}

}  // namespace errai
