// The arithmetic of a pass on one board, one block of lanes at a time: the opponent's reach goes down the betting, the
// ends of hands are evaluated, and values come up, where the player's regrets are updated.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "pass.hpp"
#include "regret.hpp"
#include "round_tables.hpp"
#include "terminals.hpp"
#include "tiles.hpp"
#include "vectors.hpp"

namespace errai {

constexpr int kMaxNodes = 64;  // of a round's betting

// One block of lanes on one board.
template <class Element, int Width>
struct BlockWalk {
  using Real = RealOf<Element>;
  static constexpr bool kAcrossHands = Width == 1;
  static constexpr int W = kAcrossHands ? kHandsAcross : Width;
  static constexpr int kHands = kAcrossHands ? W : 1;  // of a vector
  using V = Vector<Real, W>;
  using HandColumns = Vector<Real, kColumnsAcross>;
  template <int Actions>
  using NodeTile = std::conditional_t<kAcrossHands, HandTile<Element, W, Actions>, Tile<Element, W, Actions>>;

  const Pass& pass;
  PassNumbers<Element> numbers;  // of the block
  const Round& round;
  const RoundTables<Real>& tables;
  const Board& board;
  LaneBlock block;
  const Real* rows;
  const std::int32_t* parent_hand;
  Level<Real>& level;
  V* fold;
  V* show;
  V* totals;    // of the opponent's reach at our nodes
  V committed;  // of the lanes, at the start of the round
  int lanes;    // of the block that are there
  int num_next_lanes;

  BlockWalk(const Pass& of_pass, const RoundTables<Real>& of_round, const Place& place, const Real* reach_rows,
            const std::int32_t* parents, Level<Real>& of_thread)
      : pass(of_pass),
        round(*of_round.round),
        tables(of_round),
        board(round.boards[place.board]),
        block(round.blocks[place.block]),
        rows(reach_rows),
        parent_hand(parents),
        level(of_thread),
        fold(reinterpret_cast<V*>(level.fold.data + kept_lanes() * tables.columns.size() * tables.most_hands)),
        show(reinterpret_cast<V*>(level.show.data)),
        totals(reinterpret_cast<V*>(level.totals.data + kept_lanes() * round.nodes.size())),
        lanes(std::min(Width, round.num_lanes - block.first_lane)),
        num_next_lanes(round.is_last ? 0 : pass.tree->rounds[place.round + 1].padded_lanes) {
    for (int i = 0; i < W; ++i) committed.set(i, Real(round.lane_committed[block.first_lane + (kAcrossHands ? 0 : i)]));
  }

  static int num_vectors(int num_hands) { return (num_hands + kHands - 1) / kHands; }
  // In the vector from hand h on: lanes, or hands of the one lane. The rest is idle.
  int num_filled(int h) const { return kAcrossHands ? std::min(W, board.num_hands - h) : lanes; }

  // Lanes before this block whose columns are kept: a round that is not the last comes back to them.
  std::size_t kept_lanes() const { return round.is_last ? 0 : block.first_lane; }

  const Real* reach_row(int h) const {
    const std::size_t row = parent_hand ? parent_hand[h] : h;
    return rows + row * round.padded_lanes + block.first_lane;
  }

  V load_reach(int h) const {
    if constexpr (!kAcrossHands) return load<V>(reach_row(h));
    alignas(V) Real of_hand[W] = {};
    for (int i = 0; i < num_filled(h); ++i) of_hand[i] = *reach_row(h + i);
    return load<V>(of_hand);
  }

  // Where the opponent never comes, nothing changes (fully true only while nothing is discounted).
  bool is_dead() const {
    const LaneStep& step = pass.step;
    if (pass.mode == Mode::update &&
        (step.discount_positive != 1 || step.discount_negative != 1 || step.average_decay != 1 || step.predictive))
      return false;
    V any{};
    for (int h = 0; h < board.num_hands; h += kHands) any = maximum(any, load_reach(h));
    for (int i = 0; i < W; ++i)
      if (any.get(i) != 0) return false;
    return true;
  }

