// Values of a hand's endings for all hands at once.
//
// Let x(o) be the opponent's reach, a vector of lanes for every hand o. For our hand h,
//
//     A(h) = sum of x(o) over the hands o that share no card with h              (a fold)
//     D(h) = the same over the weaker ones minus the same over the stronger ones   (a showdown)
//
// With a total and one total a card, A(h) = total - total[h1] - total[h2] + x(h). With hands in order of strength and
// running totals, the same expression before a group of equal hands is added gives the weaker ones, after it the weaker
// or equal ones, and D = weaker + weaker_or_equal - A. Hands come as classes under the board's symmetry: `class_weight`
// raw hands each, every card of an orbit being held by `orbit_weight` of them.
#pragma once

#include "lanes.hpp"
#include "vectors.hpp"

namespace errai {

enum class ColumnKind {
  fold,      // in: fold.                out: fold = committed * A(fold), negative where it is our fold
  showdown,  // in: show.                out: show = committed * D(show)
  own,       // our fold or call.  in: show.        out: fold = -folded * A(show), show = committed * D(show)
  opponent,  // the opponent's fold and call, one value.  in: fold = folded * f - committed * s, show = s
             //                    out: fold = A(fold) + committed * (weaker + weaker or equal)(show)
};

// What a terminal pass needs to know of a board's hands.
template <class Real>
struct HandTable {
  int num_hands;
  int num_orbits;
  int num_groups;
  const std::uint8_t* orbit;
  const Real* class_weight;
  const Real* orbit_weight;
  const std::int32_t* group_end;
};

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
        card[hands.orbit[h * Hole + c]][i] += Weighted ? own * hands.orbit_weight[h * Hole + c] : own;
    }
  }
  // All of the totals that share no card with h; h itself, taken away twice with two hole cards, is given back by `own`.
  [[gnu::always_inline]] V without(const HandTable<Real>& hands, int h, int i) const {
    V rest = total[i] - card[hands.orbit[h * Hole]][i];
    if constexpr (Hole == 2) rest -= card[hands.orbit[h * Hole + 1]][i];
    return rest;
  }
  [[gnu::always_inline]] V compatible(const HandTable<Real>& hands, int h, int i, const V& own) const {
    return Hole == 2 ? without(hands, h, i) + own : without(hands, h, i);
  }
};

// Goes through all hands and calls finish(hand, column, all, ordered): `all` is A(counted), `ordered` the sum of `show` over
// the weaker hands and over the weaker or equal ones. `before` has room for all hands of all columns.
template <class Real, int W, int Hole, bool Weighted, int Columns, class Finish>
[[gnu::always_inline]] inline void sweep(const HandTable<Real>& hands, Vector<Real, W>* const (&counted)[Columns],
                                         Vector<Real, W>* const (&show)[Columns], Vector<Real, W>* before,
                                         Finish&& finish) {
  using V = Vector<Real, W>;
  Totals<Real, W, Hole, Weighted, Columns> all, weaker;
  all.clear(hands.num_orbits);
  for (int h = 0; h < hands.num_hands; ++h) all.add(hands, h, counted);
  weaker.clear(hands.num_orbits);
  int begin = 0;
  for (int group = 0; group < hands.num_groups; ++group) {
    const int end = hands.group_end[group];
    if (!Weighted && end == begin + 1) {
      // A hand alone in its group: adding it changes nothing among the hands compatible with it.
      V without[Columns];
      for (int i = 0; i < Columns; ++i) without[i] = weaker.without(hands, begin, i);
      weaker.add(hands, begin, show);
      for (int i = 0; i < Columns; ++i)
        finish(begin, i, all.compatible(hands, begin, i, counted[i][begin]), without[i] + without[i]);
    } else {
      for (int h = begin; h < end; ++h)
        for (int i = 0; i < Columns; ++i) before[h * Columns + i] = weaker.without(hands, h, i);
      for (int h = begin; h < end; ++h) weaker.add(hands, h, show);
      for (int h = begin; h < end; ++h)
        for (int i = 0; i < Columns; ++i)
          finish(h, i, all.compatible(hands, h, i, counted[i][h]),
                 before[h * Columns + i] + weaker.compatible(hands, h, i, show[i][h]));
    }
    begin = end;
  }
}

// Columns of one kind.
template <class Real, int W, int Hole, bool Weighted, ColumnKind Kind, int Columns>
void evaluate_columns(const HandTable<Real>& hands, Vector<Real, W>* const (&fold)[Columns],
                      Vector<Real, W>* const (&show)[Columns], const Vector<Real, W> (&folded)[Columns],
                      const Vector<Real, W> (&committed)[Columns], Vector<Real, W>* before) {
  using V = Vector<Real, W>;
  if constexpr (Kind == ColumnKind::fold) {
    Totals<Real, W, Hole, Weighted, Columns> all;
    all.clear(hands.num_orbits);
    for (int h = 0; h < hands.num_hands; ++h) all.add(hands, h, fold);
    for (int h = 0; h < hands.num_hands; ++h)
      for (int i = 0; i < Columns; ++i) fold[i][h] = folded[i] * all.compatible(hands, h, i, fold[i][h]);
  } else {
    sweep<Real, W, Hole, Weighted>(
        hands, Kind == ColumnKind::opponent ? fold : show, show, before,
        [&](int h, int i, const V& all, const V& ordered) __attribute__((always_inline)) {
          if constexpr (Kind == ColumnKind::opponent) {
            fold[i][h] = all + committed[i] * ordered;
          } else {
            if constexpr (Kind == ColumnKind::own) fold[i][h] = -(folded[i] * all);
            show[i][h] = committed[i] * (ordered - all);
          }
        });
  }
}

// Columns of any kind at once, for a block of one lane: a vector holds the columns of a hand instead of its lanes.
// In: what is counted, and show. Out: in place of what is counted, fold = by_all * A(counted) + by_order * (weaker +
// weaker or equal)(show); show = committed * D.
template <class Real, int W, int Hole, bool Weighted>
void evaluate_across_columns(const HandTable<Real>& hands, Vector<Real, W>* counted, Vector<Real, W>* show,
                             const Vector<Real, W>& by_all, const Vector<Real, W>& by_order,
                             const Vector<Real, W>& committed, Vector<Real, W>* before) {
  using V = Vector<Real, W>;
  sweep<Real, W, Hole, Weighted, 1>(
      hands, {counted}, {show}, before, [&](int h, int, const V& all, const V& ordered) __attribute__((always_inline)) {
        counted[h] = by_all * all + by_order * ordered;
        show[h] = committed * (ordered - all);
      });
}

}  // namespace errai
