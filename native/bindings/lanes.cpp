// Passes over trees whose values are in memory.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/passes.hpp"
#include "lanes/memory_source.hpp"
#include "lanes/tree_pass.hpp"

namespace errai {
namespace {

Mode parse_mode(const std::string& mode) {
  if (mode == "update") return Mode::update;
  if (mode == "best_response") return Mode::best_response;
  if (mode == "evaluate") return Mode::evaluate;
  throw std::invalid_argument("`mode` must be `update`, `best_response` or `evaluate`; got `" + mode + "`");
}

ColumnKind parse_kind(const std::string& kind) {
  if (kind == "fold") return ColumnKind::fold;
  if (kind == "showdown") return ColumnKind::showdown;
  if (kind == "own") return ColumnKind::own;
  if (kind == "opponent") return ColumnKind::opponent;
  throw std::invalid_argument("`kind` must be `fold`, `showdown`, `own` or `opponent`; got `" + kind + "`");
}

void make_request(PassRequest* self, const std::string& mode, int player, const Step& step, const PassStart& start,
                  int num_threads) {
  verify_index("player", player, 2);
  verify(num_threads >= 1, "`num_threads` must be positive");
  new (self) PassRequest{parse_mode(mode), player, step, start, num_threads};
}

// Sets `value` to what each of the player's hands gets from the start of the pass on, by a best response to the
// opponent's weights or by its own weights; and `action_values` to what each action of the first node gets.
template <class Element>
void judge_lanes(const LaneTree& tree, const PassRequest& request, const ReadOnlyLaneArray<Element>& own_weights,
                 const ReadOnlyLaneArray<Element>& opponent_weights, Table<const RealOf<Element>> opponent_reach,
                 Table<RealOf<Element>> value, const std::optional<Table<RealOf<Element>>>& action_values) {
  verify(request.mode != Mode::update, "`mode` must be `best_response` or `evaluate`");
  verify_start(tree, request.start, true);
  verify_rows("opponent_reach", tree, request.start.round, request.start.board, 1 - request.player, opponent_reach);
  verify_rows("value", tree, request.start.round, request.start.board, request.player, value);
  const Pass pass = request.on(tree);
  RealOf<Element>* const by_action = checked_action_values(pass, action_values);
  const PassViews<Element> views{lane_view<Element>(tree, 1 - pass.player, opponent_weights),
                                 {},
                                 {},
                                 lane_view<Element>(tree, pass.player, own_weights)};
  MemorySource<Element> source(tree, pass.player, views);
  nb::gil_scoped_release release;
  TreePass<Element, MemorySource<Element>>(pass).run(opponent_reach.data(), value.data(), source, by_action);
}

// Iterates over arrays of both players in place; `weights` are the regrets themselves unless the variant is predictive.
// It keeps its buffers from call to call: allocating them again would take a tenth of an iteration on a turn.
template <class Element>
class LaneRunner {
 public:
  using Real = RealOf<Element>;
  using Pair = std::array<LaneArray<Element>, 2>;
  using Reach = std::array<Table<const Real>, 2>;

  LaneRunner(const LaneTree& tree, const Pair& regrets, const Pair& weights, const std::optional<Pair>& average,
             const Reach& reach, bool simultaneous, int num_threads)
      : regrets_(regrets), weights_(weights), average_(average), reach_(reach) {
    verify_start(tree, {}, true);
    verify(num_threads >= 1, "`num_threads` must be positive");
    for (int p = 0; p < 2; ++p) verify_rows("reach", tree, 0, 0, p, reach[p]);
    second_ = lane_view<Element>(tree, 1, weights[1]);
    before_.resize(simultaneous ? tree.num_values[1] + kSpare : 0);
    scales_before_.resize(simultaneous ? tree.num_scales[1] + kSpare : 0);
    value_.resize(std::max(reach[0].size(), reach[1].size()));
    for (int p = 0; p < 2; ++p) {
      pass_[p] = {&tree, Mode::update, p, {}, num_threads};
      LaneView<Element> opponent = lane_view<Element>(tree, 1 - p, weights[1 - p]);
      if (simultaneous && p == 0) opponent = {before_.data(), scales_before_.data()};
      LaneView<Element> opponent_average;
      if (average) opponent_average = lane_view<Element>(tree, 1 - p, (*average)[1 - p]);
      sources_.emplace_back(tree, p,
                            PassViews<Element>{opponent, opponent_average, lane_view<Element>(tree, p, regrets[p]),
                                               lane_view<Element>(tree, p, weights[p])});
      passes_[p] = std::make_unique<TreePass<Element, MemorySource<Element>>>(pass_[p]);
    }
  }

  // One iteration per step. The second player is updated first; with simultaneous updates the first player still
  // responds to the second player's strategy from before.
  void run(const std::vector<Step>& steps) {
    nb::gil_scoped_release release;
    for (const Step& step : steps) {
      if (!before_.empty()) {
        std::copy_n(second_.values, before_.size(), before_.data());
        if (second_.scales) std::copy_n(second_.scales, scales_before_.size(), scales_before_.data());
      }
      for (const int p : {1, 0}) {
        pass_[p].step = step;
        passes_[p]->run(reach_[1 - p].data(), value_.data(), sources_[p]);
      }
    }
  }

