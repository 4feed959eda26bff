#include "flat.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings.hpp"

namespace errai {

FlatEngine::FlatEngine(const Side& first, const Side& second) : side_{first, second} {
  for (int player = 0; player < 2; ++player) {
    plan_[player].assign(side_[player].num_sequences, 1.0);
    value_[player].assign(side_[player].num_sequences, 0.0);
  }
}

void FlatEngine::run(const Learnt (&learnt)[2], const double* steps, int num_steps, bool simultaneous) {
  for (int i = 0; i < num_steps; ++i) {
    const Step step = Step::from_row(steps + i * Step::num_fields);
    if (simultaneous) {
      for (const int player : {0, 1}) {
        weigh(player, learnt[player]);
        add_to_average(player, step, learnt[player]);
      }
      for (const int player : {0, 1}) evaluate(player);
      for (const int player : {0, 1}) update(player, step, learnt[player]);
    } else {
      for (const int player : {1, 0}) {
        const int opponent = 1 - player;
        weigh(opponent, learnt[opponent]);
        add_to_average(opponent, step, learnt[opponent]);
        evaluate(player);
        update(player, step, learnt[player]);
      }
    }
  }
}

void FlatEngine::weigh(int player, const Learnt& learnt) {
  const Side& side = side_[player];
  double* plan = plan_[player].data();
  for (int i = 0; i < side.num_infosets; ++i) {
    const double reach = plan[side.parent_sequence[i]];
    for (int s = side.first_sequence[i]; s < side.first_sequence[i + 1]; ++s) plan[s] = reach * learnt.strategy[s - 1];
  }
}

void FlatEngine::add_to_average(int player, const Step& step, const Learnt& learnt) {
  const double* plan = plan_[player].data();
  for (int s = 1; s < side_[player].num_sequences; ++s) {
    learnt.average[s - 1] = learnt.average[s - 1] * step.average_decay + step.average_weight * plan[s];
  }
}

void FlatEngine::evaluate(int player) {
  const Side& side = side_[player];
  const double* opponent_plan = plan_[1 - player].data();
  for (int s = 0; s < side.num_sequences; ++s) {
    double sum = 0.0;
    for (int k = side.row_start[s]; k < side.row_start[s + 1]; ++k) {
      sum += side.payoff[k] * opponent_plan[side.column[k]];
    }
    value_[player][s] = sum;
  }
}

void FlatEngine::update(int player, const Step& step, const Learnt& learnt) {
  const Side& side = side_[player];
  double* value = value_[player].data();
  for (int i = side.num_infosets - 1; i >= 0; --i) {
    const int first = side.first_sequence[i];
    const int num_actions = side.first_sequence[i + 1] - first;
    double expected = 0.0;
    for (int s = first; s < first + num_actions; ++s) expected += learnt.strategy[s - 1] * value[s];
    value[side.parent_sequence[i]] += expected;
    update_infoset(step, num_actions, value + first, expected, learnt.regret + first - 1, learnt.strategy + first - 1);
  }
}

namespace {

using Integers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using State = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Steps = nb::ndarray<const double, nb::shape<-1, Step::num_fields>, nb::c_contig, nb::device::cpu>;
using SideArrays = std::tuple<Integers, Integers, Integers, Integers, Numbers>;
using LearntArrays = std::tuple<State, State, State>;

Side side_of(const SideArrays& arrays) {
  const auto& [first_sequence, parent_sequence, row_start, column, payoff] = arrays;
  return {static_cast<int>(parent_sequence.shape(0)),
          static_cast<int>(row_start.shape(0)) - 1,
          first_sequence.data(),
          parent_sequence.data(),
          row_start.data(),
          column.data(),
          payoff.data()};
}

Learnt learnt_of(const LearntArrays& arrays) {
  return {std::get<0>(arrays).data(), std::get<1>(arrays).data(), std::get<2>(arrays).data()};
}

void run_flat(const std::tuple<SideArrays, SideArrays>& sides, const std::tuple<LearntArrays, LearntArrays>& learnt,
              const Steps& steps, bool simultaneous) {
  FlatEngine engine(side_of(std::get<0>(sides)), side_of(std::get<1>(sides)));
  const Learnt learnt_by_player[2] = {learnt_of(std::get<0>(learnt)), learnt_of(std::get<1>(learnt))};
  nb::gil_scoped_release release;
  engine.run(learnt_by_player, steps.data(), static_cast<int>(steps.shape(0)), simultaneous);
}

}  // namespace
}  // namespace errai

void bind_flat(nb::module_& m) {
  m.attr("HAIR") = errai::kHair<double>;
  m.def("run_flat", &errai::run_flat, nb::arg("sides"), nb::arg("learnt"), nb::arg("steps").noconvert(), nb::kw_only(),
        nb::arg("simultaneous"));
}
