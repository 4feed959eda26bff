// Monte Carlo CFR (Lanctot et al. 2009) over the nodes of a whole game.
//
//   external        samples chance and the opponent, and walks through all of the updated player's actions
//   outcome         samples one path to the end; the updated player explores, and the values are weighted accordingly
//   public_chance   samples the chance that both players see, and walks through everything else (Johanson et al. 2012)
//
// Each walk estimates the regrets of the infosets that it touches; the expectation of that is what a full walk gives.
// They are added up after the walk, so that one walk is played with one strategy. Sums are plain: nothing decays, since
// that would have to touch every infoset in every iteration.
#pragma once

#include <cstdint>
#include <vector>

namespace errai {

enum class Sampling { external, outcome, public_chance };

// The arrays of `trees/extensive_form.py`.
struct Tree {
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

// A stream of random numbers for each pair of seed and walk (splitmix64, Steele et al. 2014): a run that is continued
// needs no more than the number of its iteration to draw what it would have drawn without the break.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t walk) : state_(mixed(seed) + mixed(~walk)) {}

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
  SampledEngine(const Tree& tree, Sampling sampling, double exploration, double* regret, double* strategy,
                double* average);

  // One walk for each player, the second player first. The opponent's strategy goes into its average on the way.
  void iterate(std::uint64_t seed, std::uint64_t iteration, double regret_weight, double average_weight);

 private:
  double walk(int node);
  double walk_external(int node);
  double walk_outcome(int node, double opponent_reach, double counterfactual_reach, double sample_reach);
  double walk_public_chance(int node, double opponent_reach, double counterfactual_reach);
  void add_regrets(double regret_weight);
  void add_to_average(int infoset, double reach);
  double* touch(int infoset);
  int sample(int count, const double* probability);
  int num_actions(int infoset) const { return tree_.first_action[infoset + 1] - tree_.first_action[infoset]; }
  double payoff(int node) const { return player_ == 0 ? tree_.payoff[node] : -tree_.payoff[node]; }

  Tree tree_;
  Sampling sampling_;
  double exploration_;
  double* regret_;
  double* strategy_;
  double* average_;
  std::vector<double> increment_;  // this walk's regrets
  std::vector<bool> is_touched_;
  std::vector<int> touched_;
  int player_ = 0;  // whose regrets this walk updates
  double average_weight_ = 0.0;
  Random random_{0, 0};
};

}  // namespace errai
