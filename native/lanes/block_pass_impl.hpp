// The definitions of block_pass.hpp; block_pass_*.cpp instantiate them, one type of values each.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "lanes/block_pass.hpp"
#include "lanes/bucket_tiles.hpp"
#include "lanes/pair_products.hpp"

namespace errai {

// One block of lanes on one board, in vectors of a known width.
template <class Element, int Width>
struct BlockPass {
  using Real = RealOf<Element>;
  static constexpr bool kAcrossHands = Width == 1;
  static constexpr bool kBuckets = kIsBucketed<Element>;
  static constexpr int W = kAcrossHands ? kHandsAcross : Width;
  static constexpr int kHands = kAcrossHands ? W : 1;  // per vector
  static constexpr int kTileVectors = kTile / kHands;  // per node
  using V = Vector<Real, W>;
  using FewOfHand = Vector<Real, kFewColumns>;
  template <int Actions>
  using NodeTile = std::conditional_t<kAcrossHands, HandTile<Element, W, Actions>, Tile<Element, W, Actions>>;

  const Pass& pass;
  PassViews<Element> views;
  const Round& round;
  const RoundTables<Real>& round_tables;
  const LaneBlock& block;
  const BettingShape& shape;
  const ShapeTables& tables;
  const BlockTables<Real>& block_tables;
  const Board& board;
  int board_index;
  int first_lock;  // of the block on the board; -1 where nothing is locked
  const Real* reach_rows;
  const std::int32_t* parent_hand;
  Level<Real>& level;
  Real* action_values;
  V* fold;
  V* show;
  V* all_in;
  V* totals;  // of the opponent's reach at our nodes
  V* tile_of_nodes;
  int lanes;  // active lanes of the block
  int own_hands, opponent_hands;
  int column_vectors;  // of a column, from one to the next
  int num_next_lanes;

  BlockPass(const BlockInput<Element>& input, const PassViews<Element>& block_views)
      : pass(input.pass),
        views(block_views),
        round(*input.tables.round),
        round_tables(input.tables),
        block(round.blocks[input.place.block]),
        shape(round.shapes[block.shape]),
        tables(input.tables.shapes[block.shape]),
        block_tables(input.tables.blocks[input.place.block]),
        board(round.boards[input.place.board]),
        board_index(input.place.board),
        first_lock(round.first_lock.empty()
                       ? -1
                       : round.first_lock[input.place.board * round.blocks.size() + input.place.block]),
        reach_rows(input.reach_rows),
        parent_hand(input.parent_hand),
        level(input.level),
        action_values(input.action_values),
        fold(reinterpret_cast<V*>(level.fold.data + block_tables.first_column * round_tables.column_hands())),
        show(reinterpret_cast<V*>(level.show.data)),
        all_in(reinterpret_cast<V*>(level.all_in.data + block_tables.first_all_in * round_tables.column_hands())),
        totals(reinterpret_cast<V*>(level.totals.data + block_tables.first_total)),
        tile_of_nodes(reinterpret_cast<V*>(level.tile.data)),
        lanes(block.num_lanes),
        own_hands(board.num_hands[pass.player]),
        opponent_hands(board.num_hands[1 - pass.player]),
        column_vectors(num_vectors(round.has_one_list() ? own_hands : std::max(own_hands, opponent_hands + 1))),
        num_next_lanes(pass.tree->lanes_after(input.place.round)) {}

  static int num_vectors(int num_hands) { return (num_hands + kHands - 1) / kHands; }
  // Active elements of the vector that begins at hand h: lanes, or hands of the single lane. The rest is idle.
  int num_filled(int h, int num_hands) const { return kAcrossHands ? std::min(W, num_hands - h) : lanes; }

  const Real* reach_row(int h) const {
    const std::size_t row = parent_hand ? parent_hand[h] : h;
    return reach_rows + row * round.padded_lanes + block.first_lane;
  }

  V load_reach(int h) const {
    if constexpr (!kAcrossHands) return load<V>(reach_row(h));
    alignas(V) Real of_hand[W] = {};
    for (int i = 0; i < num_filled(h, opponent_hands); ++i) of_hand[i] = *reach_row(h + i);
    return load<V>(of_hand);
  }

