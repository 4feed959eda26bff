// The definitions of block_pass.hpp; block_pass_float.cpp, block_pass_double.cpp and block_pass_uint16.cpp instantiate
// them.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "lanes/block_pass.hpp"

namespace errai {

// One block of lanes on one board, in vectors of a known width.
template <class Element, int Width>
struct BlockPass {
  using Real = RealOf<Element>;
  static constexpr bool kAcrossHands = Width == 1;
  static constexpr int W = kAcrossHands ? kHandsAcross : Width;
  static constexpr int kHands = kAcrossHands ? W : 1;  // per vector
  static constexpr int kTileVectors = kTile / kHands;  // per node
  using V = Vector<Real, W>;
  using ColumnsOfHand = Vector<Real, kColumnsAcross>;
  template <int Actions>
  using NodeTile = std::conditional_t<kAcrossHands, HandTile<Element, W, Actions>, Tile<Element, W, Actions>>;

  const Pass& pass;
  PassViews<Element> views;
  const Round& round;
  const RoundTables<Real>& tables;
  const Board& board;
  int board_index;
  LaneBlock block;
  const Real* reach_rows;
  const std::int32_t* parent_hand;
  Level<Real>& level;
  V* fold;
  V* show;
  V* totals;  // of the opponent's reach at our nodes
  V* tile_of_nodes;
  V committed;  // of the lanes, at the start of the round
  int lanes;    // active lanes of the block
  int num_next_lanes;

  BlockPass(const BlockInput<Element>& input, const PassViews<Element>& block_views)
      : pass(input.pass),
        views(block_views),
        round(*input.tables.round),
        tables(input.tables),
        board(round.boards[input.place.board]),
        board_index(input.place.board),
        block(round.blocks[input.place.block]),
        reach_rows(input.reach_rows),
        parent_hand(input.parent_hand),
        level(input.level),
        fold(reinterpret_cast<V*>(level.fold.data + kept_lanes() * tables.columns.size() * tables.most_hands)),
        show(reinterpret_cast<V*>(level.show.data)),
        totals(reinterpret_cast<V*>(level.totals.data + kept_lanes() * round.nodes.size())),
        tile_of_nodes(reinterpret_cast<V*>(level.tile.data)),
        lanes(std::min(Width, round.num_lanes - block.first_lane)),
        num_next_lanes(round.is_last ? 0 : pass.tree->rounds[input.place.round + 1].padded_lanes) {
    for (int i = 0; i < W; ++i) committed.set(i, Real(round.lane_committed[block.first_lane + (kAcrossHands ? 0 : i)]));
  }

  static int num_vectors(int num_hands) { return (num_hands + kHands - 1) / kHands; }
  // Active elements of the vector that begins at hand h: lanes, or hands of the single lane. The rest is idle.
  int num_filled(int h) const { return kAcrossHands ? std::min(W, board.num_hands - h) : lanes; }

  // Lanes before this block whose columns are kept, because a round before the last comes back to them.
  std::size_t kept_lanes() const { return round.is_last ? 0 : block.first_lane; }

  const Real* reach_row(int h) const {
    const std::size_t row = parent_hand ? parent_hand[h] : h;
    return reach_rows + row * round.padded_lanes + block.first_lane;
  }

  V load_reach(int h) const {
    if constexpr (!kAcrossHands) return load<V>(reach_row(h));
    alignas(V) Real of_hand[W] = {};
    for (int i = 0; i < num_filled(h); ++i) of_hand[i] = *reach_row(h + i);
    return load<V>(of_hand);
  }