  void write_zero(Real* value) const {
    for (int h = 0; h < board.num_hands; h += kHands) store_value(value, h, V{});
  }

  void store_value(Real* value, int h, const V& v) const {
    Real* to = value + std::size_t(h) * round.padded_lanes + block.first_lane;
    if constexpr (!kAcrossHands) return store(to, v);
    for (int i = 0; i < num_filled(h); ++i) to[i * round.padded_lanes] = v.get(i);
  }

  // A node's numbers among those of the block, from hand `begin` on, the first of a tile, up to hand `end`.
  template <int Actions>
  NodeTile<Actions> tile(Numbers<Element> of_block, const BettingNode& node, int begin, int end) const {
    const std::size_t hands = board.num_hands, tiles = (hands + kTile - 1) / kTile;
    return {of_block, lanes * (hands * node.first_action + std::size_t(begin) * Actions),
            lanes * (tiles * node.ordinal + begin / kTile), kAcrossHands ? end - begin : lanes};
  }

  V* column_from(V* columns, int node, int hand) const {
    return columns + std::size_t(tables.column_of_node[node]) * num_vectors(board.num_hands) + hand / kHands;
  }
  V* fold_column(int node, int hand = 0) const { return column_from(fold, node, hand); }
  V* show_column(int node, int hand = 0) const { return column_from(show, node, hand); }

  V fold_committed(const BettingNode& node) const { return committed + Real(node.fold_committed); }
  V end_committed(const BettingNode& node) const { return committed + Real(round.end_committed[node.call_end]); }

  // Of the vector from hand h on, number i: where the next round has it after the ending `end`.
  std::size_t next_place(int h, int i, int end) const {
    const std::size_t hand = kAcrossHands ? h + i : h;
    const int lane = block.first_lane + (kAcrossHands ? 0 : i);
    return hand * num_next_lanes + lane * round.num_ends + end;
  }

  void put_next_reach(int h, int end, const V& reach) const {
    for (int i = 0; i < num_filled(h); ++i) level.next_reach.data[next_place(h, i, end)] = reach.get(i);
  }

  V get_next_value(int h, int end) const {
    V value{};
    for (int i = 0; i < num_filled(h); ++i) value.set(i, level.next_value.data[next_place(h, i, end)]);
    return value;
  }

  void forward() const {
    for (std::size_t n = 0; n < round.nodes.size(); ++n) totals[n] = V::all(0);
    for (int begin = 0; begin < board.num_hands; begin += kTile)
      forward_tile(begin, std::min(begin + kTile, board.num_hands));
    if constexpr (kAcrossHands)
      for (std::size_t n = 0; n < round.nodes.size(); ++n) {
        Real total = 0;
        for (int i = 0; i < W; ++i) total += totals[n].get(i);
        totals[n] = V::all(total);
      }
  }

  void forward_tile(int begin, int end) const {
    V buffers[kMaxNodes][kTile / kHands];
    const V* reach[kMaxNodes];
    const int first = tables.first_node;
    for (int i = 0; i < num_vectors(end - begin); ++i) buffers[first][i] = load_reach(begin + i * kHands);
    reach[first] = buffers[first];
    for (int n = first; n < tables.end_node; ++n) {
      const BettingNode& node = round.nodes[n];
      if (node.player == pass.player) {
        forward_own(node, n, begin, end, reach);
        continue;
      }
      V* raised = node.raise_node >= 0 ? buffers[node.raise_node] : nullptr;
      V* called = node.call_node >= 0 ? buffers[node.call_node] : nullptr;
      if (raised) reach[node.raise_node] = raised;
      if (called) reach[node.call_node] = called;
      const auto go = [&]<bool Averages>() {
        if (node.num_actions == 3)
          forward_opponent<3, 1, Averages>(node, n, begin, end, reach[n], called, raised);
        else if (node.num_actions == 2 && node.has_fold)
          forward_opponent<2, 1, Averages>(node, n, begin, end, reach[n], called, raised);
        else if (node.num_actions == 2)
          forward_opponent<2, 0, Averages>(node, n, begin, end, reach[n], called, raised);
        else
          forward_opponent<1, 0, Averages>(node, n, begin, end, reach[n], called, raised);
      };
      if (numbers.opponent_average && pass.step.average_weight != 0)
        go.template operator()<true>();
      else
        go.template operator()<false>();
    }
  }

