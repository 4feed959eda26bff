// Builds the tree of the lane engine. Every index that a pass follows is checked here, once.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
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

// A round as Python describes it.
struct RoundInput {
  bool is_last;
  std::vector<BettingShape> shapes;
  std::vector<LaneBlock> blocks;
  std::vector<Board> boards;
  std::shared_ptr<const HandList> hands[2];
  double num_final_boards;
};

template <class AnyArray>
auto copy(const AnyArray& array) {
  return std::vector(array.data(), array.data() + array.size());
}

void add_node(BettingShape& shape, BettingNode node) {
  verify(node.player == 0 || node.player == 1, "`player` must be 0 or 1");
  node.num_actions = 1 + node.has_fold + int(node.raise_nodes.size());
  verify(node.num_actions <= kMostActions, "a node must have at most 8 actions");
  verify((node.call_node >= 0) != (node.call_end >= 0), "a call must lead to a node or to an ending");
  verify(node.call_end < shape.num_ends(), "`call_end` must be an ending of the shape");
  node.first_action = shape.num_actions[node.player];
  node.ordinal = shape.num_nodes[node.player]++;
  shape.num_actions[node.player] += node.num_actions;
  shape.nodes.push_back(std::move(node));
}

BettingShape make_shape(const std::vector<BettingNode>& nodes, const std::vector<bool>& end_is_all_in) {
  BettingShape shape;
  shape.end_is_all_in.assign(end_is_all_in.begin(), end_is_all_in.end());
  for (const BettingNode& node : nodes) add_node(shape, node);
  verify(!nodes.empty(), "a shape must have a betting node");
  for (int n = 0; n < int(nodes.size()); ++n) {
    std::vector<int> children = nodes[n].raise_nodes;
    if (nodes[n].call_node >= 0) children.push_back(nodes[n].call_node);
    for (const int child : children)
      verify(child > n && child < int(nodes.size()), "the nodes after an action must come after its node");
  }
  return shape;
}

void add_lanes(const RoundInput& input, Round& round) {
  verify(!input.shapes.empty() && !input.blocks.empty(), "a round must have a lane");
  round.shapes = input.shapes;
  for (LaneBlock block : input.blocks) {
    verify(block.width == 16 || block.width == 8 || block.width == 1, "a block must be 16, 8 or 1 lanes wide");
    verify_index("shape", block.shape, round.shapes.size());
    const BettingShape& shape = round.shapes[block.shape];
    verify(block.first_lane == round.padded_lanes, "blocks must follow each other");
    verify(block.num_lanes >= 1 && block.num_lanes <= block.width, "a block must have 1 to `width` lanes");
    const std::size_t ends = std::size_t(shape.num_ends()) * block.width;
    const std::size_t nodes = shape.nodes.size() * block.width;
    verify(block.fold_chips.size() == nodes && block.won_chips.size() == nodes,
           "`fold_chips` and `won_chips` must be [node][width]");
    verify(block.end_chips.size() == ends && block.half_rake.size() == ends,
           "`end_chips` and `half_rake` must be [ending][width]");
    for (const double rake : block.half_rake) round.has_rake |= rake != 0;
    verify(block.next_lane.size() == ends, "`next_lane` must be [ending][width]");
    for (int p = 0; p < 2; ++p) {
      block.values_before[p] = round.num_values[p];
      block.nodes_before[p] = round.num_scales[p];
      round.num_values[p] += std::size_t(block.num_lanes) * shape.num_actions[p];
      round.num_scales[p] += std::size_t(block.num_lanes) * shape.num_nodes[p];
    }
    round.padded_lanes += block.width;
    round.widest = std::max(round.widest, block.width);
    round.blocks.push_back(std::move(block));
  }
}

void verify_hands(const LaneTree& tree, const Round& round, const Board& board, int player) {
  const HandList& hands = *round.hands[player];
  const int num_hands = board.num_hands[player];
  const std::size_t first = board.first_hand[player];
  verify(num_hands >= 0 && first + num_hands <= hands.class_weight.size(),
         "the lists of hands must have an entry for every hand of every board");
  verify_below("orbit", hands.orbit.data() + first * tree.num_hole, std::size_t(num_hands) * tree.num_hole,
               std::uint8_t(board.num_orbits));
  verify_below("opponent_hand", hands.opponent_hand.data() + first, num_hands, board.num_hands[1 - player] + 1);
  if (!round.is_last && !board.num_groups) return;
  verify(board.first_group >= 0 && board.num_groups >= 1 &&
             std::size_t(board.first_group) + board.num_groups <= hands.group_end.size(),
         "the groups of a board must be a range of `group_end`");
  int begin = 0;
  for (int group = board.first_group; group < board.first_group + board.num_groups; ++group) {
    verify(hands.group_end[group] >= begin, "`group_end` must ascend on every board");
    begin = hands.group_end[group];
  }
  verify(round.is_last ? begin == num_hands : begin <= num_hands,
         "the last group of a board must end with its last hand, or before the last round not after it");
  verify(round.is_last || round.has_one_list(), "groups before the last round must be those of one list of hands");
}

