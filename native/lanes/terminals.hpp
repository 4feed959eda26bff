// Values of the endings of a hand, for all hands at once.
//
// Let x(o) be the opponent's reach, a vector of lanes for every hand o. For our hand h,
//
//     A(h) = sum of x(o) over the hands o that share no card with h             (a fold)
//     D(h) = the same sum over weaker hands minus that over stronger hands      (a showdown)
//     O(h) = twice the sum over weaker hands plus that over equal hands         (the rake of a showdown, which winners
//     pay)
//
// With a total and one total per card, A(h) = total - total[h1] - total[h2] + x(h). With hands in order of strength and
// running totals, the same expression gives the weaker hands before a group of equal hands is added and the weaker or
// equal hands after it, O = weaker + weaker_or_equal, and D = O - A. Hands are classes under the symmetry of the board:
// each stands for `class_weight` raw hands, and every card of an orbit is held by `orbit_weight` of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lanes/tree.hpp"
#include "vectors.hpp"

namespace errai {

enum class ColumnKind {
  fold,      // in: fold.  out: fold = committed * A(fold), negative where the player itself folds
  showdown,  // in: show.  out: show = committed * D(show) - half_rake * O(show)
  own,       // our fold or call.  in: show.  out: fold = -folded * A(show), show as above
  opponent,  // the opponent's fold and call, as one value.  in: fold = folded * f - committed * s, show = s
             //     out: fold = A(fold) + (committed - half_rake) * O(show)
};

// What the terminal kernels need to know about the hands of a board: the opponent's hands are summed, the player's get
// the values.
template <class Real>
struct HandTable {
  int num_hole;
  bool is_weighted;  // whether any class holds more than one hand
  int num_own;
  int num_opponent;
  int num_orbits;
  int num_groups;
  const std::uint8_t* own_orbit;
  const std::uint8_t* opponent_orbit;
  const Real* class_weight;  // of the opponent's hands
  const Real* orbit_weight;
  const std::int32_t* own_group_end;
  const std::int32_t* opponent_group_end;
  const std::int32_t* opponent_hand;  // for each of the player's hands, the same hand of the opponent or num_opponent
};

template <class Real>
HandTable<Real> hand_table(const LaneTree& tree, const Round& round, int board_index, int player,
                           const Real* class_weight, const Real* orbit_weight) {
  const Board& board = round.boards[board_index];
  const HandList &own = *round.hands[player], &opponent = *round.hands[1 - player];
  const std::size_t first_own = board.first_hand[player], first_opponent = board.first_hand[1 - player];
  return {tree.num_hole,
          round.board_is_weighted[board_index] != 0,
          board.num_hands[player],
          board.num_hands[1 - player],
          board.num_orbits,
          board.num_groups,
          own.orbit.data() + first_own * tree.num_hole,
          opponent.orbit.data() + first_opponent * tree.num_hole,
          class_weight + first_opponent,
          orbit_weight + first_opponent * tree.num_hole,
          own.group_end.data() + board.first_group,
          opponent.group_end.data() + board.first_group,
          own.opponent_hand.data() + first_own};
}

// One or two columns of one kind: two take less time together than one after the other. What comes in has the
// opponent's hands and a zero after them, what goes out the player's; both can be in one place if the lists are one.
// `before` has room for the player's hands of all columns.
template <class Real, int W, int Columns>
struct TerminalColumns {
  using V = Vector<Real, W>;
  V* fold[Columns];
  V* show[Columns];
  V* fold_out[Columns];
  V* show_out[Columns];
  V folded[Columns];
  V committed[Columns];
  V half_rake[Columns];
  bool has_rake;
  V* before;
};

template <class Real, int W, int Columns>
void evaluate_columns(const HandTable<Real>& hands, ColumnKind kind, const TerminalColumns<Real, W, Columns>& columns);

// Columns of any kinds at once, for a block of one lane: a vector holds the columns of one hand instead of its lanes.
// In: what is counted, and show. Out: counted = by_all * A(counted) + by_order * O(show);
// show = committed * D(show) - half_rake * O(show).
template <class Real, int W>
struct HandColumns {
  using V = Vector<Real, W>;
  V* counted;
  V* show;
  V* counted_out;
  V* show_out;
  V by_all;
  V by_order;
  V committed;
  V half_rake;
  V* before;
};

template <class Real, int W>
void evaluate_across_columns(const HandTable<Real>& hands, const HandColumns<Real, W>& columns);

}  // namespace errai
