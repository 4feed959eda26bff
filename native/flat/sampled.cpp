#include "flat/sampled.hpp"

#include "regret.hpp"

namespace errai {

SampledEngine::SampledEngine(const GameNodes& nodes, Sampling sampling, double exploration, const SolverState& state)
    : nodes_(nodes),
      sampling_(sampling),
      exploration_(exploration),
      state_(state),
      increment_(nodes.num_actions, 0.0),
      is_touched_(nodes.num_actions, false) {}

void SampledEngine::iterate(std::uint64_t seed, std::uint64_t iteration, const Step& step) {
  average_weight_ = step.average_weight;
  for (const int player : {1, 0}) {
    player_ = player;
    random_ = Random(seed, 2 * iteration + static_cast<std::uint64_t>(player));
    traverse(0);
    add_regrets(step);
  }
}

double SampledEngine::traverse(int node) {
  switch (sampling_) {
    case Sampling::external: return traverse_external(node);
    case Sampling::outcome: return traverse_outcome(node, 1.0, 1.0, 1.0);
    default: return traverse_public_chance(node, 1.0, 1.0);
  }
}

// Returns the sampled value of the node to the updated player.
double SampledEngine::traverse_external(int node) {
  const int first = nodes_.first_child[node];
  const int count = nodes_.num_children[node];
  const int kind = nodes_.kind[node];
  if (kind == kTerminalKind) return payoff(node);
  if (kind == kChanceKind) return traverse_external(first + sample(count, nodes_.probability + first));
  const int infoset = nodes_.infoset[node];
  const double* strategy = state_.strategy + nodes_.first_action[infoset];
  if (kind != player_) {
    add_to_average(infoset, 1.0);
    return traverse_external(first + sample(count, strategy));
  }
  double* increment = touch(infoset);
  double expected = 0.0;
  for (int a = 0; a < count; ++a) {
    const double value = traverse_external(first + a);
    increment[a] += value;
    expected += strategy[a] * value;
  }
  for (int a = 0; a < count; ++a) increment[a] -= expected;
  return expected;
}

// Returns the sampled value of the node: the payoff at the end, divided by the probabilities with which the actions on
// the way from here were sampled and multiplied by those with which they are played.
double SampledEngine::traverse_outcome(int node, double opponent_reach, double counterfactual_reach,
                                       double sample_reach) {
  const int first = nodes_.first_child[node];
  const int count = nodes_.num_children[node];
  const int kind = nodes_.kind[node];
  if (kind == kTerminalKind) return payoff(node);
  if (kind == kChanceKind) {
    const int a = sample(count, nodes_.probability + first);
    const double probability = nodes_.probability[first + a];
    return traverse_outcome(first + a, opponent_reach, counterfactual_reach * probability, sample_reach * probability);
  }
  const int infoset = nodes_.infoset[node];
  const double* strategy = state_.strategy + nodes_.first_action[infoset];
  if (kind != player_) {
    add_to_average(infoset, opponent_reach / sample_reach);
    const int a = sample(count, strategy);
    return traverse_outcome(first + a, opponent_reach * strategy[a], counterfactual_reach * strategy[a],
                            sample_reach * strategy[a]);
  }
  const bool explores = random_.uniform() < exploration_;
  const int a = explores ? static_cast<int>(random_.uniform() * count) : sample(count, strategy);
  const double probability = exploration_ / count + (1.0 - exploration_) * strategy[a];
  const double value =
      traverse_outcome(first + a, opponent_reach, counterfactual_reach, sample_reach * probability) / probability;
  const double expected = strategy[a] * value;
  const double weight = counterfactual_reach / sample_reach;
  double* increment = touch(infoset);
  for (int b = 0; b < count; ++b) increment[b] -= weight * expected;
  increment[a] += weight * value;
  return expected;
}

// Returns the counterfactual value of the node: weighted by the reach of the opponent and of unsampled chance events.
double SampledEngine::traverse_public_chance(int node, double opponent_reach, double counterfactual_reach) {
  const int first = nodes_.first_child[node];
  const int count = nodes_.num_children[node];
  const int kind = nodes_.kind[node];
  if (kind == kTerminalKind) return payoff(node) * counterfactual_reach;
  double expected = 0.0;
  if (kind == kChanceKind) {
    if (nodes_.is_public[node]) {
      return traverse_public_chance(first + sample(count, nodes_.probability + first), opponent_reach,
                                    counterfactual_reach);
    }
    for (int a = first; a < first + count; ++a) {
      expected += traverse_public_chance(a, opponent_reach, counterfactual_reach * nodes_.probability[a]);
    }
    return expected;
  }
  const int infoset = nodes_.infoset[node];
  const double* strategy = state_.strategy + nodes_.first_action[infoset];
  if (kind != player_) {
    add_to_average(infoset, opponent_reach);
    for (int a = 0; a < count; ++a) {
      expected += traverse_public_chance(first + a, opponent_reach * strategy[a], counterfactual_reach * strategy[a]);
    }
    return expected;
  }
  double* increment = touch(infoset);
  for (int a = 0; a < count; ++a) {
    const double value = traverse_public_chance(first + a, opponent_reach, counterfactual_reach);
    increment[a] += value;
    expected += strategy[a] * value;
  }
  for (int a = 0; a < count; ++a) increment[a] -= expected;
  return expected;
}

void SampledEngine::add_regrets(const Step& step) {
  for (const int infoset : touched_) {
    const int first = nodes_.first_action[infoset];
    double* increment = increment_.data() + first;
    update_infoset(step, num_actions(infoset), increment, 0.0, state_.regret + first, state_.strategy + first);
    for (int a = 0; a < num_actions(infoset); ++a) increment[a] = 0.0;
    is_touched_[infoset] = false;
  }
  touched_.clear();
}

void SampledEngine::add_to_average(int infoset, double reach) {
  for (int s = nodes_.first_action[infoset]; s < nodes_.first_action[infoset + 1]; ++s) {
    state_.average[s] += average_weight_ * reach * state_.strategy[s];
  }
}

double* SampledEngine::touch(int infoset) {
  if (!is_touched_[infoset]) {
    is_touched_[infoset] = true;
    touched_.push_back(infoset);
  }
  return increment_.data() + nodes_.first_action[infoset];
}

int SampledEngine::sample(int count, const double* probability) {
  double left = random_.uniform();
  int last_possible = 0;
  for (int a = 0; a < count; ++a) {
    if (probability[a] > 0.0) {
      last_possible = a;
      left -= probability[a];
      if (left < 0.0) break;
    }
  }
  return last_possible;
}

}  // namespace errai