  void forward_own(const BettingNode& node, int n, int begin, int end, const V** reach) const {
    if (node.raise_node >= 0) reach[node.raise_node] = reach[n];
    if (node.call_node >= 0) reach[node.call_node] = reach[n];
    const int count = num_vectors(end - begin);
    for (int i = 0; i < count; ++i) totals[n] += reach[n][i];
    if (tables.column_of_node[n] >= 0) {
      const bool folds = tables.columns[tables.column_of_node[n]].kind == ColumnKind::fold;
      V* column = column_from(folds ? fold : show, n, begin);
      for (int i = 0; i < count; ++i) column[i] = reach[n][i];
    }
    if (!round.is_last && node.call_end >= 0)
      for (int i = 0; i < count; ++i) put_next_reach(begin + i * kHands, node.call_end, reach[n][i]);
  }

  // `Call`: which of the actions is the call, the one after a fold.
  template <int Actions, int Call, bool Averages>
  void forward_opponent(const BettingNode& node, int n, int begin, int end, const V* reach, V* called,
                        V* raised) const {
    const auto weights = tile<Actions>(numbers.opponent_weights, node, begin, end);
    auto average = tile<Actions>(Averages ? numbers.opponent_average : numbers.opponent_weights, node, begin, end);
    const Real decay = Real(pass.step.average_decay), weight = Real(pass.step.average_weight);
    const bool shows = round.is_last && node.call_end >= 0;
    const bool goes_on = !round.is_last && node.call_end >= 0;
    V* folds = node.has_fold ? fold_column(n, begin) : nullptr;
    V* shown = shows ? show_column(n, begin) : nullptr;
    const V folded_chips = fold_committed(node);
    const V called_chips = shows ? end_committed(node) : V{};
    for (int i = 0; i < num_vectors(end - begin); ++i) {
      V part[Actions];
      normalise<Actions>(weights, i, part);
      for (int a = 0; a < Actions; ++a) part[a] *= reach[i];
      if constexpr (Averages)
        for (int a = 0; a < Actions; ++a) average.put(i, a, average.get(i, a) * decay + part[a] * weight);
      if (folds) folds[i] = shows ? folded_chips * part[0] - called_chips * part[Call] : part[0];
      if (shown) shown[i] = part[Call];
      if (called) called[i] = part[Call];
      if (goes_on) put_next_reach(begin + i * kHands, node.call_end, part[Call]);
      if (raised) raised[i] = part[Actions - 1];
    }
    if constexpr (Averages) average.finish(end - begin);
  }

  // The strategy in proportion to the positive parts; uniform where there are none.
  template <int Actions>
  [[gnu::always_inline]] static inline void normalise(const NodeTile<Actions>& weights, int i, V* strategy) {
    V sum = V::all(0);
    for (int a = 0; a < Actions; ++a) {
      strategy[a] = positive(weights.get(i, a));
      sum += strategy[a];
    }
    const V inverse = Real(1) / maximum(sum, V::all(std::numeric_limits<Real>::min()));
    const V even = V::all(even_probability<Real>(Actions));
    for (int a = 0; a < Actions; ++a) strategy[a] = where_positive(sum, strategy[a] * inverse, even);
  }