void add_boards(LaneTree& tree, const RoundInput& input, Round& round) {
  for (int p = 0; p < 2; ++p) {
    const HandList& hands = *input.hands[p];
    const std::size_t num_hands = hands.class_weight.size();
    verify(hands.parent_hand.size() == num_hands && hands.up_weight.size() == num_hands &&
               hands.opponent_hand.size() == num_hands && hands.orbit.size() == num_hands * tree.num_hole &&
               hands.orbit_weight.size() == num_hands * tree.num_hole,
           "the arrays of a list of hands must have one entry per hand, or per card of a hand");
    round.hands[p] = input.hands[p];
  }
  int first_hand[2] = {0, 0};
  for (Board board : input.boards) {
    verify(board.num_orbits >= 1 && board.num_orbits <= 64, "a board must have 1 to 64 orbits of cards");
    verify(board.first_child >= 0 && board.num_children >= 0, "the children of a board must be a range of boards");
    bool weighted = false;
    for (int p = 0; p < 2; ++p) {
      board.first_hand[p] = first_hand[p];
      verify_hands(tree, round, board, p);
      for (int h = 0; h < board.num_hands[p]; ++h) weighted |= round.hands[p]->class_weight[first_hand[p] + h] != 1;
      first_hand[p] += board.num_hands[p];
    }
    round.board_is_weighted.push_back(weighted);
    round.boards.push_back(board);
  }
  for (int p = 0; p < 2; ++p)
    verify(std::size_t(first_hand[p]) == round.hands[p]->class_weight.size(),
           "the lists of hands must have an entry for every hand of every board");
}

// The lanes and the boards of a round come from the round above.
void verify_follows(const LaneTree& tree, const Round& round) {
  if (tree.rounds.empty()) return verify(round.boards.size() == 1, "the first round must have one board");
  const Round& above = tree.rounds.back();
  verify(!above.is_last, "no round can follow the last one");
  std::vector<bool> is_reached(round.padded_lanes, false);
  for (const LaneBlock& block : above.blocks) {
    const BettingShape& shape = above.shapes[block.shape];
    for (int end = 0; end < shape.num_ends(); ++end)
      for (int lane = 0; lane < block.num_lanes; ++lane) {
        const int next = block.next_lane[end * block.width + lane];
        if (shape.end_is_all_in[end]) continue;
        verify_index("next_lane", next, is_reached.size());
        verify(!is_reached[next], "every lane must be reached by one ending of one lane");
        is_reached[next] = true;
      }
  }
  for (const LaneBlock& block : round.blocks)
    for (int lane = 0; lane < block.num_lanes; ++lane)
      verify(is_reached[block.first_lane + lane], "every lane must be reached by an ending of the round above");
  int num_boards = 0;
  for (const Board& parent : above.boards) {
    verify(parent.first_child == num_boards && parent.first_child + parent.num_children <= int(round.boards.size()),
           "the boards of a round must be the children of the boards above, in order");
    num_boards += parent.num_children;
    for (int child = parent.first_child; child < num_boards; ++child)
      for (int p = 0; p < 2; ++p)
        verify_below("parent_hand", round.hands[p]->parent_hand.data() + round.boards[child].first_hand[p],
                     round.boards[child].num_hands[p], std::int32_t(parent.num_hands[p]));
  }
  verify(num_boards == int(round.boards.size()), "every board must be the child of a board above");
}

void add_round(LaneTree& tree, const RoundInput& input) {
  Round round;
  round.is_last = input.is_last;
  round.num_final_boards = input.num_final_boards;
  add_lanes(input, round);
  add_boards(tree, input, round);
  verify_follows(tree, round);
  for (Board& board : round.boards) {
    for (int p = 0; p < 2; ++p) {
      const std::size_t hands = board.num_hands[p], tiles = (hands + kTile - 1) / kTile;
      board.base[p] = tree.num_values[p];
      board.scale_base[p] = tree.num_scales[p];
      tree.num_values[p] += hands * round.num_values[p];
      tree.num_scales[p] += tiles * round.num_scales[p];
    }
  }
  tree.rounds.push_back(std::move(round));
}

