#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "flat/flat.hpp"
#include "flat/sampled.hpp"

namespace errai {
namespace {

// One side of a game, with the arrays that it points into.
struct BoundSide {
  Array<const std::int32_t> first_sequence, parent_sequence, row_start, column;
  Array<const double> payoff;
  std::optional<Array<const std::uint8_t>> is_locked;

  BoundSide(Array<const std::int32_t> first, Array<const std::int32_t> parent, Array<const std::int32_t> start,
            Array<const std::int32_t> columns, Array<const double> payoffs,
            std::optional<Array<const std::uint8_t>> locked)
      : first_sequence(first),
        parent_sequence(parent),
        row_start(start),
        column(columns),
        payoff(payoffs),
        is_locked(locked) {
    const std::size_t infosets = parent.size();
    if (is_locked) verify_size("is_locked", *is_locked, infosets);
    verify_size("first_sequence", first, infosets + 1);
    verify(start.size() >= 2, "`row_start` must have an entry for each sequence, and one more");
    verify_size("payoff", payoff, columns.size());
    const int sequences = int(start.size()) - 1, values = int(columns.size());
    verify(first.data()[0] == 1 && first.data()[infosets] == sequences,
           "`first_sequence` must begin with 1 and end with the number of sequences");
    for (std::size_t i = 0; i < infosets; ++i)
      verify(first.data()[i] < first.data()[i + 1] && parent.data()[i] >= 0 && parent.data()[i] < first.data()[i],
             "every infoset must have a sequence, and must come after its parent");
    verify(start.data()[0] == 0 && start.data()[sequences] == values, "`row_start` must cover all payoffs");
    for (int s = 0; s < sequences; ++s) verify(start.data()[s] <= start.data()[s + 1], "`row_start` must ascend");
  }

  SequenceSide view() const {
    return {int(parent_sequence.size()),
            int(row_start.size()) - 1,
            first_sequence.data(),
            parent_sequence.data(),
            row_start.data(),
            column.data(),
            payoff.data(),
            is_locked ? is_locked->data() : nullptr};
  }
};

struct BoundState {
  Array<double> regrets, strategy, average;

  BoundState(Array<double> own_regrets, Array<double> own_strategy, Array<double> own_average)
      : regrets(own_regrets), strategy(own_strategy), average(own_average) {
    verify_size("strategy", strategy, regrets.size());
    verify_size("average", average, regrets.size());
  }
  SolverState view() const { return {regrets.data(), strategy.data(), average.data()}; }
};

void run_flat(const std::array<const BoundSide*, 2>& sides, const std::array<const BoundState*, 2>& states,
              const std::vector<Step>& steps, bool simultaneous) {
  for (int player = 0; player < 2; ++player) {
    verify(sides[player] && states[player], "each player must have a side and a state");
  }
  for (int player = 0; player < 2; ++player) {
    const SequenceSide side = sides[player]->view(), opponent = sides[1 - player]->view();
    verify_below("column", sides[player]->column.data(), sides[player]->column.size(), opponent.num_sequences);
    verify_size("regrets", states[player]->regrets, side.num_sequences - 1);
  }
  nb::gil_scoped_release release;
  FlatEngine(sides[0]->view(), sides[1]->view()).run({states[0]->view(), states[1]->view()}, steps, simultaneous);
}

// The nodes of a game, with the arrays that they point into.
struct BoundNodes {
  Array<const std::uint8_t> kind;
  Array<const std::int32_t> first_child, num_children, infoset;
  Array<const double> probability, payoff;
  Array<const bool> is_public;
  Array<const std::int32_t> first_action;

  void verify_nodes() const {
    const std::size_t nodes = kind.size();
    verify(nodes >= 1, "a game must have a node");
    verify_size("first_child", first_child, nodes);
    verify_size("num_children", num_children, nodes);
    verify_size("infoset", infoset, nodes);
    verify_size("probability", probability, nodes);
    verify_size("payoff", payoff, nodes);
    verify_size("is_public", is_public, nodes);
    verify(first_action.size() >= 1 && first_action.data()[0] == 0, "`first_action` must begin with 0");
    const int infosets = int(first_action.size()) - 1;
    for (int i = 0; i < infosets; ++i)
      verify(first_action.data()[i] <= first_action.data()[i + 1], "`first_action` must ascend");
    for (std::size_t n = 0; n < nodes; ++n) {
      const int kind_of_node = kind.data()[n];
      verify(kind_of_node <= kTerminalKind, "`kind` must be 0, 1 (players), 2 (chance) or 3 (terminal)");
      if (kind_of_node == kTerminalKind) continue;
      const std::int64_t first = first_child.data()[n], count = num_children.data()[n];
      verify(count >= 1 && first > std::int64_t(n) && first + count <= std::int64_t(nodes),
             "the children of a node must come after it");
      if (kind_of_node == kChanceKind) continue;
      const int i = infoset.data()[n];
      verify(i >= 0 && i < infosets && first_action.data()[i + 1] - first_action.data()[i] == count,
             "a decision must have as many children as its infoset has actions");
    }
  }
  GameNodes view() const {
    return {kind.data(),      first_child.data(),  num_children.data(),
            infoset.data(),   probability.data(),  payoff.data(),
            is_public.data(), first_action.data(), first_action.data()[first_action.size() - 1]};
  }
};

Sampling parse_sampling(const std::string& sampling) {
  if (sampling == "external") return Sampling::external;
  if (sampling == "outcome") return Sampling::outcome;
  if (sampling == "public-chance") return Sampling::public_chance;
  throw std::invalid_argument("`sampling` must be `external`, `outcome` or `public-chance`; got `" + sampling + "`");
}

void run_sampled(const BoundNodes& nodes, const BoundState& state, const std::vector<Step>& steps,
                 std::uint64_t first_iteration, const std::string& sampling, double exploration, std::uint64_t seed) {
  const GameNodes game = nodes.view();
  verify_size("regrets", state.regrets, game.num_actions);
  verify(exploration >= 0 && exploration <= 1, "`exploration` must be 0 to 1");
  for (const Step& step : steps)
    verify(step.discount_positive == 1 && step.discount_negative == 1 && step.average_decay == 1 && !step.floor &&
               !step.predictive,
           "sampling must not discount, floor or predict regrets");
  SampledEngine engine(game, parse_sampling(sampling), exploration, state.view());
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < steps.size(); ++i) engine.iterate(seed, first_iteration + i, steps[i]);
}

}  // namespace