  void terminals() const {
    const int num_hole = pass.tree->num_hole;
    const bool weighted = round.board_is_weighted[&board - round.boards.data()];
    if (num_hole == 2)
      weighted ? terminals_of<2, true>() : terminals_of<2, false>();
    else
      weighted ? terminals_of<1, true>() : terminals_of<1, false>();
  }

  template <int Hole, bool Weighted>
  void terminals_of() const {
    const HandTable<Real> hands{board.num_hands,
                                board.num_orbits,
                                board.num_groups,
                                round.orbit.data() + std::size_t(board.first_hand) * Hole,
                                tables.class_weight.data() + board.first_hand,
                                tables.orbit_weight.data() + std::size_t(board.first_hand) * Hole,
                                round.group_end.data() + board.first_group};
    if constexpr (kAcrossHands) return terminals_across<Hole, Weighted>(hands);
    for (std::size_t c = 0; c < tables.columns.size();) {
      // Columns of a kind stand together.
      const bool paired = c + 1 < tables.columns.size() && tables.columns[c].kind == tables.columns[c + 1].kind;
      if (paired)
        terminals_of_kind<Hole, Weighted, 2>(hands, c);
      else
        terminals_of_kind<Hole, Weighted, 1>(hands, c);
      c += paired ? 2 : 1;
    }
  }

  // All columns of a block of one lane, kColumnsAcross at a time: they are transposed for it, and back.
  template <int Hole, bool Weighted>
  void terminals_across(const HandTable<Real>& hands) const {
    HandColumns* counted = reinterpret_cast<HandColumns*>(level.across.data);
    HandColumns* shown = counted + tables.most_hands;
    HandColumns* before = shown + tables.most_hands;
    for (std::size_t first = 0; first < tables.columns.size(); first += kColumnsAcross) {
      HandColumns by_all = HandColumns::all(0), by_order = by_all, committed_at_end = by_all;
      for_columns(first, [&](int c, const Column& column) {
        const BettingNode& node = round.nodes[column.node];
        const Real folded = fold_committed(node).get(0);
        by_all.set(c, column.kind == ColumnKind::opponent ? 1 : node.player == pass.player ? -folded : folded);
        if (column.kind != ColumnKind::fold) committed_at_end.set(c, end_committed(node).get(0));
        if (column.kind == ColumnKind::opponent) by_order.set(c, committed_at_end.get(c));
      });
      for (int begin = 0; begin < board.num_hands; begin += kTile)
        for_columns(first, [&](int c, const Column& column) {
          const bool counts_fold = column.kind == ColumnKind::fold || column.kind == ColumnKind::opponent;
          spread(begin, counts_fold ? fold_column(column.node) : show_column(column.node), counted, c);
          if (column.kind != ColumnKind::fold) spread(begin, show_column(column.node), shown, c);
        });
      if (round.is_last)
        evaluate_across_columns<Real, kColumnsAcross, Hole, Weighted>(hands, counted, shown, by_all, by_order,
                                                                      committed_at_end, before);
      else
        evaluate_columns<Real, kColumnsAcross, Hole, Weighted, ColumnKind::fold, 1>(
            hands, {counted}, {nullptr}, {by_all}, {committed_at_end}, nullptr);
      for (int begin = 0; begin < board.num_hands; begin += kTile)
        for_columns(first, [&](int c, const Column& column) {
          if (column.kind != ColumnKind::showdown) collect(begin, counted, c, fold_column(column.node));
          if (column.kind == ColumnKind::own || column.kind == ColumnKind::showdown)
            collect(begin, shown, c, show_column(column.node));
        });
    }
  }

  template <class Do>
  void for_columns(std::size_t first, Do&& act) const {
    const std::size_t end = std::min(first + kColumnsAcross, tables.columns.size());
    for (std::size_t c = first; c < end; ++c) act(int(c - first), tables.columns[c]);
  }

