#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <bit>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "walk.hpp"

namespace errai {
namespace {

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
    const int ordinal = round.num_nodes[at(0)]++;
    round.nodes.push_back({at(0), at(1), at(2), ordinal, at(3) != 0, at(4), at(5), at(6), fold_committed(n)});
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
    Board board{at(0), first_hand, at(1), at(2), at(3), at(4), at(5), {0, 0}, {0, 0}};
    const std::size_t hands = board.num_hands, tiles = (hands + kTile - 1) / kTile;
    for (int p = 0; p < 2; ++p) {
      board.base[p] = tree.num_values[p];
      board.scale_base[p] = tree.num_scales[p];
      tree.num_values[p] += hands * round.num_actions[p] * round.num_lanes;
      tree.num_scales[p] += tiles * round.num_nodes[p] * round.num_lanes;
    }
    bool weighted = false;
    for (int h = 0; h < board.num_hands; ++h) weighted |= round.class_weight[first_hand + h] != 1;
    round.board_is_weighted.push_back(weighted);
    round.boards.push_back(board);
    first_hand += board.num_hands;
  }
  tree.rounds.push_back(std::move(round));
}

// An array of numbers and, for 16 bits, its scales.
template <class Element>
using Arrays = std::tuple<Array<Element>, std::optional<Array<float>>>;

template <class Element>
Numbers<Element> numbers(const Arrays<Element>& arrays) {
  const auto& scales = std::get<1>(arrays);
  return {std::get<0>(arrays).data(), scales ? scales->data() : nullptr};
}

// Arrays that are only read, such as those of a mapped file; a judge's walk writes to none of its numbers.
template <class Element>
using ReadArrays = std::tuple<Array<const Element>, std::optional<Array<const float>>>;

template <class Element>
Numbers<Element> judged_numbers(const ReadArrays<Element>& arrays) {
  const auto& scales = std::get<1>(arrays);
  return {const_cast<Element*>(std::get<0>(arrays).data()), scales ? const_cast<float*>(scales->data()) : nullptr};
}

// Judges a strategy from a node on a board on: `value` becomes what `player` gets there with each hand, by a best response
// to the opponent's weights or by its own.
template <class Element>
void judge(const LaneTree& tree, int round_index, int board_index, int node_index, bool best_response, int player,
           const ReadArrays<Element>& own_weights, const ReadArrays<Element>& opponent_weights, int num_threads,
           Table<const RealOf<Element>> opponent_reach, Table<RealOf<Element>> value) {
  const Mode mode = best_response ? Mode::best_response : Mode::evaluate;
  const Pass pass{&tree, mode, player, {}, num_threads, {round_index, board_index, node_index}};
  Resident<Element> source(tree, player, {judged_numbers<Element>(opponent_weights), {}, {}, judged_numbers<Element>(own_weights)});
  nb::gil_scoped_release release;
  Walker<Element, Resident<Element>>(pass).run(opponent_reach.data(), value.data(), source);
}

// Iterates over arrays that it does not own: one a player; `weights` is the regrets themselves unless the variant is
// predictive. It keeps its buffers from call to call, as taking them anew costs a tenth of an iteration on a turn.
template <class Element>
class LaneRunner {
 public:
  using Real = RealOf<Element>;
  using Pair = std::array<Arrays<Element>, 2>;

  LaneRunner(const LaneTree& tree, const Pair& regrets, const Pair& weights, const std::optional<Pair>& average,
             const std::array<Table<const Real>, 2>& reach, bool simultaneous, int num_threads)
      : second_(numbers(weights[1])),
        reach_{reach[0].data(), reach[1].data()},
        before_(simultaneous ? tree.num_values[1] + kSpare : 0),
        scales_before_(simultaneous ? tree.num_scales[1] + kSpare : 0),
        value_(std::size_t(tree.rounds.front().boards.front().num_hands) * tree.rounds.front().padded_lanes) {
    for (int p = 0; p < 2; ++p) {
      pass_[p] = {&tree, Mode::update, p, {}, num_threads};
      Numbers<Element> opponent = numbers(weights[1 - p]);
      if (simultaneous && p == 0) opponent = {before_.data(), scales_before_.data()};
      sources_.emplace_back(tree, p,
                            PassNumbers<Element>{opponent, average ? numbers((*average)[1 - p]) : Numbers<Element>{},
                                                 numbers(regrets[p]), numbers(weights[p])});
      walkers_[p] = std::make_unique<Walker<Element, Resident<Element>>>(pass_[p]);
    }
  }

  // One iteration a row of `steps`. The second player is updated first; with simultaneous updates the first player still
  // answers the second player's strategy of before.
  void run(Table<const double> steps) {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < steps.shape(0); ++i) {
      const auto at = [&](int column) { return steps(i, column); };
      if (!before_.empty()) {
        std::copy_n(second_.values, before_.size(), before_.data());
        if (second_.scales) std::copy_n(second_.scales, scales_before_.size(), scales_before_.data());
      }
      for (const int p : {1, 0}) {
        pass_[p].step = {at(0), at(1), at(2), at(3) != 0, at(4) != 0, at(5), at(6), at(7)};
        walkers_[p]->run(reach_[1 - p], value_.data(), sources_[p]);
      }
    }
  }

 private:
  Numbers<Element> second_;
  std::array<const Real*, 2> reach_;
  std::vector<Element> before_;  // the second player's strategy, for simultaneous updates
  std::vector<float> scales_before_;
  std::vector<Real> value_;
  std::array<Pass, 2> pass_{};
  std::vector<Resident<Element>> sources_;
  std::array<std::unique_ptr<Walker<Element, Resident<Element>>>, 2> walkers_;  // they refer to the passes
};

