#include "sampled.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "bindings.hpp"
#include "regret.hpp"

namespace errai {

namespace {

constexpr int chance_kind = 2;
constexpr int terminal_kind = 3;

}  // namespace

SampledEngine::SampledEngine(const Tree& tree, Sampling sampling, double exploration, double* regret, double* strategy,
                             double* average)
    : tree_(tree),
      sampling_(sampling),
      exploration_(exploration),
      regret_(regret),
      strategy_(strategy),
      average_(average),
      increment_(tree.num_actions, 0.0),
      is_touched_(tree.num_actions, false) {}

void SampledEngine::iterate(std::uint64_t seed, std::uint64_t iteration, double regret_weight, double average_weight) {
  average_weight_ = average_weight;
  for (const int player : {1, 0}) {
    player_ = player;
    random_ = Random(seed, 2 * iteration + static_cast<std::uint64_t>(player));
    walk(0);
    add_regrets(regret_weight);
  }
}

double SampledEngine::walk(int node) {
  switch (sampling_) {
    case Sampling::external:
      return walk_external(node);
    case Sampling::outcome:
      return walk_outcome(node, 1.0, 1.0, 1.0);
    default:
      return walk_public_chance(node, 1.0, 1.0);
  }
}

// Returns the value of the node to the updated player, as sampled.
double SampledEngine::walk_external(int node) {
  const int first = tree_.first_child[node];
  const int count = tree_.num_children[node];
  const int kind = tree_.kind[node];
  if (kind == terminal_kind) return payoff(node);
  if (kind == chance_kind) return walk_external(first + sample(count, tree_.probability + first));
  const int infoset = tree_.infoset[node];
  const double* strategy = strategy_ + tree_.first_action[infoset];
  if (kind != player_) {
    add_to_average(infoset, 1.0);
    return walk_external(first + sample(count, strategy));
  }
  double* increment = touch(infoset);
  double expected = 0.0;
  for (int a = 0; a < count; ++a) {
    const double value = walk_external(first + a);
    increment[a] += value;
    expected += strategy[a] * value;
  }
  for (int a = 0; a < count; ++a) increment[a] -= expected;
  return expected;
}

// Returns the value of the node, as sampled: the payoff at the end, divided by the probabilities with which the actions
// on the way from here were sampled and multiplied by those with which they are played.
double SampledEngine::walk_outcome(int node, double opponent_reach, double counterfactual_reach, double sample_reach) {
  const int first = tree_.first_child[node];
  const int count = tree_.num_children[node];
  const int kind = tree_.kind[node];
  if (kind == terminal_kind) return payoff(node);
  if (kind == chance_kind) {
    const int a = sample(count, tree_.probability + first);
    const double probability = tree_.probability[first + a];
    return walk_outcome(first + a, opponent_reach, counterfactual_reach * probability, sample_reach * probability);
  }
  const int infoset = tree_.infoset[node];
  const double* strategy = strategy_ + tree_.first_action[infoset];
  if (kind != player_) {
    add_to_average(infoset, opponent_reach / sample_reach);
    const int a = sample(count, strategy);
    return walk_outcome(first + a, opponent_reach * strategy[a], counterfactual_reach * strategy[a],
                        sample_reach * strategy[a]);
  }
  const bool explores = random_.uniform() < exploration_;
  const int a = explores ? static_cast<int>(random_.uniform() * count) : sample(count, strategy);
  const double probability = exploration_ / count + (1.0 - exploration_) * strategy[a];
  const double value =
      walk_outcome(first + a, opponent_reach, counterfactual_reach, sample_reach * probability) / probability;
  const double expected = strategy[a] * value;
  const double weight = counterfactual_reach / sample_reach;
  double* increment = touch(infoset);
  for (int b = 0; b < count; ++b) increment[b] -= weight * expected;
  increment[a] += weight * value;
  return expected;
}

// Returns the counterfactual value of the node: weighted by the opponent's and the unsampled chance's reach.
double SampledEngine::walk_public_chance(int node, double opponent_reach, double counterfactual_reach) {
  const int first = tree_.first_child[node];
  const int count = tree_.num_children[node];
  const int kind = tree_.kind[node];
  if (kind == terminal_kind) return payoff(node) * counterfactual_reach;
  double expected = 0.0;
  if (kind == chance_kind) {
    if (tree_.is_public[node]) {
      return walk_public_chance(first + sample(count, tree_.probability + first), opponent_reach, counterfactual_reach);
    }
    for (int a = first; a < first + count; ++a) {
      expected += walk_public_chance(a, opponent_reach, counterfactual_reach * tree_.probability[a]);
    }
    return expected;
  }
  const int infoset = tree_.infoset[node];
  const double* strategy = strategy_ + tree_.first_action[infoset];
  if (kind != player_) {
    add_to_average(infoset, opponent_reach);
    for (int a = 0; a < count; ++a) {
      expected += walk_public_chance(first + a, opponent_reach * strategy[a], counterfactual_reach * strategy[a]);
    }
    return expected;
  }
  double* increment = touch(infoset);
  for (int a = 0; a < count; ++a) {
    const double value = walk_public_chance(first + a, opponent_reach, counterfactual_reach);
    increment[a] += value;
    expected += strategy[a] * value;
  }
  for (int a = 0; a < count; ++a) increment[a] -= expected;
  return expected;
}

void SampledEngine::add_regrets(double regret_weight) {
  constexpr Step plain_sums{1.0, 1.0, false, false, 1.0, 1.0, 1.0};
  for (const int infoset : touched_) {
    const int first = tree_.first_action[infoset];
    double* increment = increment_.data() + first;
    for (int a = 0; a < num_actions(infoset); ++a) increment[a] *= regret_weight;
    update_infoset(plain_sums, num_actions(infoset), increment, 0.0, regret_ + first, strategy_ + first);
    for (int a = 0; a < num_actions(infoset); ++a) increment[a] = 0.0;
    is_touched_[infoset] = false;
  }
  touched_.clear();
}

void SampledEngine::add_to_average(int infoset, double reach) {
  for (int s = tree_.first_action[infoset]; s < tree_.first_action[infoset + 1]; ++s) {
    average_[s] += average_weight_ * reach * strategy_[s];
  }
}

double* SampledEngine::touch(int infoset) {
  if (!is_touched_[infoset]) {
    is_touched_[infoset] = true;
    touched_.push_back(infoset);
  }
  return increment_.data() + tree_.first_action[infoset];
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

namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using State = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using TreeArrays = std::tuple<Array<std::uint8_t>, Array<std::int32_t>, Array<std::int32_t>, Array<std::int32_t>,
                              Array<double>, Array<double>, Array<bool>, Array<std::int32_t>>;
using LearntArrays = std::tuple<State, State, State>;

void run_sampled(const TreeArrays& arrays, const LearntArrays& learnt, const Weights& weights,
                 std::uint64_t first_iteration, const std::string& sampling, double exploration, std::uint64_t seed) {
  const auto& [kind, first_child, num_children, infoset, probability, payoff, is_public, first_action] = arrays;
  const auto& [regret, strategy, average] = learnt;
  const Tree tree{kind.data(),   first_child.data(), num_children.data(), infoset.data(),
                  probability.data(), payoff.data(), is_public.data(),    first_action.data(),
                  static_cast<int>(regret.shape(0))};
  const Sampling method = sampling == "external"  ? Sampling::external
                          : sampling == "outcome" ? Sampling::outcome
                                                  : Sampling::public_chance;
  SampledEngine engine(tree, method, exploration, regret.data(), strategy.data(), average.data());
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < weights.shape(0); ++i) {
    engine.iterate(seed, first_iteration + i, weights.data()[2 * i], weights.data()[2 * i + 1]);
  }
}

}  // namespace
}  // namespace errai

void bind_sampled(nb::module_& m) {
  m.def("run_sampled", &errai::run_sampled, nb::arg("tree"), nb::arg("learnt"), nb::arg("weights").noconvert(),
        nb::kw_only(), nb::arg("first_iteration"), nb::arg("sampling"), nb::arg("exploration"), nb::arg("seed"));
}