  // A tile of a column to place c of each hand's columns, and back.
  void spread(int begin, const V* column, HandColumns* of_hand, int c) const {
    const Real* from = reinterpret_cast<const Real*>(column);
    for (int h = begin; h < std::min(begin + kTile, board.num_hands); ++h)
      reinterpret_cast<Real*>(of_hand + h)[c] = from[h];
  }
  void collect(int begin, const HandColumns* of_hand, int c, V* column) const {
    Real* to = reinterpret_cast<Real*>(column);
    for (int h = begin; h < std::min(begin + kTile, board.num_hands); ++h)
      to[h] = reinterpret_cast<const Real*>(of_hand + h)[c];
  }

  template <int Hole, bool Weighted, int Columns>
  void terminals_of_kind(const HandTable<Real>& hands, std::size_t column) const {
    switch (tables.columns[column].kind) {
      case ColumnKind::fold:
        return evaluate<Hole, Weighted, ColumnKind::fold, Columns>(hands, column);
      case ColumnKind::showdown:
        return evaluate<Hole, Weighted, ColumnKind::showdown, Columns>(hands, column);
      case ColumnKind::own:
        return evaluate<Hole, Weighted, ColumnKind::own, Columns>(hands, column);
      case ColumnKind::opponent:
        return evaluate<Hole, Weighted, ColumnKind::opponent, Columns>(hands, column);
    }
  }

  template <int Hole, bool Weighted, ColumnKind Kind, int Columns>
  void evaluate(const HandTable<Real>& hands, std::size_t column) const {
    V* folds[Columns];
    V* shows[Columns];
    V folded[Columns];
    V committed_at_end[Columns];
    for (int i = 0; i < Columns; ++i) {
      const int n = tables.columns[column + i].node;
      const BettingNode& node = round.nodes[n];
      folds[i] = fold_column(n);
      shows[i] = round.is_last ? show_column(n) : nullptr;
      folded[i] = fold_committed(node);
      if (Kind == ColumnKind::fold && node.player == pass.player) folded[i] = -folded[i];
      committed_at_end[i] = round.is_last && node.call_end >= 0 ? end_committed(node) : V::all(0);
    }
    evaluate_columns<Real, W, Hole, Weighted, Kind, Columns>(hands, folds, shows, folded, committed_at_end,
                                                             reinterpret_cast<V*>(level.before.data));
  }

  void backward(Real* value) const {
    for (int begin = 0; begin < board.num_hands; begin += kTile)
      backward_tile(begin, std::min(begin + kTile, board.num_hands), value);
  }

  void backward_tile(int begin, int end, Real* value) const {
    const int count = num_vectors(end - begin);
    V values[kMaxNodes][kTile / kHands];
    for (int n = tables.end_node - 1; n >= tables.first_node; --n) {
      const BettingNode& node = round.nodes[n];
      const V* raised = node.raise_node >= 0 ? values[node.raise_node] : nullptr;
      V ended[kTile / kHands];
      const V* called = values[std::max(node.call_node, 0)];
      if (node.call_end >= 0) {
        called = ended;
        if (round.is_last)
          called = show_column(n, begin);
        else
          for (int i = 0; i < count; ++i) ended[i] = get_next_value(begin + i * kHands, node.call_end);
      }
      const V* folded = node.has_fold ? fold_column(n, begin) : nullptr;
      if (node.player != pass.player) {
        if (round.is_last && node.has_fold && node.call_end >= 0) called = nullptr;  // one value with the fold
        backward_opponent(count, folded, called, raised, values[n]);
      } else if (node.num_actions == 3) {
        backward_own<3>(node, n, begin, end, {folded, called, raised}, values[n]);
      } else if (node.num_actions == 2) {
        backward_own<2>(node, n, begin, end, {folded ? folded : called, folded ? called : raised}, values[n]);
      } else {
        backward_own<1>(node, n, begin, end, {called}, values[n]);
      }
    }
    for (int i = 0; i < count; ++i) store_value(value, begin + i * kHands, values[tables.first_node][i]);
  }

