// What one pass over a public tree does, and the values that it works on.
#pragma once

#include "lanes/tiles.hpp"
#include "lanes/tree.hpp"
#include "regret.hpp"

namespace errai {

enum class Mode { update, best_response, evaluate };

// Where a pass begins: on one board, at a betting node of one shape, in all its lanes; or in all lanes of the round.
struct PassStart {
  static constexpr int kAllShapes = -1;
  int round = 0;
  int board = 0;
  int shape = kAllShapes;
  int node = 0;
};

// What a pass does for the player `player`.
struct Pass {
  const LaneTree* tree;
  Mode mode;
  int player;
  Step step;
  int num_threads;
  PassStart start = {};
};

// The values that a pass works on; those that its mode does not use are null.
template <class Element>
struct PassViews {
  LaneView<Element> opponent_weights;  // the opponent's strategy, not normalised; even where nothing is positive
  LaneView<Element> opponent_average;  // sums of reach * strategy, or null
  LaneView<Element> own_regrets;       // update
  LaneView<Element> own_weights;  // update: where a predictive variant puts its next strategy; evaluate: the strategy
};

// One block of lanes on one board.
struct Place {
  int round;
  int board;
  int block;
};

}  // namespace errai
