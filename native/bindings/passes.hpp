// What the bindings of all passes share: the request that Python makes, and checks of what it passes with it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "bindings/arrays.hpp"
#include "lanes/pass.hpp"

namespace errai {

// What a pass does: `Pass` without its tree.
struct PassRequest {
  Mode mode;
  int player;
  Step step;
  PassStart start;
  int num_threads;

  Pass on(const LaneTree& tree) const { return {&tree, mode, player, step, num_threads, start}; }
};

// One player's values, and their scales if they have 16 bits.
template <class Element>
using LaneArray = std::tuple<Array<Element>, std::optional<Array<float>>>;
// The same for arrays that are only read, such as those of a mapped file.
template <class Element>
using ReadOnlyLaneArray = std::tuple<Array<const Element>, std::optional<Array<const float>>>;

// A view of `player`'s array of `tree`. A pass that only reads a view never writes to it, so that a read-only array can
// be viewed as well.
template <class Element, class Values, class Scales>
LaneView<Element> lane_view(const LaneTree& tree, int player,
                            const std::tuple<Array<Values>, std::optional<Array<Scales>>>& array) {
  const auto& [values, scales] = array;
  verify_size("values", values, tree.num_values[player] + kSpare);
  verify(scales.has_value() == kIsScaled<Element>, "only values of 16 bits must have scales");
  if (scales) verify_size("scales", *scales, tree.num_scales[player] + kSpare);
  return {const_cast<Element*>(values.data()), scales ? const_cast<float*>(scales->data()) : nullptr};
}

// Whether a round knows what calls that are all-in pay on each of its boards.
inline bool settles_all_in(const Round& round) {
  const std::size_t count = round.boards.size();
  return round.has_pairs() || (round.first_edge[0].size() == count && round.first_edge[1].size() == count) ||
         std::all_of(round.boards.begin(), round.boards.end(), [](const Board& board) { return board.num_groups > 0; });
}

// Whether nothing comes after the last round of a tree: it is that of the game, or all its endings are all-in.
inline bool is_complete(const LaneTree& tree) {
  const Round& last = tree.rounds.back();
  if (last.is_last) return true;
  for (const BettingShape& shape : last.shapes)
    for (const std::uint8_t all_in : shape.end_is_all_in)
      if (!all_in) return false;
  return true;
}

// The tree has a board, and a pass can begin at `start`. A pass that goes below its board needs all rounds down to the
// last, and the edges of theirs that have endings all-in.
inline void verify_start(const LaneTree& tree, const PassStart& start, bool needs_all_rounds) {
  verify(!tree.rounds.empty(), "the tree must have a round");
  verify_index("round", start.round, tree.rounds.size());
  verify_index("board", start.board, tree.rounds[start.round].boards.size());
  const Round& round = tree.rounds[start.round];
  if (start.shape == PassStart::kAllShapes) {
    verify(start.node == 0, "a pass over all shapes must begin at their first nodes");
  } else {
    verify_index("shape", start.shape, round.shapes.size());
    verify_index("node", start.node, round.shapes[start.shape].nodes.size());
  }
  const std::size_t end = needs_all_rounds ? tree.rounds.size() : start.round + 1;
  for (std::size_t r = start.round; r < end; ++r)
    for (const BettingShape& shape : tree.rounds[r].shapes)
      for (const std::uint8_t all_in : shape.end_is_all_in)
        verify(!all_in || settles_all_in(tree.rounds[r]),
               "a round with endings that are all-in must have the edges of its boards, or groups of hands");
  verify(!needs_all_rounds || is_complete(tree), "the tree must have all rounds down to the last");
}

// `table` is [hand of the player on the board][padded lane of its round].
template <class Real>
void verify_rows(const char* name, const LaneTree& tree, int round, int board, int player, const Table<Real>& table) {
  verify_shape(name, table, tree.rounds[round].boards[board].num_hands[player], tree.rounds[round].padded_lanes);
}

// Where a pass writes the values of each action of its first node, [action x hand][padded lane]; null without.
template <class Real>
Real* checked_action_values(const Pass& pass, const std::optional<Table<Real>>& table) {
  if (!table) return nullptr;
  const PassStart& start = pass.start;
  verify(start.shape != PassStart::kAllShapes, "`action_values` are those of a node of one shape");
  const Round& round = pass.tree->rounds[start.round];
  const BettingNode& node = round.shapes[start.shape].nodes[start.node];
  verify(node.player == pass.player, "`action_values` are those of a node where the player acts");
  verify_shape("action_values", *table,
               std::size_t(node.num_actions) * round.boards[start.board].num_hands[pass.player], round.padded_lanes);
  return table->data();
}

}  // namespace errai