void bind_solvers(nb::module_& m) {
  m.attr("TIE_BREAK") = kTieBreak<double>;
  nb::class_<BoardDraw>(m, "BoardDraw", "Which boards of the last round an iteration visits: one in `one_in`.")
      .def(
          "__init__",
          [](BoardDraw* self, int one_in, int part, std::uint64_t seed) {
            verify(one_in >= 1, "`one_in` must be positive");
            verify_index("part", part, one_in);
            new (self) BoardDraw{one_in, part, seed};
          },
          nb::kw_only(), nb::arg("one_in") = 1, nb::arg("part") = 0, nb::arg("seed") = 0)
      .def("visits", &BoardDraw::visits, nb::kw_only(), nb::arg("board"), nb::arg("child"));
  nb::class_<Step>(m, "Step", "The parameters of one iteration: see `solvers/variants.py`.")
      .def(
          "__init__",
          [](Step* self, double discount_positive, double discount_negative, double regret_weight, bool floor,
             bool predictive, double discount_prediction, double average_decay, double average_weight,
             const BoardDraw& last_boards) {
            new (self) Step{discount_positive,   discount_negative, regret_weight,  floor,      predictive,
                            discount_prediction, average_decay,     average_weight, last_boards};
          },
          nb::kw_only(), nb::arg("discount_positive") = 1.0, nb::arg("discount_negative") = 1.0,
          nb::arg("regret_weight") = 1.0, nb::arg("floor") = true, nb::arg("predictive") = false,
          nb::arg("discount_prediction") = 1.0, nb::arg("average_decay") = 1.0, nb::arg("average_weight") = 0.0,
          nb::arg("last_boards") = BoardDraw{});
  nb::class_<BoundSide>(m, "SequenceSide", "One player's side of the sequence form: see `native/flat/flat.hpp`.")
      .def(nb::init<Array<const std::int32_t>, Array<const std::int32_t>, Array<const std::int32_t>,
                    Array<const std::int32_t>, Array<const double>, std::optional<Array<const std::uint8_t>>>(),
           nb::kw_only(), array_arg("first_sequence"), array_arg("parent_sequence"), array_arg("row_start"),
           array_arg("column"), array_arg("payoff"), array_arg("is_locked").none() = nb::none());
  nb::class_<BoundState>(m, "SolverState", "The arrays of one player, which a run changes in place.")
      .def(nb::init<Array<double>, Array<double>, Array<double>>(), nb::kw_only(), array_arg("regrets"),
           array_arg("strategy"), array_arg("average"));
  m.def("run_flat", &run_flat, nb::arg("sides"), nb::arg("states"), nb::arg("steps"), nb::kw_only(),
        nb::arg("simultaneous"), "Make one iteration of CFR per step.");
  nb::class_<BoundNodes>(m, "GameNodes", "The nodes of a game: the arrays of `trees/extensive_form.py`.")
      .def(
          "__init__",
          [](BoundNodes* self, Array<const std::uint8_t> kind, Array<const std::int32_t> first_child,
             Array<const std::int32_t> num_children, Array<const std::int32_t> infoset, Array<const double> probability,
             Array<const double> payoff, Array<const bool> is_public, Array<const std::int32_t> first_action) {
            BoundNodes nodes{kind, first_child, num_children, infoset, probability, payoff, is_public, first_action};
            nodes.verify_nodes();
            new (self) BoundNodes(std::move(nodes));
          },
          nb::kw_only(), array_arg("kind"), array_arg("first_child"), array_arg("num_children"), array_arg("infoset"),
          array_arg("probability"), array_arg("payoff"), array_arg("is_public"), array_arg("first_action"));
  m.def("run_sampled", &run_sampled, nb::arg("nodes"), nb::arg("state"), nb::arg("steps"), nb::kw_only(),
        nb::arg("first_iteration"), nb::arg("sampling"), nb::arg("exploration"), nb::arg("seed"),
        "Make one iteration of Monte Carlo CFR per step.");
}

}  // namespace errai
