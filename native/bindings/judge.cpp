#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <new>
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "judge/card_blind.hpp"

namespace errai {
namespace {

void make_program(BettingProgram* self, std::size_t num_inputs, std::vector<BlindDecision> decisions,
                  std::vector<int> outputs) {
  for (std::size_t i = 0; i < decisions.size(); ++i)
    for (const int place : {decisions[i].call, decisions[i].raise})
      verify(place >= -1 && place < int(num_inputs + i), "a decision must come after the places that it reads");
  for (const int place : outputs) verify_index("outputs", place, num_inputs + decisions.size());
  new (self) BettingProgram{num_inputs, std::move(decisions), std::move(outputs)};
}

void run_program(const BettingProgram& program, Table<const double> ends, Table<double> starts) {
  verify_shape("ends", ends, ends.shape(0), program.num_inputs);
  verify_shape("starts", starts, ends.shape(0), program.outputs.size());
  nb::gil_scoped_release release;
  program.run(ends.data(), ends.shape(0), starts.data());
}

void make_game(CardBlindGame* self, unsigned deck_size, unsigned num_suits, Table<const std::uint8_t> hands,
               Table<const double> table) {
  verify(num_suits >= 1 && num_suits <= 4 && deck_size <= 13 * num_suits, "a deck has at most 13 ranks and 4 suits");
  verify(hands.shape(1) == 1 || hands.shape(1) == 2, "`hands` must have one or two columns");
  verify(hands.shape(0) < 65536 && table.shape(0) < 65536, "there must be fewer than 65536 hands and edges");
  verify_below("hands", hands.data(), hands.size(), std::uint8_t(deck_size));
  new (self) CardBlindGame(deck_size, num_suits, static_cast<unsigned>(hands.shape(1)), hands.data(), hands.shape(0),
                           table.data(), table.shape(0), table.shape(1));
}

void evaluate_game(const CardBlindGame& game, Array<const std::uint8_t> board, Table<const std::uint8_t> relabellings,
                   Table<double> rows) {
  verify_shape("rows", rows, game.num_hands(), game.num_columns());
  verify_shape("relabellings", relabellings, relabellings.shape(0), game.deck_size());
  verify(relabellings.shape(0) >= 1 && relabellings.shape(0) < 256, "there must be 1 to 255 relabellings");
  verify_below("relabellings", relabellings.data(), relabellings.size(), std::uint8_t(game.deck_size()));
  verify_below("board", board.data(), board.size(), std::uint8_t(game.deck_size()));
  nb::gil_scoped_release release;
  game.evaluate(board.data(), board.size(), relabellings.data(), relabellings.shape(0), rows.data());
}

}  // namespace

void bind_judge(nb::module_& m) {
  nb::class_<BlindDecision>(m, "BlindDecision")
      .def(
          "__init__",
          [](BlindDecision* self, bool is_own, std::optional<int> call, std::optional<int> raise, double fold,
             double p_fold, double p_call, double p_raise) {
            new (self) BlindDecision{is_own, call.value_or(-1), raise.value_or(-1), fold, p_fold, p_call, p_raise};
          },
          nb::kw_only(), nb::arg("is_own"), nb::arg("call").none(), nb::arg("raise_").none(), nb::arg("fold"),
          nb::arg("p_fold"), nb::arg("p_call"), nb::arg("p_raise"));
  nb::class_<BettingProgram>(m, "BettingProgram")
      .def("__init__", &make_program, nb::arg("num_inputs"), nb::arg("decisions"), nb::arg("outputs"))
      .def("run", &run_program, array_arg("ends"), array_arg("starts"));
  nb::class_<CardBlindGame>(m, "CardBlindGame")
      .def("__init__", &make_game, nb::arg("deck_size"), nb::arg("num_suits"), array_arg("hands"), array_arg("table"))
      .def("add_round", &CardBlindGame::add_round, nb::arg("program"), nb::arg("num_dealt"))
      .def("evaluate", &evaluate_game, array_arg("board"), array_arg("relabellings"), array_arg("rows"));
}

}  // namespace errai