  bool is_dead() const {
    const Step& step = pass.step;
    if (pass.mode == Mode::update &&
        (step.discount_positive != 1 || step.discount_negative != 1 || step.average_decay != 1 || step.predictive))
      return false;
    V any{};
    for (int h = 0; h < opponent_hands; h += kHands) any = maximum(any, load_reach(h));
    for (int i = 0; i < W; ++i)
      if (any.get(i) != 0) return false;
    return true;
  }

  void write_zero(Real* value) const {
    for (int h = 0; h < own_hands; h += kHands) store_value(value, h, V{});
  }

  void store_value(Real* value, int h, const V& v) const {
    Real* to = value + std::size_t(h) * round.padded_lanes + block.first_lane;
    if constexpr (!kAcrossHands) return store(to, v);
    for (int i = 0; i < num_filled(h, own_hands); ++i) to[i * round.padded_lanes] = v.get(i);
  }

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

  V* column_from(V* columns, int node, int hand) const {
    return columns + std::size_t(tables.column_of_node[node]) * column_vectors + hand / kHands;
  }
  V* fold_column(int node, int hand = 0) const { return column_from(fold, node, hand); }
  V* show_column(int node, int hand = 0) const { return column_from(show, node, hand); }

  V* all_in_column(int node, int hand = 0) const {
    return all_in + std::size_t(tables.all_in_of_node[node]) * column_vectors + hand / kHands;
  }

  // What a player loses by folding at a node and the other wins; what each has put in where its call ends the round.
  V fold_chips(int n) const { return chips(block_tables.fold_chips, n); }
  V won_chips(int n) const { return chips(block_tables.won_chips, n); }
  V half_rake(const BettingNode& node) const { return chips(block_tables.half_rake, node.call_end); }
  V end_chips(const BettingNode& node) const { return chips(block_tables.end_chips, node.call_end); }
  V chips(const std::vector<Real>& table, int row) const {
    if constexpr (kAcrossHands) return V::all(table[row]);
    return load<V>(table.data() + row * W);
  }

  bool is_all_in(const BettingNode& node) const { return !round.is_last && shape.end_is_all_in[node.call_end]; }

  // Where the next round has element i of the vector that begins at hand h, after the ending `end`.
  std::size_t next_place(int h, int i, int end) const {
    const std::size_t hand = kAcrossHands ? h + i : h;
    return hand * num_next_lanes + block.next_lane[end * block.width + (kAcrossHands ? 0 : i)];
  }

  void put_next_reach(int h, int end, const V& reach) const {
    for (int i = 0; i < num_filled(h, opponent_hands); ++i) level.next_reach.data[next_place(h, i, end)] = reach.get(i);
  }

