// How often a hand wins when the rest of the board is dealt in every possible way.
//
// Showdowns count as points: two for a win, one for a tie, none for a loss, so that points are whole numbers and
//   equity = points / (2 * boards).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cards/strength.hpp"

namespace errai {

// The points of the hand `hand` against each set of `hands`, over every way to deal `num_dealt` more cards to `board`
// from `deck` (one set per card, without the cards of `board` and `hand`). Boards that hold a card of the opponent's
// hand are left out; -1 against opponents who hold a card of `board` or `hand`.
void rollout_points(CardSet hand, CardSet board, const std::vector<CardSet>& hands, const std::vector<CardSet>& deck,
                    int num_dealt, int num_cards, std::int32_t* points);

// points[i][j] += weight * the points of hand i against hand j, summed over the boards. `strengths` is [board][hand],
// -1 where they share a card. Entries of hands that share a card with each other are computed as well, but meaningless.
void add_pair_points(const std::int32_t* strengths, const std::int32_t* weights, std::size_t num_boards,
                     std::size_t num_hands, std::int32_t* points);

}  // namespace errai