  bool is_dead() const {
    const Step& step = pass.step;
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

  // The values of a node among those of the block, for the tile of hands from `begin` to `end`.
  template <int Actions>
  NodeTile<Actions> tile(LaneView<Element> of_block, const BettingNode& node, int begin, int end) const {
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

  // Where the next round has element i of the vector that begins at hand h, after the ending `end`.
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

  // A node's part of the tile, and the reach at a node.
  V* node_tile(int n) const { return tile_of_nodes + std::size_t(n) * kTileVectors; }
  const V* reach_at(int n) const { return reinterpret_cast<const V*>(level.tile_reach[n]); }
  void set_reach(int n, const V* reach) const { level.tile_reach[n] = reinterpret_cast<const Real*>(reach); }

  void forward_tile(int begin, int end) const {
    const int first = tables.first_node;
    V* const root = node_tile(first);
    for (int i = 0; i < num_vectors(end - begin); ++i) root[i] = load_reach(begin + i * kHands);
    set_reach(first, root);
    for (int n = first; n < tables.end_node; ++n) {
      const BettingNode& node = round.nodes[n];
      if (node.player == pass.player) {
        forward_own(node, n, begin, end);
        continue;
      }
      const V* const reach = reach_at(n);
      V* raised = node.raise_node >= 0 ? node_tile(node.raise_node) : nullptr;
      V* called = node.call_node >= 0 ? node_tile(node.call_node) : nullptr;
      if (raised) set_reach(node.raise_node, raised);
      if (called) set_reach(node.call_node, called);
      const auto go = [&]<bool Averages>() {
        if (node.num_actions == 3)
          forward_opponent<3, 1, Averages>(node, n, begin, end, reach, called, raised);
        else if (node.num_actions == 2 && node.has_fold)
          forward_opponent<2, 1, Averages>(node, n, begin, end, reach, called, raised);
        else if (node.num_actions == 2)
          forward_opponent<2, 0, Averages>(node, n, begin, end, reach, called, raised);
        else
          forward_opponent<1, 0, Averages>(node, n, begin, end, reach, called, raised);
      };
      if (views.opponent_average && pass.step.average_weight != 0)
        go.template operator()<true>();
      else
        go.template operator()<false>();
    }
  }

  void forward_own(const BettingNode& node, int n, int begin, int end) const {
    const V* const reach = reach_at(n);
    if (node.raise_node >= 0) set_reach(node.raise_node, reach);
    if (node.call_node >= 0) set_reach(node.call_node, reach);
    const int count = num_vectors(end - begin);
    for (int i = 0; i < count; ++i) totals[n] += reach[i];
    if (tables.column_of_node[n] >= 0) {
      const bool folds = tables.columns[tables.column_of_node[n]].kind == ColumnKind::fold;
      V* column = column_from(folds ? fold : show, n, begin);
      for (int i = 0; i < count; ++i) column[i] = reach[i];
    }
    if (!round.is_last && node.call_end >= 0)
      for (int i = 0; i < count; ++i) put_next_reach(begin + i * kHands, node.call_end, reach[i]);
  }

  // `Call`: the index of the call, which comes after a fold.
  template <int Actions, int Call, bool Averages>
  void forward_opponent(const BettingNode& node, int n, int begin, int end, const V* reach, V* called,
                        V* raised) const {
    const auto weights = tile<Actions>(views.opponent_weights, node, begin, end);
    auto average = tile<Actions>(Averages ? views.opponent_average : views.opponent_weights, node, begin, end);
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

  // The strategy proportional to the positive parts; even where there are none.
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
    const HandTable<Real> hands =
        hand_table(*pass.tree, round, board_index, tables.class_weight.data(), tables.orbit_weight.data());
    if constexpr (kAcrossHands) {
      terminals_across(hands);
    } else {
      for (std::size_t c = 0; c < tables.columns.size();) {
        // Columns of one kind stand together.
        const bool paired = c + 1 < tables.columns.size() && tables.columns[c].kind == tables.columns[c + 1].kind;
        paired ? evaluate<2>(hands, c) : evaluate<1>(hands, c);
        c += paired ? 2 : 1;
      }
    }
  }

  template <int Columns>
  void evaluate(const HandTable<Real>& hands, std::size_t first) const {
    const ColumnKind kind = tables.columns[first].kind;
    TerminalColumns<Real, W, Columns> columns;
    columns.before = reinterpret_cast<V*>(level.before.data);
    for (int i = 0; i < Columns; ++i) {
      const int n = tables.columns[first + i].node;
      const BettingNode& node = round.nodes[n];
      columns.fold[i] = fold_column(n);
      columns.show[i] = round.is_last ? show_column(n) : nullptr;
      columns.folded[i] = fold_committed(node);
      if (kind == ColumnKind::fold && node.player == pass.player) columns.folded[i] = -columns.folded[i];
      columns.committed[i] = round.is_last && node.call_end >= 0 ? end_committed(node) : V::all(0);
    }
    evaluate_columns(hands, kind, columns);
  }

  // All columns of a block of one lane, kColumnsAcross at a time: they are transposed for it, and back.
  void terminals_across(const HandTable<Real>& hands) const {
    HandColumns<Real, kColumnsAcross> across;
    across.counted = reinterpret_cast<ColumnsOfHand*>(level.across.data);
    across.show = across.counted + tables.most_hands;
    across.before = across.show + tables.most_hands;
    for (std::size_t first = 0; first < tables.columns.size(); first += kColumnsAcross) {
      across.by_all = across.by_order = across.committed = ColumnsOfHand::all(0);
      for_columns(first, [&](int c, const Column& column) {
        const BettingNode& node = round.nodes[column.node];
        const Real folded = fold_committed(node).get(0);
        across.by_all.set(c, column.kind == ColumnKind::opponent ? 1 : node.player == pass.player ? -folded : folded);
        if (column.kind != ColumnKind::fold) across.committed.set(c, end_committed(node).get(0));
        if (column.kind == ColumnKind::opponent) across.by_order.set(c, across.committed.get(c));
      });
      for (int begin = 0; begin < board.num_hands; begin += kTile)
        for_columns(first, [&](int c, const Column& column) {
          const bool counts_fold = column.kind == ColumnKind::fold || column.kind == ColumnKind::opponent;
          transpose_to_hands(begin, counts_fold ? fold_column(column.node) : show_column(column.node), across.counted,
                             c);
          if (column.kind != ColumnKind::fold) transpose_to_hands(begin, show_column(column.node), across.show, c);
        });
      if (round.is_last)
        evaluate_across_columns(hands, across);
      else
        evaluate_columns<Real, kColumnsAcross, 1>(
            hands, ColumnKind::fold, {{across.counted}, {nullptr}, {across.by_all}, {across.committed}, nullptr});
      for (int begin = 0; begin < board.num_hands; begin += kTile)
        for_columns(first, [&](int c, const Column& column) {
          if (column.kind != ColumnKind::showdown)
            transpose_to_column(begin, across.counted, c, fold_column(column.node));
          if (column.kind == ColumnKind::own || column.kind == ColumnKind::showdown)
            transpose_to_column(begin, across.show, c, show_column(column.node));
        });
    }
  }

  template <class Act>
  void for_columns(std::size_t first, Act&& act) const {
    const std::size_t end = std::min(first + kColumnsAcross, tables.columns.size());
    for (std::size_t c = first; c < end; ++c) act(int(c - first), tables.columns[c]);
  }

  // Copies a tile of a column to element c of the vectors of its hands, and back.
  void transpose_to_hands(int begin, const V* column, ColumnsOfHand* of_hand, int c) const {
    const Real* from = reinterpret_cast<const Real*>(column);
    for (int h = begin; h < std::min(begin + kTile, board.num_hands); ++h)
      reinterpret_cast<Real*>(of_hand + h)[c] = from[h];
  }
  void transpose_to_column(int begin, const ColumnsOfHand* of_hand, int c, V* column) const {
    Real* to = reinterpret_cast<Real*>(column);
    for (int h = begin; h < std::min(begin + kTile, board.num_hands); ++h)
      to[h] = reinterpret_cast<const Real*>(of_hand + h)[c];
  }

  void backward(Real* value) const {
    for (int begin = 0; begin < board.num_hands; begin += kTile)
      backward_tile(begin, std::min(begin + kTile, board.num_hands), value);
  }

  void backward_tile(int begin, int end, Real* value) const {
    const int count = num_vectors(end - begin);
    for (int n = tables.end_node - 1; n >= tables.first_node; --n) {
      const BettingNode& node = round.nodes[n];
      V* const value_at_node = node_tile(n);
      const V* raised = node.raise_node >= 0 ? node_tile(node.raise_node) : nullptr;
      V ended[kTileVectors];
      const V* called = node_tile(std::max(node.call_node, 0));
      if (node.call_end >= 0) {
        called = ended;
        if (round.is_last)
          called = show_column(n, begin);
        else
          for (int i = 0; i < count; ++i) ended[i] = get_next_value(begin + i * kHands, node.call_end);
      }
      const V* folded = node.has_fold ? fold_column(n, begin) : nullptr;
      if (node.player != pass.player) {
        if (round.is_last && node.has_fold && node.call_end >= 0)
          called = nullptr;  // its value is part of that of the fold
        backward_opponent(count, folded, called, raised, value_at_node);
      } else if (node.num_actions == 3) {
        backward_own<3>(node, n, begin, end, {folded, called, raised}, value_at_node);
      } else if (node.num_actions == 2) {
        backward_own<2>(node, n, begin, end, {folded ? folded : called, folded ? called : raised}, value_at_node);
      } else {
        backward_own<1>(node, n, begin, end, {called}, value_at_node);
      }
    }
    for (int i = 0; i < count; ++i) store_value(value, begin + i * kHands, node_tile(tables.first_node)[i]);
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
    const auto open = [&](LaneView<Element> of_block) { return tile<Actions>(of_block, node, begin, end); };
    if (pass.mode == Mode::evaluate)
      mix<Actions>(open(views.own_weights), end - begin, children, value);
    else if (pass.step.discount_positive == 1 && pass.step.discount_negative == 1 && pass.step.floor &&
             !pass.step.predictive)
      update_plus<Actions>(open(views.own_regrets), end - begin, children, noise, value);
    else
      update_any<Actions>(open(views.own_regrets), open(views.own_weights), end - begin, children, noise, value);
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

  // CFR+ and every variant that only weights its regrets: R <- max(R + weight * r, 0).
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

  // The complete rule of solvers/variants.py. `weights` are the regrets themselves unless the variant is predictive.
  template <int Actions>
  void update_any(NodeTile<Actions> regrets, NodeTile<Actions> weights, int num_hands,
                  const std::array<const V*, Actions>& children, V noise, V* value) const {
    const Step& step = pass.step;
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

// Calls act(BlockPass) with the width of the block.
template <class Element, class Act>
auto with_width(const BlockInput<Element>& input, const PassViews<Element>& views, Act&& act) {
  switch (input.tables.round->blocks[input.place.block].width) {
    case 16: return act(BlockPass<Element, 16>(input, views));
    case 8: return act(BlockPass<Element, 8>(input, views));
    case 4: return act(BlockPass<Element, 4>(input, views));
    default: return act(BlockPass<Element, 1>(input, views));
  }
}

template <class Element>
bool is_dead(const BlockInput<Element>& input) {
  return with_width(input, {}, [](const auto& block) { return block.is_dead(); });
}

template <class Element>
void pass_down(const BlockInput<Element>& input, const PassViews<Element>& views) {
  with_width(input, views, [](const auto& block) {
    block.forward();
    block.terminals();
  });
}

template <class Element>
void pass_up(const BlockInput<Element>& input, const PassViews<Element>& views, RealOf<Element>* value) {
  with_width(input, views, [&](const auto& block) { block.backward(value); });
}

template <class Element>
void write_zero(const BlockInput<Element>& input, RealOf<Element>* value) {
  with_width(input, {}, [&](const auto& block) { block.write_zero(value); });
}

#define ERRAI_INSTANTIATE_BLOCK_PASS(Element)                                                     \
  template bool is_dead(const BlockInput<Element>&);                                              \
  template void pass_down(const BlockInput<Element>&, const PassViews<Element>&);                 \
  template void pass_up(const BlockInput<Element>&, const PassViews<Element>&, RealOf<Element>*); \
  template void write_zero(const BlockInput<Element>&, RealOf<Element>*);

}  // namespace errai
