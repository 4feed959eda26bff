// Builds the tree of the lane engine. Every index that a pass follows is checked here, once.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <new>
#include <optional>
#include <tuple>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "lanes/tiles.hpp"
#include "lanes/tree.hpp"

namespace errai {
namespace {

// The hands of all boards of a round: see `Round` for the meaning of each array.
struct HandArrays {
  Array<const std::int32_t> parent_hand;
  Array<const std::uint8_t> orbit;
  Array<const double> class_weight, orbit_weight, up_weight;
  Array<const std::int32_t> group_end;
};

// A round as Python describes it.
struct RoundInput {
  bool is_last;
  int num_lanes;
  std::vector<LaneBlock> blocks;
  Array<const double> lane_committed;
  std::vector<BettingNode> nodes;
  Array<const double> end_committed;
  std::vector<Board> boards;
  HandArrays hands;
};

template <class T>
std::vector<T> copy(const Array<const T>& array) {
  return std::vector<T>(array.data(), array.data() + array.shape(0));
}

void add_lanes(const RoundInput& input, Round& round) {
  round.num_lanes = input.num_lanes;
  round.blocks = input.blocks;
  verify(input.num_lanes >= 1 && !input.blocks.empty(), "a round must have a lane");
  for (const LaneBlock& block : input.blocks) {
    verify(block.width == 16 || block.width == 8 || block.width == 4 || block.width == 1,
           "a block must be 16, 8, 4 or 1 lanes wide");
    verify(block.first_lane == round.padded_lanes && block.first_lane < input.num_lanes &&
               block.width <= input.blocks.front().width,
           "blocks must follow each other, the widest first, and each must have a lane");
    round.padded_lanes += block.width;
  }
  verify(round.padded_lanes >= input.num_lanes, "the blocks must cover all lanes");
  verify_size("lane_committed", input.lane_committed, round.padded_lanes);
  round.lane_committed = copy(input.lane_committed);
}

void add_betting(const RoundInput& input, Round& round) {
  const int num_nodes = int(input.nodes.size());
  round.end_committed = copy(input.end_committed);
  round.num_ends = int(round.end_committed.size());
  verify(num_nodes >= 1, "a round must have a betting node");
  for (int n = 0; n < num_nodes; ++n) {
    BettingNode node = input.nodes[n];
    verify(node.player == 0 || node.player == 1, "`player` must be 0 or 1");
    verify(node.num_actions == 1 + node.has_fold + (node.raise_node >= 0),
           "`num_actions` must count fold, call and raise");
    verify(node.first_action == round.num_actions[node.player],
           "`first_action` must count the actions of the player's nodes before it");
    verify((node.call_node >= 0) != (node.call_end >= 0), "a call must lead to a node or to an ending");
    verify(node.call_end < round.num_ends, "`call_end` must be an ending of the round");
    for (const int child : {node.call_node, node.raise_node})
      verify(child < 0 || (child > n && child < num_nodes), "the nodes after an action must come after its node");
    node.ordinal = round.num_nodes[node.player]++;
    round.num_actions[node.player] += node.num_actions;
    round.nodes.push_back(node);
  }
}

void verify_board(const LaneTree& tree, const Round& round, const Board& board) {
  verify(board.num_hands >= 1, "a board must have a hand");
  verify(board.num_orbits >= 1 && board.num_orbits <= 64, "a board must have 1 to 64 orbits of cards");
  verify(board.first_child >= 0 && board.num_children >= 0, "the children of a board must be a range of boards");
  const std::size_t end = std::size_t(board.first_hand) + board.num_hands;
  verify(end <= round.class_weight.size(), "the arrays of hands must have an entry for every hand of every board");
  verify_below("orbit", round.orbit.data() + std::size_t(board.first_hand) * tree.num_hole,
               std::size_t(board.num_hands) * tree.num_hole, std::uint8_t(board.num_orbits));
  if (!round.is_last) return;
  verify(board.first_group >= 0 && board.num_groups >= 1 &&
             std::size_t(board.first_group) + board.num_groups <= round.group_end.size(),
         "the groups of a board must be a range of `group_end`");
  int begin = 0;
  for (int group = board.first_group; group < board.first_group + board.num_groups; ++group) {
    verify(round.group_end[group] > begin, "`group_end` must ascend on every board");
    begin = round.group_end[group];
  }
  verify(begin == board.num_hands, "the last group of a board must end with its last hand");
}

void add_boards(LaneTree& tree, const RoundInput& input, Round& round) {
  const HandArrays& hands = input.hands;
  const std::size_t num_hands = hands.class_weight.size();
  verify_size("parent_hand", hands.parent_hand, num_hands);
  verify_size("up_weight", hands.up_weight, num_hands);
  verify_size("orbit", hands.orbit, num_hands * tree.num_hole);
  verify_size("orbit_weight", hands.orbit_weight, num_hands * tree.num_hole);
  round.parent_hand = copy(hands.parent_hand);
  round.orbit = copy(hands.orbit);
  round.class_weight = copy(hands.class_weight);
  round.orbit_weight = copy(hands.orbit_weight);
  round.up_weight = copy(hands.up_weight);
  round.group_end = copy(hands.group_end);
  int first_hand = 0;
  for (Board board : input.boards) {
    board.first_hand = first_hand;
    verify_board(tree, round, board);
    bool weighted = false;
    for (int h = 0; h < board.num_hands; ++h) weighted |= round.class_weight[first_hand + h] != 1;
    round.board_is_weighted.push_back(weighted);
    round.boards.push_back(board);
    first_hand += board.num_hands;
  }
  verify(std::size_t(first_hand) == num_hands, "the arrays of hands must have an entry for every hand of every board");
}

// The lanes and the boards of a round come from the round above.
void verify_follows(const LaneTree& tree, const Round& round) {
  if (tree.rounds.empty()) return verify(round.boards.size() == 1, "the first round must have one board");
  const Round& above = tree.rounds.back();
  verify(!above.is_last, "no round can follow the last one");
  verify(round.num_lanes == above.num_lanes * above.num_ends,
         "every ending of a lane must be a lane of the next round");
  int num_boards = 0;
  for (const Board& parent : above.boards) {
    verify(parent.first_child == num_boards && parent.first_child + parent.num_children <= int(round.boards.size()),
           "the boards of a round must be the children of the boards above, in order");
    num_boards += parent.num_children;
    for (int child = parent.first_child; child < num_boards; ++child)
      verify_below("parent_hand", round.parent_hand.data() + round.boards[child].first_hand,
                   round.boards[child].num_hands, std::int32_t(parent.num_hands));
  }
  verify(num_boards == int(round.boards.size()), "every board must be the child of a board above");
}

void add_round(LaneTree& tree, const RoundInput& input) {
  Round round;
  round.is_last = input.is_last;
  add_lanes(input, round);
  add_betting(input, round);
  add_boards(tree, input, round);
  verify_follows(tree, round);
  for (Board& board : round.boards) {
    const std::size_t hands = board.num_hands, tiles = (hands + kTile - 1) / kTile;
    for (int p = 0; p < 2; ++p) {
      board.base[p] = tree.num_values[p];
      board.scale_base[p] = tree.num_scales[p];
      tree.num_values[p] += hands * round.num_actions[p] * round.num_lanes;
      tree.num_scales[p] += tiles * round.num_nodes[p] * round.num_lanes;
    }
  }
  tree.rounds.push_back(std::move(round));
}

void bind_round(nb::module_& m) {
  nb::class_<LaneBlock>(m, "LaneBlock")
      .def(
          "__init__", [](LaneBlock* self, int first_lane, int width) { new (self) LaneBlock{first_lane, width}; },
          nb::arg("first_lane"), nb::arg("width"));
  nb::class_<BettingNode>(m, "BettingNode", "A decision of a round's betting: see `native/lanes/tree.hpp`.")
      .def(
          "__init__",
          [](BettingNode* self, int player, int first_action, int num_actions, bool has_fold,
             std::optional<int> call_node, std::optional<int> call_end, std::optional<int> raise_node,
             double fold_committed) {
            new (self)
                BettingNode{player,        first_action,           num_actions,           0,
                            has_fold,      call_node.value_or(-1), call_end.value_or(-1), raise_node.value_or(-1),
                            fold_committed};
          },
          nb::kw_only(), nb::arg("player"), nb::arg("first_action"), nb::arg("num_actions"), nb::arg("has_fold"),
          nb::arg("call_node").none(), nb::arg("call_end").none(), nb::arg("raise_node").none(),
          nb::arg("fold_committed"));
  nb::class_<Board>(m, "Board", "A board of a round: see `native/lanes/tree.hpp`.")
      .def(
          "__init__",
          [](Board* self, int num_hands, int first_child, int num_children, int first_group, int num_groups,
             int num_orbits) {
            new (self) Board{num_hands, 0, first_child, num_children, first_group, num_groups, num_orbits, {}, {}};
          },
          nb::kw_only(), nb::arg("num_hands"), nb::arg("first_child"), nb::arg("num_children"), nb::arg("first_group"),
          nb::arg("num_groups"), nb::arg("num_orbits"));
  nb::class_<HandArrays>(m, "HandArrays", "The hands of all boards of a round: see `native/lanes/tree.hpp`.")
      .def(
          "__init__",
          [](HandArrays* self, Array<const std::int32_t> parent_hand, Array<const std::uint8_t> orbit,
             Array<const double> class_weight, Array<const double> orbit_weight, Array<const double> up_weight,
             Array<const std::int32_t> group_end) {
            new (self) HandArrays{parent_hand, orbit, class_weight, orbit_weight, up_weight, group_end};
          },
          nb::kw_only(), array_arg("parent_hand"), array_arg("orbit"), array_arg("class_weight"),
          array_arg("orbit_weight"), array_arg("up_weight"), array_arg("group_end"));
  nb::class_<RoundInput>(m, "LaneRound", "A round of a tree.")
      .def(
          "__init__",
          [](RoundInput* self, bool is_last, int num_lanes, std::vector<LaneBlock> blocks,
             Array<const double> lane_committed, std::vector<BettingNode> nodes, Array<const double> end_committed,
             std::vector<Board> boards, const HandArrays& hands) {
            new (self) RoundInput{is_last,          num_lanes,     std::move(blocks), lane_committed,
                                  std::move(nodes), end_committed, std::move(boards), hands};
          },
          nb::kw_only(), nb::arg("is_last"), nb::arg("num_lanes"), nb::arg("blocks"), array_arg("lane_committed"),
          nb::arg("nodes"), array_arg("end_committed"), nb::arg("boards"), nb::arg("hands"));
}

}  // namespace

void bind_tree(nb::module_& m) {
  bind_round(m);
  nb::class_<LaneTree>(m, "LaneTree", "The public tree of the lane engine, built round by round.")
      .def(
          "__init__",
          [](LaneTree* self, int num_hole) {
            verify(num_hole == 1 || num_hole == 2, "`num_hole` must be 1 or 2");
            new (self) LaneTree();
            self->num_hole = num_hole;
          },
          nb::arg("num_hole"))
      .def("add_round", &add_round, nb::arg("round"))
      .def_prop_ro("num_values",
                   [](const LaneTree& tree) {
                     return std::make_tuple(tree.num_values[0] + kSpare, tree.num_values[1] + kSpare);
                   })
      .def_prop_ro("num_scales", [](const LaneTree& tree) {
        return std::make_tuple(tree.num_scales[0] + kSpare, tree.num_scales[1] + kSpare);
      });
  m.attr("LANE_TILE") = kTile;
}

}  // namespace errai
