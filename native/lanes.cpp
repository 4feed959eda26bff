#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <new>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "walk.hpp"

namespace errai {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> copy(const Array<const T>& array) {
  return std::vector<T>(array.data(), array.data() + array.shape(0));
}

void add_round(LaneTree& tree, bool is_last, const std::vector<std::tuple<int, int>>& blocks, int num_lanes,
               Table<const std::int32_t> nodes, Array<const double> fold_committed, Array<const double> end_committed,
               Array<const double> lane_committed, Table<const std::int32_t> boards,
               Array<const std::int32_t> parent_hand, Array<const std::uint8_t> orbit,
               Array<const double> class_weight, Array<const double> orbit_weight, Array<const double> up_weight,
               Array<const std::int32_t> group_end) {
  Round round;
  round.is_last = is_last;
  round.num_lanes = num_lanes;
  for (const auto& [first_lane, width] : blocks) {
    round.blocks.push_back({first_lane, width});
    round.padded_lanes = first_lane + width;
  }
  if (nodes.shape(0) > std::size_t(kMaxNodes)) throw std::length_error("too many betting nodes in a round");
  for (std::size_t n = 0; n < nodes.shape(0); ++n) {
    // Columns: player, first action, number of actions, has fold, call node, call end, raise node.
    const auto at = [&](int column) { return nodes(n, column); };
    round.nodes.push_back({at(0), at(1), at(2), at(3) != 0, at(4), at(5), at(6), fold_committed(n)});
    round.num_actions[at(0)] += at(2);
  }
  round.end_committed = copy(end_committed);
  round.num_ends = int(round.end_committed.size());
  round.lane_committed = copy(lane_committed);
  round.parent_hand = copy(parent_hand);
  round.orbit = copy(orbit);
  round.class_weight = copy(class_weight);
  round.orbit_weight = copy(orbit_weight);
  round.up_weight = copy(up_weight);
  round.group_end = copy(group_end);
  int first_hand = 0;
  for (std::size_t b = 0; b < boards.shape(0); ++b) {
    // Columns: hands, first child, children, first group, groups, card orbits.
    const auto at = [&](int column) { return boards(b, column); };
    Board board{at(0), first_hand, at(1), at(2), at(3), at(4), at(5), {0, 0}};
    for (int p = 0; p < 2; ++p) {
      board.base[p] = tree.num_values[p];
      tree.num_values[p] += std::size_t(board.num_hands) * round.num_actions[p] * round.padded_lanes;
    }
    bool weighted = false;
    for (int h = 0; h < board.num_hands; ++h) weighted |= round.class_weight[first_hand + h] != 1;
    round.board_is_weighted.push_back(weighted);
    round.boards.push_back(board);
    first_hand += board.num_hands;
  }
  tree.rounds.push_back(std::move(round));
}

// Judges a strategy: `value` becomes what `player` gets with each root hand, by a best response to the opponent's
// weights or by its own.
template <class Real>
void judge(const LaneTree& tree, bool best_response, int player, Array<const Real> own_weights,
           Array<const Real> opponent_weights, int num_threads, Table<const Real> opponent_reach, Table<Real> value) {
  Pass<Real> pass{};
  pass.tree = &tree;
  pass.mode = best_response ? Mode::best_response : Mode::evaluate;
  pass.player = player;
  pass.opponent_weights = opponent_weights.data();
  pass.own_weights = const_cast<Real*>(own_weights.data());  // only read in this mode
  pass.num_threads = num_threads;
  nb::gil_scoped_release release;
  Walker<Real>(pass).run(opponent_reach.data(), value.data());
}

// One iteration a row of `steps`. The arrays are one a player; `weights` is the regrets themselves unless the variant is
// predictive. The second player is updated first; with simultaneous updates the first player still answers the second
// player's strategy of before.
template <class Real>
void iterate(const LaneTree& tree, std::array<Array<Real>, 2> regrets, std::array<Array<Real>, 2> weights,
             std::optional<std::array<Array<Real>, 2>> average, std::array<Table<const Real>, 2> reach,
             Table<const double> steps, bool simultaneous, int num_threads) {
  nb::gil_scoped_release release;
  std::array<Pass<Real>, 2> pass{};
  std::vector<Real> before(simultaneous ? tree.num_values[1] : 0);
  for (int p = 0; p < 2; ++p) {
    pass[p].tree = &tree;
    pass[p].mode = Mode::update;
    pass[p].player = p;
    pass[p].opponent_weights = p == 0 && simultaneous ? before.data() : weights[1 - p].data();
    pass[p].opponent_average = average ? (*average)[1 - p].data() : nullptr;
    pass[p].own_regrets = regrets[p].data();
    pass[p].own_weights = weights[p].data();
    pass[p].num_threads = num_threads;
  }
  std::array<Walker<Real>, 2> walkers{Walker<Real>(pass[0]), Walker<Real>(pass[1])};
  const Round& root = tree.rounds.front();
  std::vector<Real> value(std::size_t(root.boards.front().num_hands) * root.padded_lanes);
  for (std::size_t i = 0; i < steps.shape(0); ++i) {
    const auto at = [&](int column) { return steps(i, column); };
    if (simultaneous) std::copy_n(weights[1].data(), before.size(), before.data());
    for (const int p : {1, 0}) {
      pass[p].step = {at(0), at(1), at(2), at(3) != 0, at(4) != 0, at(5), at(6), at(7)};
      walkers[p].run(reach[1 - p].data(), value.data());
    }
  }
}

template <class Real>
void bind_real(nb::module_& m) {
  m.def("judge_lanes", &judge<Real>, nb::arg("tree"), nb::arg("best_response"), nb::arg("player"),
        nb::arg("own_weights").noconvert(), nb::arg("opponent_weights").noconvert(), nb::arg("num_threads"),
        nb::arg("opponent_reach").noconvert(), nb::arg("value").noconvert());
  m.def("iterate_lanes", &iterate<Real>, nb::arg("tree"), nb::arg("regrets").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("average").noconvert().none(), nb::arg("reach").noconvert(),
        nb::arg("steps").noconvert(), nb::arg("simultaneous"), nb::arg("num_threads"));
}

}  // namespace

void bind_lanes(nb::module_& m) {
  nb::class_<LaneTree>(m, "LaneTree")
      .def("__init__",
           [](LaneTree* self, int num_hole) {
             new (self) LaneTree();
             self->num_hole = num_hole;
           })
      .def("add_round", &add_round, nb::arg("is_last"), nb::arg("blocks"), nb::arg("num_lanes"), nb::arg("nodes"),
           nb::arg("fold_committed"), nb::arg("end_committed"), nb::arg("lane_committed"), nb::arg("boards"),
           nb::arg("parent_hand"), nb::arg("orbit"), nb::arg("class_weight"), nb::arg("orbit_weight"),
           nb::arg("up_weight"), nb::arg("group_end"))
      .def_prop_ro("num_values", [](const LaneTree& tree) {
        return std::make_tuple(tree.num_values[0], tree.num_values[1]);
      });
  bind_real<float>(m);
  bind_real<double>(m);
}

}  // namespace errai
