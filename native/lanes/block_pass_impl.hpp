// The definitions of block_pass.hpp; block_pass_*.cpp instantiate them, one type of values each.
#pragma once

#include <algorithm>
#include <type_traits>

#include "lanes/block_pass.hpp"
#include "lanes/bucket_tiles.hpp"
#include "lanes/node_rules.hpp"

namespace errai {

template <class Element, int Width>
struct BlockPass : Block<RealOf<Element>, Width> {
  using Base = Block<RealOf<Element>, Width>;
  using Base::board, Base::lanes, Base::own_hands, Base::opponent_hands, Base::first_lock, Base::action_values;
  using Base::column_from, Base::fold_column, Base::show_column, Base::all_in_column;
  using Base::fold_chips, Base::won_chips, Base::end_chips, Base::is_all_in;
  using Base::kAcrossHands, Base::W, Base::kHands, Base::kTileVectors, Base::num_vectors;
  using Base::node_tile, Base::reach_at, Base::set_reach, Base::load_reach, Base::store_value;
  using Base::pass, Base::round, Base::shape, Base::tables, Base::level, Base::totals, Base::fold, Base::show;
  using Base::put_next_reach, Base::get_next_value;
  using typename Base::Real, typename Base::V;
  static constexpr bool kBuckets = kIsBucketed<Element>;
  template <int Actions>
  using NodeTile = std::conditional_t<kAcrossHands, HandTile<Element, W, Actions>, Tile<Element, W, Actions>>;

  PassViews<Element> views;

  BlockPass(const Base& block, const PassViews<Element>& block_views) : Base(block), views(block_views) {}

  // The values of a node among those of the block, for the tile of hands from `begin` to `end`.
  template <int Actions>
  NodeTile<Actions> tile(LaneView<Element> of_block, const BettingNode& node, int begin, int end) const {
    if constexpr (kBuckets)
      return {of_block, node.first_action, begin, kAcrossHands ? end - begin : lanes, node.num_actions};
    else
      return tile_of_hands<Actions>(of_block, node, begin, end);
  }

  template <int Actions>
  NodeTile<Actions> tile_of_hands(LaneView<Element> of_block, const BettingNode& node, int begin, int end) const {
    const std::size_t hands = board.num_hands[node.player], tiles = (hands + kTile - 1) / kTile;
    return {of_block, lanes * (hands * node.first_action + std::size_t(begin) * node.num_actions),
            lanes * (tiles * node.ordinal + begin / kTile), kAcrossHands ? end - begin : lanes, node.num_actions};
  }

  void forward() const {
    for (std::size_t n = 0; n < shape.nodes.size(); ++n) totals[n] = V::all(0);
    for (int begin = 0; begin < opponent_hands; begin += kTile)
      forward_tile(begin, std::min(begin + kTile, opponent_hands));
    if constexpr (kAcrossHands)
      for (std::size_t n = 0; n < shape.nodes.size(); ++n) {
        Real total = 0;
        for (int i = 0; i < W; ++i) total += totals[n].get(i);
        totals[n] = V::all(total);
      }
  }

  void forward_tile(int begin, int end) const {
    const int first = tables.first_node;
    V* const root = node_tile(first);
    for (int i = 0; i < num_vectors(end - begin); ++i) root[i] = load_reach(begin + i * kHands);
    set_reach(first, root);
    for (int n = first; n < tables.end_node; ++n) {
      const BettingNode& node = shape.nodes[n];
      if (node.player == pass.player) {
        forward_own(node, n, begin, end);
        continue;
      }
      const V* const reach = reach_at(n);
      V* called = node.call_node >= 0 ? node_tile(node.call_node) : nullptr;
      if (called) set_reach(node.call_node, called);
      for (const int raise_node : node.raise_nodes) set_reach(raise_node, node_tile(raise_node));
      const auto go = [&]<bool Averages>() {
        switch (2 * node.num_actions + node.has_fold) {
          case 4: return forward_opponent<2, 0, Averages>(node, n, begin, end, reach, called);
          case 5: return forward_opponent<2, 1, Averages>(node, n, begin, end, reach, called);
          case 6: return forward_opponent<3, 0, Averages>(node, n, begin, end, reach, called);
          case 7: return forward_opponent<3, 1, Averages>(node, n, begin, end, reach, called);
          default: return forward_opponent<kAnyActions, kAnyCall, Averages>(node, n, begin, end, reach, called);
        }
      };
      if (views.opponent_average && pass.step.average_weight != 0)
        go.template operator()<true>();
      else
        go.template operator()<false>();
    }
  }

  void forward_own(const BettingNode& node, int n, int begin, int end) const {
    const V* const reach = reach_at(n);
    for (const int raise_node : node.raise_nodes) set_reach(raise_node, reach);
    if (node.call_node >= 0) set_reach(node.call_node, reach);
    const int count = num_vectors(end - begin);
    for (int i = 0; i < count; ++i) totals[n] += reach[i];
    if (tables.column_of_node[n] >= 0) {
      const bool folds = tables.columns[tables.column_of_node[n]].kind == ColumnKind::fold;
      V* column = column_from(folds ? fold : show, n, begin);
      for (int i = 0; i < count; ++i) column[i] = reach[i];
    }
    if (round.is_last || node.call_end < 0) return;
    if (is_all_in(node))
      std::copy_n(reach, count, all_in_column(n, begin));
    else
      for (int i = 0; i < count; ++i) put_next_reach(begin + i * kHands, node.call_end, reach[i]);
  }

