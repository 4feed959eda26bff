// The arithmetic of a pass on one board, one block of lanes at a time: the opponent's reach goes down the betting, the
// endings of the hand are evaluated, and values come up, where the player's regrets are updated.
#pragma once

#include "lanes/block.hpp"

namespace errai {

// The reach goes down, and endings are evaluated. A round before the last also sets `next_reach` of the level.
template <class Element>
void pass_down(const BlockInput<RealOf<Element>>& input, const PassViews<Element>& views);

// Values come up to `value`, [hand][padded lane]. A round before the last reads `next_value` of the level.
template <class Element>
void pass_up(const BlockInput<RealOf<Element>>& input, const PassViews<Element>& views, RealOf<Element>* value);

}  // namespace errai