  static void backward_opponent(int count, const V* folded, const V* called, const V* raised, V* value) {
    for (int i = 0; i < count; ++i) {
      V sum = folded ? folded[i] : called[i];
      if (folded && called) sum += called[i];
      if (raised) sum += raised[i];
      value[i] = sum;
    }
  }

  template <int Actions>
  void backward_own(const BettingNode& node, int n, int begin, int end, std::array<const V*, Actions> children,
                    V* value) const {
    const V noise = kNoise<Real> * totals[n] * fold_committed(node);
    if (pass.mode == Mode::best_response) {
      for (int i = 0; i < num_vectors(end - begin); ++i) {
        V best = children[0][i];
        for (int a = 1; a < Actions; ++a) best = maximum(best, children[a][i]);
        value[i] = best;
      }
      return;
    }
    const auto opened = [&](Numbers<Element> of_block) { return tile<Actions>(of_block, node, begin, end); };
    if (pass.mode == Mode::evaluate)
      mix<Actions>(opened(numbers.own_weights), end - begin, children, value);
    else if (pass.step.discount_positive == 1 && pass.step.discount_negative == 1 && pass.step.floor &&
             !pass.step.predictive)
      update_plus<Actions>(opened(numbers.own_regrets), end - begin, children, noise, value);
    else
      update_any<Actions>(opened(numbers.own_regrets), opened(numbers.own_weights), end - begin, children, noise,
                          value);
  }

  template <int Actions>
  [[gnu::always_inline]] static inline V mean_value(const NodeTile<Actions>& weights, int i,
                                                    const std::array<const V*, Actions>& children) {
    V strategy[Actions];
    normalise<Actions>(weights, i, strategy);
    V mean = strategy[0] * children[0][i];
    for (int a = 1; a < Actions; ++a) mean += strategy[a] * children[a][i];
    return mean;
  }

  template <int Actions>
  static void mix(const NodeTile<Actions>& weights, int num_hands, const std::array<const V*, Actions>& children,
                  V* value) {
    for (int i = 0; i < num_vectors(num_hands); ++i) value[i] = mean_value<Actions>(weights, i, children);
  }

  // CFR+ and every variant that only weighs its regrets: R <- max(R + weight * r, 0).
  template <int Actions>
  void update_plus(NodeTile<Actions> regrets, int num_hands, const std::array<const V*, Actions>& children, V noise,
                   V* value) const {
    const Real weight = Real(pass.step.regret_weight);
    for (int i = 0; i < num_vectors(num_hands); ++i) {
      const V mean = mean_value<Actions>(regrets, i, children);
      for (int a = 0; a < Actions; ++a)
        regrets.put(i, a, positive(regrets.get(i, a) + weight * beyond(children[a][i] - mean, noise)));
      value[i] = mean;
    }
    regrets.finish(num_hands);
  }

  // The whole rule of solvers/variants.py. `weights` is the regrets themselves unless the variant is predictive.
  template <int Actions>
  void update_any(NodeTile<Actions> regrets, NodeTile<Actions> weights, int num_hands,
                  const std::array<const V*, Actions>& children, V noise, V* value) const {
    const LaneStep& step = pass.step;
    const V above = V::all(Real(step.discount_positive)), below = V::all(Real(step.discount_negative));
    const Real weight = Real(step.regret_weight), ahead = Real(step.discount_prediction);
    for (int i = 0; i < num_vectors(num_hands); ++i) {
      const V mean = mean_value<Actions>(weights, i, children);
      for (int a = 0; a < Actions; ++a) {
        const V old = regrets.get(i, a);
        const V now = weight * beyond(children[a][i] - mean, noise);
        V sum = old * where_positive(old, above, below) + now;
        if (step.floor) sum = positive(sum);
        regrets.put(i, a, sum);
        if (step.predictive) weights.put(i, a, positive(sum * ahead + now));
      }
      value[i] = mean;
    }
    regrets.finish(num_hands);
    if (step.predictive) weights.finish(num_hands);
  }
};

}  // namespace errai
