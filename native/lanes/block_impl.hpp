// The definitions of block.hpp; block_float.cpp and block_double.cpp instantiate them.
#pragma once

#include <algorithm>
#include <vector>

#include "lanes/block.hpp"
#include "lanes/packed.hpp"
#include "lanes/pair_products.hpp"
#include "lanes/terminals.hpp"

namespace errai {

template <class Real, int Width>
struct BlockTerminals : Block<Real, Width> {
  using Base = Block<Real, Width>;
  using Base::board, Base::board_index, Base::own_hands, Base::opponent_hands, Base::column_vectors;
  using Base::fold_chips, Base::won_chips, Base::half_rake, Base::end_chips;
  using Base::fold_column, Base::show_column, Base::all_in_column;
  using Base::kAcrossHands, Base::W, Base::kHands, Base::num_vectors;
  using Base::pass, Base::round, Base::round_tables, Base::shape, Base::tables, Base::block_tables, Base::level;
  using typename Base::V;
  using FewOfHand = Vector<Real, kFewColumns>;

  explicit BlockTerminals(const Base& block) : Base(block) {}

  void terminals() const {
    if (const PairWeights<Real>* pairs = round.template pairs<Real>()) return pair_terminals(*pairs);
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
};

template <class Real, int Width>
void evaluate_terminals(const Block<Real, Width>& block) {
  BlockTerminals<Real, Width>(block).terminals();
}

template <class Real>
bool is_dead(const BlockInput<Real>& input) {
  const Step& step = input.pass.step;
  if (input.pass.mode == Mode::update &&
      (step.discount_positive != 1 || step.discount_negative != 1 || step.average_decay != 1 || step.predictive))
    return false;
  return with_width(input, [](const auto& block) {
    decltype(block.load_reach(0)) any{};
    for (int h = 0; h < block.opponent_hands; h += block.kHands) any = maximum(any, block.load_reach(h));
    for (int i = 0; i < block.W; ++i)
      if (any.get(i) != 0) return false;
    return true;
  });
}

template <class Real>
void write_zero(const BlockInput<Real>& input, Real* value) {
  with_width(input, [&](const auto& block) {
    for (int h = 0; h < block.own_hands; h += block.kHands) block.store_value(value, h, {});
  });
}

#define ERRAI_INSTANTIATE_BLOCK(Real)                       \
  template bool is_dead(const BlockInput<Real>&);           \
  template void write_zero(const BlockInput<Real>&, Real*); \
  template void evaluate_terminals(const Block<Real, 16>&); \
  template void evaluate_terminals(const Block<Real, 8>&);  \
  template void evaluate_terminals(const Block<Real, 1>&);

}  // namespace errai
