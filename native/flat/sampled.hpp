// Monte Carlo CFR (Lanctot et al. 2009) over the nodes of a whole game.
//
//   external        samples chance and the opponent, and traverses all actions of the updated player
//   outcome         samples one path to the end; the updated player explores, and the values are weighted accordingly
//   public_chance   samples the chance events that both players see, and traverses everything else (Johanson et al.
//   2012)
//
// Each traversal estimates the regrets of the infosets that it visits; the expected value of the estimate is what a
// full traversal gives. Regrets are added after the traversal, so that one traversal is played with one strategy. Sums
// are plain: nothing decays, because that would have to touch every infoset in every iteration.
#pragma once

#include <cstdint>
#include <vector>

#include "flat/flat.hpp"

namespace errai {

// What a node is: a decision of player 0 or 1, or one of these.
constexpr int kChanceKind = 2;
constexpr int kTerminalKind = 3;

enum class Sampling { external, outcome, public_chance };

// The nodes of a game, children of a node next to each other; the arrays of `trees/extensive_form.py`.
struct GameNodes {
  const std::uint8_t* kind;
  const std::int32_t* first_child;
  const std::int32_t* num_children;
  const std::int32_t* infoset;
  const double* probability;
  const double* payoff;
  const bool* is_public;
  const std::int32_t* first_action;
  int num_actions;
};

// One stream of random numbers per seed and traversal (splitmix64, Steele et al. 2014): a resumed run needs only the
// number of its iteration to draw the same numbers as a run without a break.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t traversal) : state_(mixed(seed) + mixed(~traversal)) {}

  double uniform() {  // in [0, 1)
    state_ += 0x9e3779b97f4a7c15u;
    return static_cast<double>(mixed(state_) >> 11) * 0x1.0p-53;
  }

 private:
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

class SampledEngine {
 public:
  SampledEngine(const GameNodes& nodes, Sampling sampling, double exploration, const SolverState& state);

  // One traversal for each player, the second player first. On the way the opponent's strategy is added to its average.
  void iterate(std::uint64_t seed, std::uint64_t iteration, const Step& step);

 private:
  double traverse(int node);
  double traverse_external(int node);
  double traverse_outcome(int node, double opponent_reach, double counterfactual_reach, double sample_reach);
  double traverse_public_chance(int node, double opponent_reach, double counterfactual_reach);
  void add_regrets(const Step& step);
  void add_to_average(int infoset, double reach);
  double* touch(int infoset);
  int sample(int count, const double* probability);
  int num_actions(int infoset) const { return nodes_.first_action[infoset + 1] - nodes_.first_action[infoset]; }
  double payoff(int node) const { return player_ == 0 ? nodes_.payoff[node] : -nodes_.payoff[node]; }

  GameNodes nodes_;
  Sampling sampling_;
  double exploration_;
  SolverState state_;
  std::vector<double> increment_;  // the regrets of this traversal
  std::vector<bool> is_touched_;
  std::vector<int> touched_;
  int player_ = 0;  // whose regrets this traversal updates
  double average_weight_ = 0.0;
  Random random_{0, 0};
};

}  // namespace errai
