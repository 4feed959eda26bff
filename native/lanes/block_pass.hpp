// The arithmetic of a pass on one board, one block of lanes at a time: the opponent's reach goes down the betting, the
// endings of the hand are evaluated, and values come up, where the player's regrets are updated.
#pragma once

#include <cstdint>

#include "lanes/pass.hpp"
#include "lanes/round_tables.hpp"

namespace errai {

// The block of lanes that is computed, and with what.
template <class Element>
struct BlockInput {
  using Real = RealOf<Element>;
  const Pass& pass;
  const RoundTables<Real>& tables;
  Place place;
  const Real* reach_rows;  // the opponent's reach on the board above, [hand][padded lane]
  const std::int32_t*
      parent_hand;  // the row of each hand of this board there; null at the root, which has its own rows
  Level<Real>& level;
  Real* action_values;  // of the first node, [action][hand][padded lane]; null where they are not wanted
};

// Whether the opponent reaches none of the block's lanes, so that nothing changes there. (Always false in an update
// that discounts, because then everything changes.)
template <class Element>
bool is_dead(const BlockInput<Element>& input);

// The reach goes down, and endings are evaluated. A round before the last also sets `next_reach` of the level.
template <class Element>
void pass_down(const BlockInput<Element>& input, const PassViews<Element>& views);

// Values come up to `value`, [hand][padded lane]. A round before the last reads `next_value` of the level.
template <class Element>
void pass_up(const BlockInput<Element>& input, const PassViews<Element>& views, RealOf<Element>* value);

// The values of a dead block.
template <class Element>
void write_zero(const BlockInput<Element>& input, RealOf<Element>* value);

}  // namespace errai
