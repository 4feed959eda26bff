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

template <class Real, int W, int Hole, bool Weighted>
struct Totals {
  using V = Vector<Real, W>;
  V total;
  V card[64];

  void clear(int num_orbits) {
    total = V{};
    for (int i = 0; i < num_orbits; ++i) card[i] = V{};
  }
  void add(const HandTable<Real>& hands, int h, V x) {
    if constexpr (Weighted) {
      total += x * hands.class_weight[h];
      for (int c = 0; c < Hole; ++c) card[hands.orbit[h * Hole + c]] += x * hands.orbit_weight[h * Hole + c];
    } else {
      total += x;
      for (int c = 0; c < Hole; ++c) card[hands.orbit[h * Hole + c]] += x;
    }
  }
  // All of the totals that share no card with h; h itself, counted twice with two hole cards, is given back by `also`.
  V without(const HandTable<Real>& hands, int h) const {
    V rest = total - card[hands.orbit[h * Hole]];
    if constexpr (Hole == 2) rest -= card[hands.orbit[h * Hole + 1]];
    return rest;
  }
  V compatible(const HandTable<Real>& hands, int h, V own) const {
    return Hole == 2 ? without(hands, h) + own : without(hands, h);
  }
};

template <class Real, int W, int Hole, bool Weighted>
void evaluate_column(const HandTable<Real>& hands, ColumnKind kind, Vector<Real, W>* fold, Vector<Real, W>* show,
                     Vector<Real, W> folded, Vector<Real, W> committed, Vector<Real, W>* before) {
  using V = Vector<Real, W>;
  using T = Totals<Real, W, Hole, Weighted>;
  T all;
  all.clear(hands.num_orbits);
  const V* counted = kind == ColumnKind::fold || kind == ColumnKind::opponent ? fold : show;
  for (int h = 0; h < hands.num_hands; ++h) all.add(hands, h, counted[h]);
  if (kind == ColumnKind::fold) {
    for (int h = 0; h < hands.num_hands; ++h) fold[h] = folded * all.compatible(hands, h, fold[h]);
    return;
  }

  T weaker;
  weaker.clear(hands.num_orbits);
  const auto finish = [&](int h, V difference) {
    const V compatible = all.compatible(hands, h, counted[h]);
    if (kind == ColumnKind::opponent) {
      fold[h] = compatible + committed * difference;
    } else {
      if (kind == ColumnKind::own) fold[h] = -folded * compatible;
      show[h] = committed * (difference - compatible);
    }
  };
  int begin = 0;
  for (int group = 0; group < hands.num_groups; ++group) {
    const int end = hands.group_end[group];
    if (!Weighted && end == begin + 1) {
      // A hand alone in its group: adding it changes nothing among the hands compatible with it.
      const V without = weaker.without(hands, begin);
      weaker.add(hands, begin, show[begin]);
      finish(begin, without + without);
    } else {
      for (int h = begin; h < end; ++h) before[h] = weaker.without(hands, h);
      for (int h = begin; h < end; ++h) weaker.add(hands, h, show[h]);
      for (int h = begin; h < end; ++h) finish(h, before[h] + weaker.compatible(hands, h, show[h]));
    }
    begin = end;
  }
}

}  // namespace errai