// The boards of a round get their edges in order.
void add_all_in_edge(LaneTree& tree, int round_index, int player, Table<const float> edge, double num_final_boards) {
  verify_index("round", round_index, tree.rounds.size());
  verify_index("player", player, 2);
  Round& round = tree.rounds[round_index];
  auto& edges = round.all_in_edge[player];
  auto& firsts = round.first_edge[player];
  verify(firsts.size() < round.boards.size(), "every board of the round has its edges already");
  const Board& board = round.boards[firsts.size()];
  verify_shape("edge", edge, board.num_hands[player], board.num_hands[1 - player]);
  verify(num_final_boards >= 1, "`num_final_boards` must be at least 1");
  round.num_final_boards = num_final_boards;
  firsts.push_back(edges.size());
  edges.insert(edges.end(), edge.data(), edge.data() + edge.size());
}

// Locks hands of a decision in one lane of a block, on one board; a lock of the same decision must not be there yet.
void add_lock(LaneTree& tree, int round_index, int board_index, int block_index, int node_index, int lane,
              Array<const bool> is_locked, Table<const double> probability) {
  verify_index("round", round_index, tree.rounds.size());
  Round& round = tree.rounds[round_index];
  verify_index("board", board_index, round.boards.size());
  verify_index("block", block_index, round.blocks.size());
  const LaneBlock& block = round.blocks[block_index];
  verify_index("lane", lane, block.num_lanes);
  const BettingShape& shape = round.shapes[block.shape];
  verify_index("node", node_index, shape.nodes.size());
  const BettingNode& node = shape.nodes[node_index];
  const std::size_t num_hands = round.boards[board_index].num_hands[node.player];
  verify_size("is_locked", is_locked, num_hands);
  verify_shape("probability", probability, num_hands, node.num_actions);
  round.first_lock.resize(round.boards.size() * round.blocks.size(), -1);
  std::int32_t& first = round.first_lock[board_index * round.blocks.size() + block_index];
  for (int i = first; i >= 0; i = round.locks[i].next)
    verify(round.locks[i].node != node_index || round.locks[i].lane != lane, "a decision can be locked once");
  round.locks.push_back({block_index, node_index, lane,
                         std::vector<std::uint8_t>(is_locked.data(), is_locked.data() + num_hands), copy(probability),
                         first});
  first = int(round.locks.size()) - 1;
}

// The same matrices serve both players, whose hands are the same buckets.
template <class Real>
void add_pair_weights(LaneTree& tree, int round_index, Table<const Real> weight, Table<const Real> edge) {
  verify_index("round", round_index, tree.rounds.size());
  Round& round = tree.rounds[round_index];
  verify(round.boards.size() == 1 && round.has_one_list(), "a round of buckets must have one board and one list");
  verify(!round.has_pairs(), "the round has its weights already");
  verify(!round.has_rake, "weights of pairs know no rake");
  const int hands = round.boards[0].num_hands[0];
  verify_shape("weight", weight, hands, hands);
  verify_shape("edge", edge, hands, hands);
  nb::gil_scoped_release release;
  auto pairs = std::make_shared<PairWeights<Real>>(
      PairWeights<Real>{{weight.data(), hands, hands}, {edge.data(), hands, hands}});
  if constexpr (std::is_same_v<Real, float>)
    round.pairs_in_float = std::move(pairs);
  else
    round.pairs_in_double = std::move(pairs);
}

