// The definitions of terminals.hpp; terminals_float.cpp and terminals_double.cpp instantiate them.
#pragma once

#include "lanes/terminals.hpp"

namespace errai {

// Running totals of `Columns` columns at once: their additions do not wait for each other.
template <class Real, int W, int Hole, bool Weighted, int Columns>
struct Totals {
  using V = Vector<Real, W>;
  V total[Columns];
  V card[64][Columns];

  void clear(int num_orbits) {
    for (V& column : total) column = V::all(0);
    for (int i = 0; i < num_orbits; ++i)
      for (V& column : card[i]) column = V::all(0);
  }
  [[gnu::always_inline]] void add(const HandTable<Real>& hands, int h, V* const (&x)[Columns]) {
    for (int i = 0; i < Columns; ++i) {
      const V own = x[i][h];
      total[i] += Weighted ? own * hands.class_weight[h] : own;
      for (int c = 0; c < Hole; ++c)
        card[hands.opponent_orbit[h * Hole + c]][i] += Weighted ? own * hands.orbit_weight[h * Hole + c] : own;
    }
  }
  // The total minus the totals of the cards of h. With two hole cards h itself is subtracted twice; `compatible` adds
  // it back.
  [[gnu::always_inline]] V without(const HandTable<Real>& hands, int h, int i) const {
    V rest = total[i] - card[hands.own_orbit[h * Hole]][i];
    if constexpr (Hole == 2) rest -= card[hands.own_orbit[h * Hole + 1]][i];
    return rest;
  }
  [[gnu::always_inline]] V compatible(const HandTable<Real>& hands, int h, int i, const V& own) const {
    return Hole == 2 ? without(hands, h, i) + own : without(hands, h, i);
  }
};

// Goes through all hands and calls finish(hand, column, all, ordered): `all` is A(counted), `ordered` the sum of `show`
// over the weaker hands plus that over the weaker or equal hands.
template <class Real, int W, int Hole, bool Weighted, int Columns, class Finish>
[[gnu::always_inline]] inline void sweep(const HandTable<Real>& hands, Vector<Real, W>* const (&counted)[Columns],
                                         Vector<Real, W>* const (&show)[Columns], Vector<Real, W>* before,
                                         Finish&& finish) {
  using V = Vector<Real, W>;
  Totals<Real, W, Hole, Weighted, Columns> all, weaker;
  all.clear(hands.num_orbits);
  for (int o = 0; o < hands.num_opponent; ++o) all.add(hands, o, counted);
  weaker.clear(hands.num_orbits);
  int own_begin = 0, opponent_begin = 0;
  for (int group = 0; group < hands.num_groups; ++group) {
    const int own_end = hands.own_group_end[group], opponent_end = hands.opponent_group_end[group];
    if (!Weighted && own_end == own_begin + 1 && opponent_end == opponent_begin + 1 &&
        hands.opponent_hand[own_begin] == opponent_begin) {
      // A hand alone in its group: adding it changes nothing among the hands compatible with it.
      V without[Columns];
      for (int i = 0; i < Columns; ++i) without[i] = weaker.without(hands, own_begin, i);
      weaker.add(hands, opponent_begin, show);
      for (int i = 0; i < Columns; ++i)
        finish(own_begin, i, all.compatible(hands, own_begin, i, counted[i][opponent_begin]), without[i] + without[i]);
    } else {
      for (int h = own_begin; h < own_end; ++h)
        for (int i = 0; i < Columns; ++i) before[h * Columns + i] = weaker.without(hands, h, i);
      for (int o = opponent_begin; o < opponent_end; ++o) weaker.add(hands, o, show);
      for (int h = own_begin; h < own_end; ++h) {
        const int same = hands.opponent_hand[h];
        for (int i = 0; i < Columns; ++i)
          finish(h, i, all.compatible(hands, h, i, counted[i][same]),
                 before[h * Columns + i] + weaker.compatible(hands, h, i, show[i][same]));
      }
    }
    own_begin = own_end;
    opponent_begin = opponent_end;
  }
}

template <class Real, int W, int Hole, bool Weighted, ColumnKind Kind, int Columns>
void evaluate_kind(const HandTable<Real>& hands, const TerminalColumns<Real, W, Columns>& columns) {
  using V = Vector<Real, W>;
  V* const(&fold)[Columns] = columns.fold;
  V* const(&show)[Columns] = columns.show;
  const V(&folded)[Columns] = columns.folded;
  const V(&committed)[Columns] = columns.committed;
  if constexpr (Kind == ColumnKind::fold) {
    Totals<Real, W, Hole, Weighted, Columns> all;
    all.clear(hands.num_orbits);
    for (int o = 0; o < hands.num_opponent; ++o) all.add(hands, o, fold);
    for (int h = 0; h < hands.num_own; ++h)
      for (int i = 0; i < Columns; ++i)
        columns.fold_out[i][h] = folded[i] * all.compatible(hands, h, i, fold[i][hands.opponent_hand[h]]);
  } else {
    V by_order[Columns];
    for (int i = 0; i < Columns; ++i) by_order[i] = committed[i] - columns.half_rake[i];
    sweep<Real, W, Hole, Weighted>(hands, Kind == ColumnKind::opponent ? fold : show, show, columns.before,
                                   [&](int h, int i, const V& all, const V& ordered) __attribute__((always_inline)) {
                                     if constexpr (Kind == ColumnKind::opponent) {
                                       columns.fold_out[i][h] = all + by_order[i] * ordered;
                                     } else {
                                       if constexpr (Kind == ColumnKind::own)
                                         columns.fold_out[i][h] = -(folded[i] * all);
                                       const V shown = committed[i] * (ordered - all);
                                       columns.show_out[i][h] =
                                           columns.has_rake ? shown - columns.half_rake[i] * ordered : shown;
                                     }
                                   });
  }
}

// Calls act.operator()<Hole, Weighted>() for the hands of a board.
template <class Real, class Act>
void with_hands(const HandTable<Real>& hands, Act&& act) {
  if (hands.num_hole == 2)
    hands.is_weighted ? act.template operator()<2, true>() : act.template operator()<2, false>();
  else
    hands.is_weighted ? act.template operator()<1, true>() : act.template operator()<1, false>();
}

template <class Real, int W, int Columns>
void evaluate_columns(const HandTable<Real>& hands, ColumnKind kind, const TerminalColumns<Real, W, Columns>& columns) {
  with_hands(hands, [&]<int Hole, bool Weighted>() {
    switch (kind) {
      case ColumnKind::fold: return evaluate_kind<Real, W, Hole, Weighted, ColumnKind::fold>(hands, columns);
      case ColumnKind::showdown: return evaluate_kind<Real, W, Hole, Weighted, ColumnKind::showdown>(hands, columns);
      case ColumnKind::own: return evaluate_kind<Real, W, Hole, Weighted, ColumnKind::own>(hands, columns);
      case ColumnKind::opponent: return evaluate_kind<Real, W, Hole, Weighted, ColumnKind::opponent>(hands, columns);
    }
  });
}

template <class Real, int W>
void evaluate_across_columns(const HandTable<Real>& hands, const HandColumns<Real, W>& columns) {
  using V = Vector<Real, W>;
  with_hands(hands, [&]<int Hole, bool Weighted>() {
    sweep<Real, W, Hole, Weighted, 1>(hands, {columns.counted}, {columns.show}, columns.before,
                                      [&](int h, int, const V& all, const V& ordered) __attribute__((always_inline)) {
                                        columns.counted_out[h] = columns.by_all * all + columns.by_order * ordered;
                                        columns.show_out[h] =
                                            columns.committed * (ordered - all) - columns.half_rake * ordered;
                                      });
  });
}

// For Real, all widths of blocks of several lanes. A block of one lane has vectors of 16 or 8 columns.
#define ERRAI_INSTANTIATE_TERMINALS(Real)                                                                  \
  template void evaluate_columns(const HandTable<Real>&, ColumnKind, const TerminalColumns<Real, 8, 1>&);  \
  template void evaluate_columns(const HandTable<Real>&, ColumnKind, const TerminalColumns<Real, 8, 2>&);  \
  template void evaluate_columns(const HandTable<Real>&, ColumnKind, const TerminalColumns<Real, 16, 1>&); \
  template void evaluate_columns(const HandTable<Real>&, ColumnKind, const TerminalColumns<Real, 16, 2>&); \
  template void evaluate_across_columns(const HandTable<Real>&, const HandColumns<Real, 8>&);              \
  template void evaluate_across_columns(const HandTable<Real>&, const HandColumns<Real, 16>&);

}  // namespace errai
