// What becomes of a node's values on a tile of hands: its strategy, its value, and the rules that change its regrets.
#pragma once

#include <limits>

#include "lanes/tiles.hpp"
#include "regret.hpp"

namespace errai {

// What the actions of a node are worth on a tile of hands, and where the value of the node goes.
template <class V>
struct NodeValues {
  const V* const* children;
  V* value;
  int num_hands;
  int num_vectors;
};

// The strategy proportional to the positive parts of `weights`; even where there are none. `strategy` can be `weights`.
template <class V, int Actions>
[[gnu::always_inline]] inline void normalise(const V* weights, ActionCount<Actions> actions, V* strategy) {
  using Real = typename V::Scalar;
  V sum = V::all(0);
  for (int a = 0; a < actions; ++a) {
    strategy[a] = positive(weights[a]);
    sum += strategy[a];
  }
  const V inverse = Real(1) / maximum(sum, V::all(std::numeric_limits<Real>::min()));
  const V even = V::all(even_probability<Real>(actions));
  for (int a = 0; a < actions; ++a) strategy[a] = where_positive(sum, strategy[a] * inverse, even);
}

template <class V, int Actions>
[[gnu::always_inline]] inline V mean_value(const V* weights, ActionCount<Actions> actions, int i,
                                           const V* const* children) {
  V strategy[ActionCount<Actions>::kRoom];
  normalise(weights, actions, strategy);
  V mean = strategy[0] * children[0][i];
  for (int a = 1; a < actions; ++a) mean += strategy[a] * children[a][i];
  return mean;
}

template <class V, class NodeTile, int Actions>
void mix(const NodeTile& weights, ActionCount<Actions> actions, NodeValues<V> node) {
  for (int i = 0; i < node.num_vectors; ++i) {
    V weight[ActionCount<Actions>::kRoom];
    weights.read(i, weight);
    node.value[i] = mean_value(weight, actions, i, node.children);
  }
}

template <class V, int Actions>
void choose_best(ActionCount<Actions> actions, NodeValues<V> node) {
  for (int i = 0; i < node.num_vectors; ++i) {
    V best = node.children[0][i];
    for (int a = 1; a < actions; ++a) best = maximum(best, node.children[a][i]);
    node.value[i] = best;
  }
}

// A best response that is kept: 1 for the best actions of a hand, 0 for the others. Its hands have a bucket each.
template <class V, class NodeTile, int Actions>
void record_best(NodeTile response, ActionCount<Actions> actions, NodeValues<V> node) {
  const V zero = V::all(0), one = V::all(1);
  for (int i = 0; i < node.num_vectors; ++i) {
    V best[ActionCount<Actions>::kRoom];
    for (int a = 0; a < actions; ++a) best[a] = where_positive(node.value[i] - node.children[a][i], zero, one);
    response.write(i, best);
  }
  response.finish(node.num_hands);
}

// Hands that share a bucket: the regrets are summed, and the rule is applied after the pass.
template <class V, class NodeTile, int Actions>
void add_regrets(const Step& step, NodeTile regrets, ActionCount<Actions> actions, NodeValues<V> node, V noise) {
  const auto weight = typename V::Scalar(step.regret_weight);
  for (int i = 0; i < node.num_vectors; ++i) {
    V old[ActionCount<Actions>::kRoom];
    regrets.read(i, old);
    const V mean = mean_value(old, actions, i, node.children);
    for (int a = 0; a < actions; ++a) regrets.add(i, a, weight * beyond(node.children[a][i] - mean, noise));
    node.value[i] = mean;
  }
  regrets.finish(node.num_hands);
}

// CFR+ and every variant that only weights its regrets: R <- max(R + weight * r, 0).
template <class V, class NodeTile, int Actions>
void update_plus(const Step& step, NodeTile regrets, ActionCount<Actions> actions, NodeValues<V> node, V noise) {
  const auto weight = typename V::Scalar(step.regret_weight);
  for (int i = 0; i < node.num_vectors; ++i) {
    V sum[ActionCount<Actions>::kRoom];
    regrets.read(i, sum);
    const V mean = mean_value(sum, actions, i, node.children);
    for (int a = 0; a < actions; ++a)
      sum[a] = positive(regrets.scaled(sum[a]) + weight * beyond(node.children[a][i] - mean, noise));
    regrets.write(i, sum);
    node.value[i] = mean;
  }
  regrets.finish(node.num_hands);
}

// The complete rule of solvers/variants.py. `weights` are those of a predictive variant; the others play their regrets.
template <class V, class NodeTile, int Actions>
[[gnu::always_inline]] inline void update_any(const Step& step, NodeTile& regrets, NodeTile* weights,
                                              ActionCount<Actions> actions, NodeValues<V> node, V noise) {
  using Real = typename V::Scalar;
  const V above = regrets.scaled(V::all(Real(step.discount_positive)));
  const V below = regrets.scaled(V::all(Real(step.discount_negative)));
  const Real weight = Real(step.regret_weight), ahead = Real(step.discount_prediction);
  for (int i = 0; i < node.num_vectors; ++i) {
    V sum[ActionCount<Actions>::kRoom], played[ActionCount<Actions>::kRoom];
    regrets.read(i, sum);
    if (weights) weights->read(i, played);
    const V mean = mean_value(weights ? played : sum, actions, i, node.children);
    for (int a = 0; a < actions; ++a) {
      const V now = weight * beyond(node.children[a][i] - mean, noise);
      sum[a] = sum[a] * where_positive(sum[a], above, below) + now;
      if (step.floor) sum[a] = positive(sum[a]);
      played[a] = positive(sum[a] * ahead + now);
    }
    regrets.write(i, sum);
    if (weights) weights->write(i, played);
    node.value[i] = mean;
  }
  regrets.finish(node.num_hands);
  if (weights) weights->finish(node.num_hands);
}

}  // namespace errai