// The endings of one column alone, on a board of the last round, in vectors of 16 lanes (terminals.hpp): for tests and
// measurements. `fold` and `show` are [hand][lane] and changed in place.
template <class Real>
void evaluate_endings(const LaneTree& tree, int board_index, const std::string& kind, Table<Real> fold, Table<Real> show,
                      Array<const Real> folded, Array<const Real> committed) {
  constexpr int W = 16;
  using V = Vector<Real, W>;
  nb::gil_scoped_release release;
  const Round& round = tree.rounds.back();
  const Board& board = round.boards[board_index];
  const std::vector<Real> class_weight(round.class_weight.begin(), round.class_weight.end());
  const std::vector<Real> orbit_weight(round.orbit_weight.begin(), round.orbit_weight.end());
  const HandTable<Real> hands{board.num_hands,
                              board.num_orbits,
                              board.num_groups,
                              round.orbit.data() + std::size_t(board.first_hand) * tree.num_hole,
                              class_weight.data() + board.first_hand,
                              orbit_weight.data() + std::size_t(board.first_hand) * tree.num_hole,
                              round.group_end.data() + board.first_group};
  std::vector<V> columns[3];  // fold, show, room
  for (auto& column : columns) column.resize(board.num_hands);
  for (int h = 0; h < board.num_hands; ++h) {
    columns[0][h] = load<V>(fold.data() + h * W);
    columns[1][h] = load<V>(show.data() + h * W);
  }
  V* const folds[1] = {columns[0].data()};
  V* const shows[1] = {columns[1].data()};
  const V folded_chips[1] = {load<V>(folded.data())};
  const V committed_chips[1] = {load<V>(committed.data())};
  const auto evaluate = [&]<int Hole, bool Weighted>() {
    const auto of_kind = [&]<ColumnKind Kind>() {
      evaluate_columns<Real, W, Hole, Weighted, Kind, 1>(hands, folds, shows, folded_chips, committed_chips,
                                                         columns[2].data());
    };
    if (kind == "fold") of_kind.template operator()<ColumnKind::fold>();
    if (kind == "showdown") of_kind.template operator()<ColumnKind::showdown>();
    if (kind == "own") of_kind.template operator()<ColumnKind::own>();
    if (kind == "opponent") of_kind.template operator()<ColumnKind::opponent>();
  };
  const bool weighted = round.board_is_weighted[board_index];
  if (tree.num_hole == 2)
    weighted ? evaluate.template operator()<2, true>() : evaluate.template operator()<2, false>();
  else
    weighted ? evaluate.template operator()<1, true>() : evaluate.template operator()<1, false>();
  for (int h = 0; h < board.num_hands; ++h) {
    store(fold.data() + h * W, columns[0][h]);
    store(show.data() + h * W, columns[1][h]);
  }
}

template <class Real>
void bind_endings(nb::module_& m) {
  m.def("evaluate_endings", &evaluate_endings<Real>, nb::arg("tree"), nb::arg("board_index"), nb::arg("kind"),
        nb::arg("fold").noconvert(), nb::arg("show").noconvert(), nb::arg("folded").noconvert(),
        nb::arg("committed").noconvert());
}

template <class Element>
void bind_element(nb::module_& m, const char* runner_name) {
  m.def("judge_lanes", &judge<Element>, nb::arg("tree"), nb::arg("round_index"), nb::arg("board_index"),
        nb::arg("node_index"), nb::arg("best_response"), nb::arg("player"),
        nb::arg("own_weights").noconvert(), nb::arg("opponent_weights").noconvert(), nb::arg("num_threads"),
        nb::arg("opponent_reach").noconvert(), nb::arg("value").noconvert());
  using Runner = LaneRunner<Element>;
  using Real = RealOf<Element>;
  nb::class_<Runner>(m, runner_name)
      .def(nb::init<const LaneTree&, const typename Runner::Pair&, const typename Runner::Pair&,
                    const std::optional<typename Runner::Pair>&, const std::array<Table<const Real>, 2>&, bool, int>(),
           nb::arg("tree"), nb::arg("regrets").noconvert(), nb::arg("weights").noconvert(),
           nb::arg("average").noconvert().none(), nb::arg("reach").noconvert(), nb::arg("simultaneous"),
           nb::arg("num_threads"))
      .def("run", &Runner::run, nb::arg("steps").noconvert());
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
        return std::make_tuple(tree.num_values[0] + kSpare, tree.num_values[1] + kSpare);
      })
      .def_prop_ro("num_scales", [](const LaneTree& tree) {
        return std::make_tuple(tree.num_scales[0] + kSpare, tree.num_scales[1] + kSpare);
      });
  m.attr("LANE_TILE") = kTile;
  bind_element<float>(m, "LaneRunner_float32");
  bind_element<double>(m, "LaneRunner_float64");
  bind_element<std::uint16_t>(m, "LaneRunner_uint16");
  bind_endings<float>(m);
  bind_endings<double>(m);
}

}  // namespace errai