 private:
  Pair regrets_, weights_;  // the arrays live as long as the runner
  std::optional<Pair> average_;
  Reach reach_;
  LaneView<Element> second_;
  std::vector<Element> before_;  // the second player's strategy, for simultaneous updates
  std::vector<float> scales_before_;
  std::vector<Real> value_;
  std::array<Pass, 2> pass_{};
  std::vector<MemorySource<Element>> sources_;
  std::array<std::unique_ptr<TreePass<Element, MemorySource<Element>>>, 2> passes_;  // they refer to `pass_`
};

// The endings of one column on a board of the last round, in vectors of 16 lanes (lanes/terminals.hpp): for tests and
// measurements. `fold` and `show` are [hand][lane] and changed in place.
template <class Real>
void evaluate_endings(const LaneTree& tree, int board_index, const std::string& kind, Table<Real> fold,
                      Table<Real> show, Array<const Real> folded, Array<const Real> committed) {
  constexpr int W = 16;
  using V = Vector<Real, W>;
  const ColumnKind column_kind = parse_kind(kind);
  verify(!tree.rounds.empty() && tree.rounds.back().is_last, "the tree must have a last round");
  const Round& round = tree.rounds.back();
  verify_index("board_index", board_index, round.boards.size());
  verify(round.has_one_list(), "both players must have the same hands");
  const int num_hands = round.boards[board_index].num_hands[0];
  verify_shape("fold", fold, num_hands, W);
  verify_shape("show", show, num_hands, W);
  verify_size("folded", folded, W);
  verify_size("committed", committed, W);
  nb::gil_scoped_release release;
  const HandList& hands = *round.hands[0];
  const std::vector<Real> class_weight(hands.class_weight.begin(), hands.class_weight.end());
  const std::vector<Real> orbit_weight(hands.orbit_weight.begin(), hands.orbit_weight.end());
  std::vector<V> columns[3];  // fold, show, before
  for (auto& column : columns) column.resize(num_hands);
  for (int h = 0; h < num_hands; ++h) {
    columns[0][h] = load<V>(fold.data() + h * W);
    columns[1][h] = load<V>(show.data() + h * W);
  }
  evaluate_columns<Real, W, 1>(hand_table(tree, round, board_index, 0, class_weight.data(), orbit_weight.data()),
                               column_kind,
                               {{columns[0].data()},
                                {columns[1].data()},
                                {columns[0].data()},
                                {columns[1].data()},
                                {load<V>(folded.data())},
                                {load<V>(committed.data())},
                                {V::all(0)},
                                false,
                                columns[2].data()});
  for (int h = 0; h < num_hands; ++h) {
    store(fold.data() + h * W, columns[0][h]);
    store(show.data() + h * W, columns[1][h]);
  }
}

// The first round of a whole game, with its values in memory, from one of its nodes on. Its caller computes the boards
// below. The tree holds the first two rounds, the second one for the hands and chances of its boards.
class PreflopPass {
 public:
  using Values = std::optional<Array<float>>;

  PreflopPass(const LaneTree& tree, const PassRequest& request, const Values& own, const Array<float>& opponent,
              const Values& average, Table<const float> reach)
      : own_(own),
        opponent_(opponent),
        average_(average),
        pass_(checked(tree, request, reach)),
        source_(tree, pass_.player,
                {view(1 - pass_.player, opponent), view(1 - pass_.player, average), view(pass_.player, own),
                 view(pass_.player, own)}),
        tree_pass_(pass_),
        reach_(reach.data(), reach.data() + reach.size()) {
    verify(own || pass_.mode == Mode::best_response, "only a best response needs no values of its own");
  }

  void begin(Table<float> next_reach) {
    verify_shape("next_reach", next_reach, pass_.tree->rounds[0].boards[0].num_hands[1 - pass_.player],
                 pass_.tree->rounds[1].padded_lanes);
    nb::gil_scoped_release release;
    tree_pass_.begin(reach_.data(), source_);
    std::copy_n(tree_pass_.next_reach(), next_reach.size(), next_reach.data());
    has_begun_ = true;
  }
  void add_child(int child, Table<const float> value) {
    verify(has_begun_, "a pass must begin before boards are added");
    verify_index("child", child, pass_.tree->rounds[1].boards.size());
    verify_rows("value", *pass_.tree, 1, child, pass_.player, value);
    nb::gil_scoped_release release;
    tree_pass_.add_child(child, value.data());
  }
  void end(Table<float> value, const std::optional<Table<float>>& action_values) {
    verify(has_begun_, "a pass must begin before it ends");
    verify_rows("value", *pass_.tree, 0, 0, pass_.player, value);
    float* const by_action = checked_action_values(pass_, action_values);
    has_begun_ = false;
    nb::gil_scoped_release release;
    tree_pass_.end(reach_.data(), value.data(), source_, by_action);
  }