  // `CallIndex`: that of the call, which comes after a fold; kAnyCall where only the node knows it.
  static constexpr int kAnyCall = -1;
  template <int Actions, int CallIndex, bool Averages>
  void forward_opponent(const BettingNode& node, int n, int begin, int end, const V* reach, V* called) const {
    const ActionCount<Actions> actions(node.num_actions);
    const int call = CallIndex == kAnyCall ? node.has_fold : CallIndex;
    const auto weights = tile<Actions>(views.opponent_weights, node, begin, end);
    auto average = tile<Actions>(Averages ? views.opponent_average : views.opponent_weights, node, begin, end);
    const Real weight = Real(pass.step.average_weight);
    V kept = V::all(Real(pass.step.average_decay));
    if constexpr (!kBuckets) kept = average.scaled(kept);
    const bool shows = round.is_last && node.call_end >= 0;
    const bool goes_on = !round.is_last && node.call_end >= 0 && !is_all_in(node);
    V* folds = node.has_fold ? fold_column(n, begin) : nullptr;
    V* shown = shows ? show_column(n, begin) : nullptr;
    V* ended = node.call_end >= 0 && is_all_in(node) ? all_in_column(n, begin) : nullptr;
    V* raised[ActionCount<Actions>::kRoom];
    for (int a = call + 1; a < actions; ++a) raised[a] = node_tile(node.raise_nodes[a - call - 1]);
    const V folded_chips = node.has_fold ? won_chips(n) : V{};
    const V called_chips = shows ? end_chips(node) : V{};
    for (int i = 0; i < num_vectors(end - begin); ++i) {
      V part[ActionCount<Actions>::kRoom];
      weights.read(i, part);
      normalise(part, actions, part);
      for (int a = 0; a < actions; ++a) part[a] *= reach[i];
      if constexpr (Averages && kBuckets) {
        for (int a = 0; a < actions; ++a) average.add(i, a, part[a] * weight);
      } else if constexpr (Averages) {
        V sum[ActionCount<Actions>::kRoom];
        average.read(i, sum);
        for (int a = 0; a < actions; ++a) sum[a] = sum[a] * kept + part[a] * weight;
        average.write(i, sum);
      }
      if (folds) folds[i] = shows ? folded_chips * part[0] - called_chips * part[call] : part[0];
      if (shown) shown[i] = part[call];
      if (called) called[i] = part[call];
      if (ended) ended[i] = part[call];
      if (goes_on) put_next_reach(begin + i * kHands, node.call_end, part[call]);
      for (int a = call + 1; a < actions; ++a) raised[a][i] = part[a];
    }
    if constexpr (Averages) average.finish(end - begin);
  }

  void backward(Real* value) const {
    for (int begin = 0; begin < own_hands; begin += kTile)
      backward_tile(begin, std::min(begin + kTile, own_hands), value);
  }

  void backward_tile(int begin, int end, Real* value) const {
    const int count = num_vectors(end - begin);
    for (int n = tables.end_node - 1; n >= tables.first_node; --n) {
      const BettingNode& node = shape.nodes[n];
      V* const value_at_node = node_tile(n);
      V ended[kTileVectors];
      const V* called = node_tile(std::max(node.call_node, 0));
      if (node.call_end >= 0) {
        called = ended;
        if (round.is_last)
          called = show_column(n, begin);
        else if (is_all_in(node))
          called = all_in_column(n, begin);
        else
          for (int i = 0; i < count; ++i) ended[i] = get_next_value(begin + i * kHands, node.call_end);
      }
      const V* folded = node.has_fold ? fold_column(n, begin) : nullptr;
      if (node.player != pass.player) {
        if (round.is_last && node.has_fold && node.call_end >= 0)
          called = nullptr;  // its value is part of that of the fold
        backward_opponent(count, node, folded, called, value_at_node);
        continue;
      }
      const V* children[kMostActions];
      int action = 0;
      if (folded) children[action++] = folded;
      children[action++] = called;
      for (const int raise_node : node.raise_nodes) children[action++] = node_tile(raise_node);
      switch (node.num_actions) {
        case 2: backward_own<2>(node, n, begin, end, children, value_at_node); break;
        case 3: backward_own<3>(node, n, begin, end, children, value_at_node); break;
        default: backward_own<kAnyActions>(node, n, begin, end, children, value_at_node);
      }
      for (int i = first_lock; i >= 0; i = round.locks[i].next)
        if (round.locks[i].node == n) keep_locked(round.locks[i], node, begin, end, children, value_at_node);
    }
    for (int i = 0; i < count; ++i) store_value(value, begin + i * kHands, node_tile(tables.first_node)[i]);
    if (action_values) store_action_values(begin, count);
  }