  V get_next_value(int h, int end) const {
    V value{};
    for (int i = 0; i < num_filled(h, own_hands); ++i) value.set(i, level.next_value.data[next_place(h, i, end)]);
    return value;
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
          case 2: return forward_opponent<1, 0, Averages>(node, n, begin, end, reach, called);
          case 4: return forward_opponent<2, 0, Averages>(node, n, begin, end, reach, called);
          case 5: return forward_opponent<2, 1, Averages>(node, n, begin, end, reach, called);
          case 6: return forward_opponent<3, 0, Averages>(node, n, begin, end, reach, called);
          case 7: return forward_opponent<3, 1, Averages>(node, n, begin, end, reach, called);
          default:
            return node.has_fold ? forward_opponent<kAnyActions, 1, Averages>(node, n, begin, end, reach, called)
                                 : forward_opponent<kAnyActions, 0, Averages>(node, n, begin, end, reach, called);
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

  // `Call`: the index of the call, which comes after a fold.
  template <int Actions, int Call, bool Averages>
  void forward_opponent(const BettingNode& node, int n, int begin, int end, const V* reach, V* called) const {
    const ActionCount<Actions> actions(node.num_actions);
    const auto weights = tile<Actions>(views.opponent_weights, node, begin, end);
    auto average = tile<Actions>(Averages ? views.opponent_average : views.opponent_weights, node, begin, end);
    const Real decay = Real(pass.step.average_decay), weight = Real(pass.step.average_weight);
    const bool shows = round.is_last && node.call_end >= 0;
    const bool goes_on = !round.is_last && node.call_end >= 0 && !is_all_in(node);
    V* folds = node.has_fold ? fold_column(n, begin) : nullptr;
    V* shown = shows ? show_column(n, begin) : nullptr;
    V* ended = node.call_end >= 0 && is_all_in(node) ? all_in_column(n, begin) : nullptr;
    V* raised[ActionCount<Actions>::kRoom];
    for (int a = Call + 1; a < actions; ++a) raised[a] = node_tile(node.raise_nodes[a - Call - 1]);
    const V folded_chips = node.has_fold ? won_chips(n) : V{};
    const V called_chips = shows ? end_chips(node) : V{};
    for (int i = 0; i < num_vectors(end - begin); ++i) {
      V part[ActionCount<Actions>::kRoom];
      normalise<Actions>(weights, actions, i, part);
      for (int a = 0; a < actions; ++a) part[a] *= reach[i];
      if constexpr (Averages && kBuckets)
        for (int a = 0; a < actions; ++a) average.add(i, a, part[a] * weight);
      else if constexpr (Averages)
        for (int a = 0; a < actions; ++a) average.put(i, a, average.get(i, a) * decay + part[a] * weight);
      if (folds) folds[i] = shows ? folded_chips * part[0] - called_chips * part[Call] : part[0];
      if (shown) shown[i] = part[Call];
      if (called) called[i] = part[Call];
      if (ended) ended[i] = part[Call];
      if (goes_on) put_next_reach(begin + i * kHands, node.call_end, part[Call]);
      for (int a = Call + 1; a < actions; ++a) raised[a][i] = part[a];
    }
    if constexpr (Averages) average.finish(end - begin);
  }

  // The strategy proportional to the positive parts; even where there are none.
  template <int Actions>
  [[gnu::always_inline]] static inline void normalise(const NodeTile<Actions>& weights, ActionCount<Actions> actions,
                                                      int i, V* strategy) {
    V sum = V::all(0);
    for (int a = 0; a < actions; ++a) {
      strategy[a] = positive(weights.get(i, a));
      sum += strategy[a];
    }
    const V inverse = Real(1) / maximum(sum, V::all(std::numeric_limits<Real>::min()));
    const V even = V::all(even_probability<Real>(actions));
    for (int a = 0; a < actions; ++a) strategy[a] = where_positive(sum, strategy[a] * inverse, even);
  }

  void terminals() const {
    if (const PairWeights<Real>* pairs = round.pairs<Real>()) return pair_terminals(*pairs);
    const HandTable<Real> hands = hand_table(*pass.tree, round, board_index, pass.player,
                                             round_tables.class_weight.data(), round_tables.orbit_weight.data());
    for (const int n : tables.all_in_nodes) board.num_groups ? settle_all_in(hands, n) : evaluate_all_in(hands, n);
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

  // Where hands are buckets: a product for every column of reach with the weights of pairs, one with their edges, or
  // both. What a column of each kind has is said in terminals.hpp.
  void pair_terminals(const PairWeights<Real>& pairs) const {
    std::vector<PairColumn<Real, W>> counted, shown;
    V* next = reinterpret_cast<V*>(level.products.data);
    const auto add = [&](std::vector<PairColumn<Real, W>>& to, const V* reach) {
      to.push_back({reach, next});
      next += column_vectors;
    };
    for (const auto [n, kind] : tables.columns) {
      if (kind == ColumnKind::opponent) restore_folds(n);
      if (kind != ColumnKind::showdown) add(counted, kind == ColumnKind::own ? show_column(n) : fold_column(n));
      if (kind != ColumnKind::fold) add(shown, show_column(n));
    }
    for (const int n : tables.all_in_nodes) add(shown, all_in_column(n));
    multiply(pairs.weight, counted);
    multiply(pairs.edge, shown);
    auto all = counted.begin(), edge = shown.begin();
    for (const auto [n, kind] : tables.columns) {
      const BettingNode& node = shape.nodes[n];
      const V committed = kind == ColumnKind::fold ? V::all(0) : end_chips(node);
      const V won = kind == ColumnKind::opponent ? V::all(1)
                    : node.player == pass.player ? -fold_chips(n)
                    : kind == ColumnKind::fold   ? won_chips(n)
                                                 : V::all(0);
      if (kind != ColumnKind::showdown) {
        V* const to = fold_column(n);
        for (int i = 0; i < num_vectors(own_hands); ++i) to[i] = won * all->product[i];
        if (kind == ColumnKind::opponent)
          for (int i = 0; i < num_vectors(own_hands); ++i) to[i] += committed * edge->product[i];
        ++all;
      }
      if (kind == ColumnKind::own || kind == ColumnKind::showdown)
        for (int i = 0; i < num_vectors(own_hands); ++i) show_column(n)[i] = committed * edge->product[i];
      edge += kind != ColumnKind::fold;
    }
    for (const int n : tables.all_in_nodes) {
      const V committed = end_chips(shape.nodes[n]);
      for (int i = 0; i < num_vectors(own_hands); ++i) all_in_column(n)[i] = committed * edge->product[i];
      ++edge;
    }
  }

  // What the opponent loses by folding alone: the way down has subtracted what it calls.
  void restore_folds(int n) const {
    const V called_chips = end_chips(shape.nodes[n]);
    V* const folds = fold_column(n);
    const V* const calls = show_column(n);
    for (int i = 0; i < num_vectors(opponent_hands); ++i) folds[i] = folds[i] + called_chips * calls[i];
  }

  void multiply(const PairMatrix<Real>& matrix, const std::vector<PairColumn<Real, W>>& columns) const {
    if constexpr (!kAcrossHands) {
      multiply_pairs(matrix, columns);
    } else {
      // A vector of a hand has as many columns as it holds.
      using OfHand = Vector<Real, kColumnsAcross>;
      auto* const reach = reinterpret_cast<OfHand*>(level.across.data);
      auto* const products = reach + round_tables.column_hands();
      for (std::size_t first = 0; first < columns.size(); first += kColumnsAcross) {
        Real *from[kColumnsAcross] = {}, *to[kColumnsAcross] = {};
        for (std::size_t c = first; c < std::min(columns.size(), first + kColumnsAcross); ++c) {
          from[c - first] = reinterpret_cast<Real*>(const_cast<V*>(columns[c].reach));
          to[c - first] = reinterpret_cast<Real*>(columns[c].product);
        }
        gather_columns(from, reach);
        multiply_pairs<Real, kColumnsAcross>(matrix, {{reach, products}});
        scatter_columns(products, to);
      }
    }
  }

  template <int Columns>
  void evaluate(const HandTable<Real>& hands, std::size_t first) const {
    const ColumnKind kind = tables.columns[first].kind;
    const bool shows = kind != ColumnKind::fold;
    TerminalColumns<Real, W, Columns> columns;
    columns.before = reinterpret_cast<V*>(level.before.data);
    columns.has_rake = round.has_rake;
    V* out = reinterpret_cast<V*>(level.results.data);
    for (int i = 0; i < Columns; ++i) {
      const int n = tables.columns[first + i].node;
      const BettingNode& node = shape.nodes[n];
      columns.fold[i] = columns.fold_out[i] = fold_column(n);
      columns.show[i] = columns.show_out[i] = shows ? show_column(n) : nullptr;
      columns.folded[i] = node.has_fold ? fold_chips(n) : V::all(0);
      if (kind == ColumnKind::fold) columns.folded[i] = node.player == pass.player ? -fold_chips(n) : won_chips(n);
      columns.committed[i] = shows ? end_chips(node) : V::all(0);
      columns.half_rake[i] = shows ? half_rake(node) : V::all(0);
      if (round.has_one_list()) continue;
      columns.fold[i][opponent_hands] = V::all(0);
      if (shows) columns.show[i][opponent_hands] = V::all(0);
      columns.fold_out[i] = out + 2 * i * own_hands;
      columns.show_out[i] = out + (2 * i + 1) * own_hands;
    }
    evaluate_columns(hands, kind, columns);
    if (round.has_one_list()) return;
    for (int i = 0; i < Columns; ++i) {
      if (kind != ColumnKind::showdown) std::copy_n(columns.fold_out[i], own_hands, columns.fold[i]);
      if (kind == ColumnKind::own || kind == ColumnKind::showdown)
        std::copy_n(columns.show_out[i], own_hands, columns.show[i]);
    }
  }

  // A call that is all-in before the last round: the mean over the cards to come of what it pays.
  void evaluate_all_in(const HandTable<Real>& hands, int n) const {
    const float* const edge = round.all_in_edge[pass.player].data() + round.first_edge[pass.player][board_index];
    V* const column = all_in_column(n);
    const V paid = end_chips(shape.nodes[n]) / Real(round.num_final_boards);
    V* const values = reinterpret_cast<V*>(level.results.data);
    if constexpr (kAcrossHands) {
      Real* const to = reinterpret_cast<Real*>(values);
      for (int first = 0; first < own_hands; first += V::kNative) {
        const int count = std::min(V::kNative, own_hands - first);
        const auto sums = weighted_sums(edge + std::size_t(first) * opponent_hands, count, column) * paid.get(0);
        for (int k = 0; k < count; ++k) to[first + k] = sums[k];
      }
      for (int h = own_hands; h < num_vectors(own_hands) * kHands; ++h) to[h] = 0;
    } else {
      // Four hands at a time, so that every vector of reach is read once for four sums.
      constexpr int kRows = 4;
      for (int first = 0; first < own_hands; first += kRows) {
        const int count = std::min(kRows, own_hands - first);
        const float* rows[kRows];
        for (int k = 0; k < kRows; ++k) rows[k] = edge + std::size_t(first + std::min(k, count - 1)) * opponent_hands;
        V sums[kRows];
        for (V& sum : sums) sum = V::all(0);
        for (int o = 0; o < opponent_hands; ++o) {
          const V reach = column[o];
          for (int k = 0; k < kRows; ++k) sums[k] += Real(rows[k][o]) * reach;
        }
        for (int k = 0; k < count; ++k) values[first + k] = paid * sums[k];
      }
    }
    if (round.has_rake) add_all_in_rake(hands, n, values);
    std::copy_n(values, num_vectors(own_hands), column);
  }

  // The same where the board is drawn to its end: a showdown of the hands that share no card with the rest of it.
  void settle_all_in(HandTable<Real> hands, int n) const {
    hands.num_own = hands.num_opponent = hands.own_group_end[hands.num_groups - 1];
    V* const column = all_in_column(n);
    const Real scale = Real(1 / round.num_final_boards);
    const V paid = scale * end_chips(shape.nodes[n]), rake = scale * half_rake(shape.nodes[n]);
    if constexpr (kAcrossHands) {
      auto* const across = reinterpret_cast<FewOfHand*>(level.across.data);
      auto* const before = across + round_tables.column_hands();
      Real* const columns[kFewColumns] = {reinterpret_cast<Real*>(column)};
      gather_columns(columns, across);
      evaluate_columns<Real, kFewColumns, 1>(hands, ColumnKind::showdown,
                                             {{nullptr},
                                              {across},
                                              {nullptr},
                                              {across},
                                              {},
                                              {FewOfHand::all(paid.get(0))},
                                              {FewOfHand::all(rake.get(0))},
                                              round.has_rake,
                                              before});
      for (int h = 0; h < hands.num_own; ++h) columns[0][h] = across[h].get(0);
      std::fill(columns[0] + hands.num_own, columns[0] + num_vectors(own_hands) * kHands, Real(0));
    } else {
      evaluate_columns<Real, W, 1>(hands, ColumnKind::showdown,
                                   {{nullptr},
                                    {column},
                                    {nullptr},
                                    {column},
                                    {},
                                    {paid},
                                    {rake},
                                    round.has_rake,
                                    reinterpret_cast<V*>(level.before.data)});
      std::fill(column + hands.num_own, column + own_hands, V::all(0));
    }
  }

  // For a vector of the player's hands, the sums of the opponent's reach by the weights of their rows, in the order of
  // the opponent's hands: squares of weights are transposed, because one sum alone would wait for its own additions.
  typename V::Native weighted_sums(const float* first_row, int num_rows, const V* reach_by_hand) const {
    constexpr int kSide = V::kNative;
    using Row = typename V::Native;
    const Real* const reach = reinterpret_cast<const Real*>(reach_by_hand);
    const float* rows[kSide];
    for (int k = 0; k < kSide; ++k) rows[k] = first_row + std::size_t(std::min(k, num_rows - 1)) * opponent_hands;
    Row sums{};
    int o = 0;
    for (; o + kSide <= opponent_hands; o += kSide) {
      Row weights[kSide];
      for (int k = 0; k < kSide; ++k)
        weights[k] = __builtin_convertvector(Packed<float, kSide>::read(rows[k] + o), Row);
      transpose(weights);
      for (int k = 0; k < kSide; ++k) sums += weights[k] * reach[o + k];
    }
    for (; o < opponent_hands; ++o) {
      Row weights;
      for (int k = 0; k < kSide; ++k) weights[k] = rows[k][o];
      sums += weights * reach[o];
    }
    return sums;
  }

  // The rake of an all-in call: half_rake * O, and O = D + A.
  void add_all_in_rake(const HandTable<Real>& hands, int n, V* values) const {
    const V paid = end_chips(shape.nodes[n]), rake = half_rake(shape.nodes[n]);
    for (int i = 0; i < num_vectors(own_hands); ++i) values[i] = (paid - rake) * (values[i] / paid);
    V* const column = all_in_column(n);
    if constexpr (kAcrossHands) {
      auto* const across = reinterpret_cast<FewOfHand*>(level.across.data);
      Real* const columns[kFewColumns] = {reinterpret_cast<Real*>(column)};
      gather_columns(columns, across);
      auto* const out = across + round_tables.column_hands();
      evaluate_columns<Real, kFewColumns, 1>(
          hands, ColumnKind::fold,
          {{across}, {nullptr}, {out}, {nullptr}, {FewOfHand::all(rake.get(0))}, {}, {}, false, nullptr});
      for (int h = 0; h < own_hands; ++h) reinterpret_cast<Real*>(values)[h] -= out[h].get(0);
    } else {
      V* const out = values + own_hands;
      if (!round.has_one_list()) column[opponent_hands] = V::all(0);
      evaluate_columns<Real, W, 1>(hands, ColumnKind::fold,
                                   {{column}, {nullptr}, {out}, {nullptr}, {rake}, {}, {}, false, nullptr});
      for (int h = 0; h < own_hands; ++h) values[h] = values[h] - out[h];
    }
  }

  // All columns of a block of one lane, as many at a time as a hand's vector holds: they are transposed for it, and
  // back.
  void terminals_across(const HandTable<Real>& hands) const {
    const int count = int(tables.columns.size());
    int first = 0;
    for (; count - first > kFewColumns; first += kColumnsAcross) evaluate_across<kColumnsAcross>(hands, first);
    if (first < count) evaluate_across<kFewColumns>(hands, first);
  }

  template <int Columns>
  void evaluate_across(const HandTable<Real>& hands, int first) const {
    using OfHand = Vector<Real, Columns>;
    HandColumns<Real, Columns> across;
    const int room = round_tables.column_hands();
    across.counted = across.counted_out = reinterpret_cast<OfHand*>(level.across.data);
    across.show = across.show_out = across.counted + room;
    across.before = across.show + room;
    if (!round.has_one_list()) {
      across.counted_out = across.before + room;
      across.show_out = across.counted_out + room;
    }
    across.by_all = across.by_order = across.committed = across.half_rake = OfHand::all(0);
    Real *counted[Columns] = {}, *show[Columns] = {}, *counted_out[Columns] = {}, *show_out[Columns] = {};
    for (int c = 0; c < std::min(Columns, int(tables.columns.size()) - first); ++c) {
      const auto [n, kind] = tables.columns[first + c];
      const BettingNode& node = shape.nodes[n];
      Real* const fold_values = reinterpret_cast<Real*>(fold_column(n));
      Real* const show_values = reinterpret_cast<Real*>(show_column(n));
      const bool counts_fold = kind == ColumnKind::fold || kind == ColumnKind::opponent;
      counted[c] = counts_fold ? fold_values : show_values;
      if (kind != ColumnKind::showdown) counted_out[c] = fold_values;
      if (kind == ColumnKind::own || kind == ColumnKind::showdown) show_out[c] = show_values;
      across.by_all.set(c, kind == ColumnKind::opponent ? 1
                           : node.player == pass.player ? -block_tables.fold_chips[n]
                                                        : block_tables.won_chips[n]);
      if (kind == ColumnKind::fold) continue;
      show[c] = show_values;
      across.committed.set(c, block_tables.end_chips[node.call_end]);
      across.half_rake.set(c, block_tables.half_rake[node.call_end]);
      if (kind == ColumnKind::opponent)
        across.by_order.set(c, block_tables.end_chips[node.call_end] - block_tables.half_rake[node.call_end]);
    }
    gather_columns(counted, across.counted);
    if (round.is_last) {
      gather_columns(show, across.show);
      evaluate_across_columns(hands, across);
      scatter_columns(across.show_out, show_out);
    } else {
      evaluate_columns<Real, Columns, 1>(hands, ColumnKind::fold,
                                         {{across.counted},
                                          {nullptr},
                                          {across.counted_out},
                                          {nullptr},
                                          {across.by_all},
                                          {across.committed},
                                          {across.half_rake},
                                          false,
                                          nullptr});
    }
    scatter_columns(across.counted_out, counted_out);
  }

  // Copies columns of the opponent's hands to the vectors of those hands; a column without values is zero. The hand
  // that nobody holds, which stands after the others, has no reach.
  template <int Columns>
  void gather_columns(Real* const (&columns)[Columns], Vector<Real, Columns>* of_hand) const {
    constexpr int kSide = Vector<Real, kHandsAcross>::kNative;
    using Row = typename Vector<Real, kSide>::Native;
    using Unaligned = typename Vector<Real, kSide>::Unaligned;
    for (int c = 0; c < Columns; c += kSide)
      for (int h = 0; h < opponent_hands; h += kSide) {
        Row rows[kSide];
        for (int i = 0; i < kSide; ++i)
          rows[i] = columns[c + i] ? *reinterpret_cast<const Unaligned*>(columns[c + i] + h) : Row{};
        transpose(rows);
        for (int i = 0; i < kSide; ++i)
          *reinterpret_cast<Unaligned*>(reinterpret_cast<Real*>(of_hand + h + i) + c) = rows[i];
      }
    if (!round.has_one_list()) of_hand[opponent_hands] = Vector<Real, Columns>::all(0);
  }

  // And back, for the player's hands; those of a column without values are left out.
  template <int Columns>
  void scatter_columns(const Vector<Real, Columns>* of_hand, Real* const (&columns)[Columns]) const {
    constexpr int kSide = Vector<Real, kHandsAcross>::kNative;
    using Row = typename Vector<Real, kSide>::Native;
    using Unaligned = typename Vector<Real, kSide>::Unaligned;
    for (int c = 0; c < Columns; c += kSide) {
      if (std::all_of(columns + c, columns + c + kSide, [](const Real* column) { return !column; })) continue;
      for (int h = 0; h < own_hands; h += kSide) {
        Row rows[kSide];
        for (int i = 0; i < kSide; ++i)
          rows[i] = *reinterpret_cast<const Unaligned*>(reinterpret_cast<const Real*>(of_hand + h + i) + c);
        transpose(rows);
        for (int i = 0; i < kSide; ++i)
          if (columns[c + i]) *reinterpret_cast<Unaligned*>(columns[c + i] + h) = rows[i];
      }
    }
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
        case 1: backward_own<1>(node, n, begin, end, children, value_at_node); break;
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
    const V noise = kNoise<Real> * totals[n] * fold_chips(n);
    if (pass.mode == Mode::best_response) {
      for (int i = 0; i < num_vectors(end - begin); ++i) {
        V best = children[0][i];
        for (int a = 1; a < actions; ++a) best = maximum(best, children[a][i]);
        value[i] = best;
      }
      if constexpr (kBuckets)
        if (views.own_weights)
          record_best<Actions>(tile<Actions>(views.own_weights, node, begin, end), actions, end - begin, children,
                               value);
      return;
    }
    const auto open = [&](LaneView<Element> of_block) { return tile<Actions>(of_block, node, begin, end); };
    if (pass.mode == Mode::evaluate)
      mix<Actions>(open(views.own_weights), actions, end - begin, children, value);
    else if constexpr (kBuckets)
      add_regrets<Actions>(open(views.own_regrets), actions, end - begin, children, noise, value);
    else if (pass.step.discount_positive == 1 && pass.step.discount_negative == 1 && pass.step.floor &&
             !pass.step.predictive)
      update_plus<Actions>(open(views.own_regrets), actions, end - begin, children, noise, value);
    else
      update_any<Actions>(open(views.own_regrets), open(views.own_weights), actions, end - begin, children, noise,
                          value);
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

  template <int Actions>
  [[gnu::always_inline]] static inline V mean_value(const NodeTile<Actions>& weights, ActionCount<Actions> actions,
                                                    int i, const V* const* children) {
    V strategy[ActionCount<Actions>::kRoom];
    normalise<Actions>(weights, actions, i, strategy);
    V mean = strategy[0] * children[0][i];
    for (int a = 1; a < actions; ++a) mean += strategy[a] * children[a][i];
    return mean;
  }

  template <int Actions>
  static void mix(const NodeTile<Actions>& weights, ActionCount<Actions> actions, int num_hands,
                  const V* const* children, V* value) {
    for (int i = 0; i < num_vectors(num_hands); ++i) value[i] = mean_value<Actions>(weights, actions, i, children);
  }

  // A best response that is kept: 1 for the best actions of a hand, 0 for the others. Its hands have a bucket each.
  template <int Actions>
  static void record_best(NodeTile<Actions> response, ActionCount<Actions> actions, int num_hands,
                          const V* const* children, const V* best) {
    const V zero = V::all(0), one = V::all(1);
    for (int i = 0; i < num_vectors(num_hands); ++i)
      for (int a = 0; a < actions; ++a) response.put(i, a, where_positive(best[i] - children[a][i], zero, one));
    response.finish(num_hands);
  }

  // Hands that share a bucket: the regrets are summed, and the rule is applied after the pass.
  template <int Actions>
  void add_regrets(NodeTile<Actions> regrets, ActionCount<Actions> actions, int num_hands, const V* const* children,
                   V noise, V* value) const {
    const Real weight = Real(pass.step.regret_weight);
    for (int i = 0; i < num_vectors(num_hands); ++i) {
      const V mean = mean_value<Actions>(regrets, actions, i, children);
      for (int a = 0; a < actions; ++a) regrets.add(i, a, weight * beyond(children[a][i] - mean, noise));
      value[i] = mean;
    }
    regrets.finish(num_hands);
  }

  // CFR+ and every variant that only weights its regrets: R <- max(R + weight * r, 0).
  template <int Actions>
  void update_plus(NodeTile<Actions> regrets, ActionCount<Actions> actions, int num_hands, const V* const* children,
                   V noise, V* value) const {
    const Real weight = Real(pass.step.regret_weight);
    for (int i = 0; i < num_vectors(num_hands); ++i) {
      const V mean = mean_value<Actions>(regrets, actions, i, children);
      for (int a = 0; a < actions; ++a)
        regrets.put(i, a, positive(regrets.get(i, a) + weight * beyond(children[a][i] - mean, noise)));
      value[i] = mean;
    }
    regrets.finish(num_hands);
  }

  // The complete rule of solvers/variants.py. `weights` are the regrets themselves unless the variant is predictive.
  template <int Actions>
  void update_any(NodeTile<Actions> regrets, NodeTile<Actions> weights, ActionCount<Actions> actions, int num_hands,
                  const V* const* children, V noise, V* value) const {
    const Step& step = pass.step;
    const V above = V::all(Real(step.discount_positive)), below = V::all(Real(step.discount_negative));
    const Real weight = Real(step.regret_weight), ahead = Real(step.discount_prediction);
    for (int i = 0; i < num_vectors(num_hands); ++i) {
      const V mean = mean_value<Actions>(weights, actions, i, children);
      for (int a = 0; a < actions; ++a) {
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
