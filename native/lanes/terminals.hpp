// Values of the endings of a hand, for all hands at once.
//
// Let x(o) be the opponent's reach, a vector of lanes for every hand o. For our hand h,
//
//     A(h) = sum of x(o) over the hands o that share no card with h             (a fold)
//     D(h) = the same sum over weaker hands minus that over stronger hands      (a showdown)
//
// With a total and one total per card, A(h) = total - total[h1] - total[h2] + x(h). With hands in order of strength and
// running totals, the same expression gives the weaker hands before a group of equal hands is added and the weaker or
// equal hands after it, and D = weaker + weaker_or_equal - A. Hands are classes under the symmetry of the board: each
// stands for `class_weight` raw hands, and every card of an orbit is held by `orbit_weight` of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lanes/tree.hpp"
#include "vectors.hpp"

namespace errai {

enum class ColumnKind {
  fold,      // in: fold.  out: fold = committed * A(fold), negative where the player itself folds
  showdown,  // in: show.  out: show = committed * D(show)
  own,       // our fold or call.  in: show.  out: fold = -folded * A(show), show = committed * D(show)
  opponent,  // the opponent's fold and call, as one value.  in: fold = folded * f - committed * s, show = s
             //     out: fold = A(fold) + committed * (weaker + weaker or equal)(show)
};

// What the terminal kernels need to know about the hands of a board.
template <class Real>
struct HandTable {
  int num_hole;
  bool is_weighted;  // whether any class holds more than one hand
  int num_hands;
  int num_orbits;
  int num_groups;
  const std::uint8_t* orbit;
  const Real* class_weight;
  const Real* orbit_weight;
  const std::int32_t* group_end;
};

template <class Real>
HandTable<Real> hand_table(const LaneTree& tree, const Round& round, int board_index, const Real* class_weight,
                           const Real* orbit_weight) {
  const Board& board = round.boards[board_index];
  const std::size_t first_card = std::size_t(board.first_hand) * tree.num_hole;
  return {tree.num_hole,
          round.board_is_weighted[board_index] != 0,
          board.num_hands,
          board.num_orbits,
          board.num_groups,
          round.orbit.data() + first_card,
          class_weight + board.first_hand,
          orbit_weight + first_card,
          round.group_end.data() + board.first_group};
}

// One or two columns of one kind, changed in place: two take less time together than one after the other. `before` has
// room for all hands of all columns.
template <class Real, int W, int Columns>
struct TerminalColumns {
  using V = Vector<Real, W>;
  V* fold[Columns];
  V* show[Columns];
  V folded[Columns];
  V committed[Columns];
  V* before;
};

template <class Real, int W, int Columns>
void evaluate_columns(const HandTable<Real>& hands, ColumnKind kind, const TerminalColumns<Real, W, Columns>& columns);

// Columns of any kinds at once, for a block of one lane: a vector holds the columns of one hand instead of its lanes.
// In: what is counted, and show. Out: counted = by_all * A(counted) + by_order * (weaker + weaker or equal)(show);
// show = committed * D.
template <class Real, int W>
struct HandColumns {
  using V = Vector<Real, W>;
  V* counted;
  V* show;
  V by_all;
  V by_order;
  V committed;
  V* before;
};

template <class Real, int W>
void evaluate_across_columns(const HandTable<Real>& hands, const HandColumns<Real, W>& columns);

}  // namespace errai