 private:
  static Pass checked(const LaneTree& tree, const PassRequest& request, const Table<const float>& reach) {
    verify_start(tree, request.start, false);
    verify(request.start.round == 0 && tree.rounds.size() == 2,
           "the tree must have two rounds, and the pass begin in the first");
    verify_rows("reach", tree, 0, 0, 1 - request.player, reach);
    return request.on(tree);
  }
  LaneView<float> view(int player, const Values& array) const {
    if (!array) return {};
    verify_size("values", *array, pass_.tree->rounds[1].boards[0].base[player] + kSpare);  // of the first round alone
    return {array->data(), nullptr};
  }

  Values own_;  // the arrays live as long as the pass
  Array<float> opponent_;
  Values average_;
  Pass pass_;
  MemorySource<float> source_;
  TreePass<float, MemorySource<float>> tree_pass_;
  std::vector<float> reach_;
  bool has_begun_ = false;
};

template <class Real>
void bind_endings(nb::module_& m) {
  m.def("evaluate_endings", &evaluate_endings<Real>, nb::arg("tree"), nb::arg("board_index"), nb::arg("kind"),
        array_arg("fold"), array_arg("show"), array_arg("folded"), array_arg("committed"),
        "The endings of one column on a board of the last round, for tests and measurements.");
}

template <class Element>
void bind_element(nb::module_& m, const char* runner_name) {
  m.def("judge_lanes", &judge_lanes<Element>, nb::arg("tree"), nb::arg("request"), array_arg("own_weights"),
        array_arg("opponent_weights"), array_arg("opponent_reach"), array_arg("value"),
        array_arg("action_values").none() = nb::none(),
        "Set `value` to what each hand of the player gets, by a best response or by its own weights, and "
        "`action_values` to what its actions get, [action x hand][padded lane].");
  using Runner = LaneRunner<Element>;
  nb::class_<Runner>(m, runner_name, "Iterates over arrays of both players in place.")
      .def(nb::init<const LaneTree&, const typename Runner::Pair&, const typename Runner::Pair&,
                    const std::optional<typename Runner::Pair>&, const typename Runner::Reach&, bool, int>(),
           nb::keep_alive<1, 2>(), nb::kw_only(), nb::arg("tree"), array_arg("regrets"), array_arg("weights"),
           array_arg("average").none(), array_arg("reach"), nb::arg("simultaneous"), nb::arg("num_threads"))
      .def("run", &Runner::run, nb::arg("steps"), "Make one iteration per step.");
}

}  // namespace

void bind_lanes(nb::module_& m) {
  nb::class_<PassStart>(
      m, "PassStart",
      "Where a pass begins: at a betting node of one shape on one board, or at the first nodes of all shapes.")
      .def(
          "__init__",
          [](PassStart* self, int round, int board, std::optional<int> shape, int node) {
            new (self) PassStart{round, board, shape.value_or(PassStart::kAllShapes), node};
          },
          nb::kw_only(), nb::arg("round") = 0, nb::arg("board") = 0, nb::arg("shape").none() = nb::none(),
          nb::arg("node") = 0);
  nb::class_<PassRequest>(m, "PassRequest", "What a pass does for a player: `update`, `best_response` or `evaluate`.")
      .def("__init__", &make_request, nb::kw_only(), nb::arg("mode"), nb::arg("player"), nb::arg("step") = Step{},
           nb::arg("start") = PassStart{}, nb::arg("num_threads") = 1);
  bind_element<float>(m, "LaneRunnerFloat32");
  bind_element<double>(m, "LaneRunnerFloat64");
  bind_element<std::uint16_t>(m, "LaneRunnerUint16");
  bind_element<std::int16_t>(m, "LaneRunnerInt16");
  bind_endings<float>(m);
  bind_endings<double>(m);
  nb::class_<PreflopPass>(m, "PreflopPass",
                          "The first round of a pass over a whole game: begin, add every board below, end.")
      .def(nb::init<const LaneTree&, const PassRequest&, const std::optional<Array<float>>&, const Array<float>&,
                    const std::optional<Array<float>>&, Table<const float>>(),
           nb::keep_alive<1, 2>(), nb::kw_only(), nb::arg("tree"), nb::arg("request"), array_arg("own").none(),
           array_arg("opponent"), array_arg("average").none(), array_arg("reach"))
      .def("begin", &PreflopPass::begin, array_arg("next_reach"),
           "Set the opponent's reach at the boards below, [hand][padded lane].")
      .def("add_child", &PreflopPass::add_child, nb::arg("child"), array_arg("value"),
           "Add the values of a board below, [hand][padded lane]; the order decides the last bit.")
      .def("end", &PreflopPass::end, array_arg("value"), array_arg("action_values").none() = nb::none(),
           "Set the value of every hand at the start, and of every action there if asked for.");
}

}  // namespace errai