  // What each action of the first node is worth, where it is the player's.
  void store_action_values(int begin, int count) const {
    const int n = tables.first_node;
    const BettingNode& node = shape.nodes[n];
    if (node.player != pass.player) return;
    Real* to = action_values;
    const auto put = [&](auto&& value_of) {
      for (int i = 0; i < count; ++i) store_value(to, begin + i * kHands, value_of(i));
      to += std::size_t(own_hands) * round.padded_lanes;
    };
    if (node.has_fold) put([&](int i) { return fold_column(n, begin)[i]; });
    put([&](int i) {
      if (node.call_end < 0) return node_tile(node.call_node)[i];
      if (round.is_last) return show_column(n, begin)[i];
      return is_all_in(node) ? all_in_column(n, begin)[i] : get_next_value(begin + i * kHands, node.call_end);
    });
    for (const int raise_node : node.raise_nodes) put([&](int i) { return node_tile(raise_node)[i]; });
  }

  void backward_opponent(int count, const BettingNode& node, const V* folded, const V* called, V* value) const {
    for (int i = 0; i < count; ++i) {
      V sum = folded ? folded[i] : called[i];
      if (folded && called) sum += called[i];
      value[i] = sum;
    }
    for (const int raise_node : node.raise_nodes) {
      const V* const raised = node_tile(raise_node);
      for (int i = 0; i < count; ++i) value[i] += raised[i];
    }
  }

  template <int Actions>
  void backward_own(const BettingNode& node, int n, int begin, int end, const V* const* children, V* value) const {
    const ActionCount<Actions> actions(node.num_actions);
    const NodeValues<V> values{children, value, end - begin, num_vectors(end - begin)};
    const V noise = kNoise<Real> * totals[n] * fold_chips(n);
    const Step& step = pass.step;
    const auto open = [&](LaneView<Element> of_block) { return tile<Actions>(of_block, node, begin, end); };
    if (pass.mode == Mode::best_response) {
      choose_best(actions, values);
      if constexpr (kBuckets)
        if (views.own_weights) record_best(open(views.own_weights), actions, values);
      return;
    }
    if (pass.mode == Mode::evaluate) return mix(open(views.own_weights), actions, values);
    if constexpr (kBuckets) return add_regrets(step, open(views.own_regrets), actions, values, noise);
    if constexpr (!kBuckets && Actions != kAnyActions)  // the games of limit betting, which CFR+ solves from disk
      if (step.discount_positive == 1 && step.discount_negative == 1 && step.floor && !step.predictive)
        return update_plus(step, open(views.own_regrets), actions, values, noise);
    if constexpr (!kBuckets) {
      auto regrets = open(views.own_regrets);
      if (!step.predictive)
        return update_any(step, regrets, static_cast<NodeTile<Actions>*>(nullptr), actions, values, noise);
      auto weights = open(views.own_weights);
      update_any(step, regrets, &weights, actions, values, noise);
    }
  }

  // Locked hands of a tile: their value is that of the fixed probabilities, and an update leaves their weights as they
  // were.
  void keep_locked(const LockedNode& lock, const BettingNode& node, int begin, int end, const V* const* children,
                   V* value) const {
    if constexpr (!kBuckets) {
      const auto put_back = [&](LaneView<Element> of_block, int hand) {
        const std::size_t rows = std::size_t(own_hands) * node.first_action + std::size_t(hand) * node.num_actions;
        for (int a = 0; a < node.num_actions; ++a)
          of_block.values[(rows + a) * lanes + lock.lane] = Element(lock.probability[hand * node.num_actions + a]);
      };
      for (int hand = begin; hand < end; ++hand) {
        if (!lock.is_locked[hand]) continue;
        const int i = (hand - begin) / kHands, element = kAcrossHands ? (hand - begin) % kHands : lock.lane;
        Real mean = 0;
        for (int a = 0; a < node.num_actions; ++a)
          mean += Real(lock.probability[hand * node.num_actions + a]) * children[a][i].get(element);
        value[i].set(element, mean);
        if (pass.mode != Mode::update) continue;
        put_back(views.own_regrets, hand);
        if (pass.step.predictive) put_back(views.own_weights, hand);
      }
    }
  }
};

template <class Element>
void pass_down(const BlockInput<RealOf<Element>>& input, const PassViews<Element>& views) {
  with_width(input, [&]<int Width>(const Block<RealOf<Element>, Width>& block) {
    BlockPass<Element, Width>(block, views).forward();
    evaluate_terminals(block);
  });
}

template <class Element>
void pass_up(const BlockInput<RealOf<Element>>& input, const PassViews<Element>& views, RealOf<Element>* value) {
  with_width(input, [&]<int Width>(const Block<RealOf<Element>, Width>& block) {
    BlockPass<Element, Width>(block, views).backward(value);
  });
}

#define ERRAI_INSTANTIATE_BLOCK_PASS(Element)                                             \
  template void pass_down(const BlockInput<RealOf<Element>>&, const PassViews<Element>&); \
  template void pass_up(const BlockInput<RealOf<Element>>&, const PassViews<Element>&, RealOf<Element>*);

}  // namespace errai