void bind_round(nb::module_& m) {
  nb::class_<BettingNode>(m, "BettingNode", "A decision of a shape: see `native/lanes/tree.hpp`.")
      .def(
          "__init__",
          [](BettingNode* self, int player, bool has_fold, std::optional<int> call_node, std::optional<int> call_end,
             std::vector<int> raise_nodes) {
            new (self) BettingNode{
                player, 0, 0, 0, has_fold, call_node.value_or(-1), call_end.value_or(-1), std::move(raise_nodes)};
          },
          nb::kw_only(), nb::arg("player"), nb::arg("has_fold"), nb::arg("call_node").none(),
          nb::arg("call_end").none(), nb::arg("raise_nodes"));
  nb::class_<BettingShape>(m, "BettingShape", "The betting of a round without its chips.")
      .def(
          "__init__",
          [](BettingShape* self, const std::vector<BettingNode>& nodes, const std::vector<bool>& end_is_all_in) {
            new (self) BettingShape(make_shape(nodes, end_is_all_in));
          },
          nb::kw_only(), nb::arg("nodes"), nb::arg("end_is_all_in"));
  nb::class_<LaneBlock>(m, "LaneBlock", "Lanes of one shape that are computed together, with their chips.")
      .def(
          "__init__",
          [](LaneBlock* self, int shape, int first_lane, int width, int num_lanes, Table<const double> fold_chips,
             Table<const double> won_chips, Table<const double> end_chips, Table<const double> half_rake,
             Table<const std::int32_t> next_lane) {
            new (self) LaneBlock{shape,           first_lane,      width,           num_lanes,      copy(fold_chips),
                                 copy(won_chips), copy(end_chips), copy(half_rake), copy(next_lane)};
          },
          nb::kw_only(), nb::arg("shape"), nb::arg("first_lane"), nb::arg("width"), nb::arg("num_lanes"),
          array_arg("fold_chips"), array_arg("won_chips"), array_arg("end_chips"), array_arg("half_rake"),
          array_arg("next_lane"));
  nb::class_<Board>(m, "Board", "A board of a round: see `native/lanes/tree.hpp`.")
      .def(
          "__init__",
          [](Board* self, std::array<int, 2> num_hands, int first_child, int num_children, int first_group,
             int num_groups, int num_orbits) {
            new (self) Board{{num_hands[0], num_hands[1]},
                             {0, 0},
                             first_child,
                             num_children,
                             first_group,
                             num_groups,
                             num_orbits,
                             {},
                             {}};
          },
          nb::kw_only(), nb::arg("num_hands"), nb::arg("first_child"), nb::arg("num_children"), nb::arg("first_group"),
          nb::arg("num_groups"), nb::arg("num_orbits"));
  nb::class_<HandList>(m, "HandList", "The hands of a player on all boards of a round: see `native/lanes/tree.hpp`.")
      .def(
          nb::new_([](Array<const std::int32_t> parent_hand, Array<const std::uint8_t> orbit,
                      Array<const double> class_weight, Array<const double> orbit_weight, Array<const double> up_weight,
                      Array<const std::int32_t> group_end, Array<const std::int32_t> opponent_hand) {
            return std::make_shared<HandList>(HandList{copy(parent_hand), copy(orbit), copy(class_weight),
                                                       copy(orbit_weight), copy(up_weight), copy(group_end),
                                                       copy(opponent_hand)});
          }),
          nb::kw_only(), array_arg("parent_hand"), array_arg("orbit"), array_arg("class_weight"),
          array_arg("orbit_weight"), array_arg("up_weight"), array_arg("group_end"), array_arg("opponent_hand"));
  nb::class_<RoundInput>(m, "LaneRound", "A round of a tree.")
      .def(
          "__init__",
          [](RoundInput* self, bool is_last, std::vector<BettingShape> shapes, std::vector<LaneBlock> blocks,
             std::vector<Board> boards, const std::array<std::shared_ptr<HandList>, 2>& hands,
             double num_final_boards) {
            new (self) RoundInput{is_last,           std::move(shapes),    std::move(blocks),
                                  std::move(boards), {hands[0], hands[1]}, num_final_boards};
          },
          nb::kw_only(), nb::arg("is_last"), nb::arg("shapes"), nb::arg("blocks"), nb::arg("boards"), nb::arg("hands"),
          nb::arg("num_final_boards") = 1.0);
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
      .def("add_all_in_edge", &add_all_in_edge, nb::arg("round"), nb::arg("player"), array_arg("edge"),
           nb::arg("num_final_boards"),
           "Add the edges of a player's hands against the opponent's on the next board, for calls that are all-in.")
      .def("add_lock", &add_lock, nb::kw_only(), nb::arg("round"), nb::arg("board"), nb::arg("block"), nb::arg("node"),
           nb::arg("lane"), array_arg("is_locked"), array_arg("probability"),
           "Fix the probabilities, [hand][action], of hands at a decision in one lane of a block.")
      .def("add_pair_weights", &add_pair_weights<float>, nb::arg("round"), array_arg("weight"), array_arg("edge"),
           "Add what decides the endings of a round whose hands are buckets: see `native/lanes/pair_weights.hpp`.")
      .def("add_pair_weights", &add_pair_weights<double>, nb::arg("round"), array_arg("weight"), array_arg("edge"))
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
