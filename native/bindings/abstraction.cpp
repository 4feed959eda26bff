#include <nanobind/ndarray.h>

#include <span>

#include "abstraction/showdowns.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"

namespace errai {
namespace {

using Cards = Table<const std::uint8_t>;

void init_showdowns(Showdowns* self, Cards hands, unsigned deck_size, unsigned num_suits) {
  verify(num_suits >= 1 && num_suits <= 4 && deck_size <= 13 * num_suits, "a deck has 1 to 4 suits of up to 13 ranks");
  verify(hands.shape(1) == 1 || hands.shape(1) == 2, "`hands` must have one or two columns");
  verify(hands.shape(0) <= 1326, "there are at most 1,326 hands");
  verify_below("hands", hands.data(), hands.size(), static_cast<std::uint8_t>(deck_size));
  new (self) Showdowns(hands.data(), hands.shape(0), static_cast<int>(hands.shape(1)), deck_size, num_suits);
}

void verify_boards(const Showdowns& showdowns, const Cards& boards, int num_dealt = 0) {
  verify(boards.shape(1) + num_dealt + showdowns.num_hole_cards() <= 7, "hand and board have at most 7 cards");
  verify_below("boards", boards.data(), boards.size(), static_cast<std::uint8_t>(showdowns.deck_size()));
}

void bound_points(const Showdowns& showdowns, Cards boards, Table<std::uint16_t> points) {
  verify_boards(showdowns, boards);
  verify_shape("points", points, boards.shape(0), showdowns.num_hands());
  nb::gil_scoped_release release;
  showdowns.points(boards.data(), boards.shape(0), static_cast<int>(boards.shape(1)), points.data());
}

void bound_cluster_strengths(const Showdowns& showdowns, Cards boards, Array<const std::uint8_t> clusters,
                             std::uint16_t one, Table<std::uint16_t> strengths) {
  verify_boards(showdowns, boards);
  verify_size("clusters", clusters, showdowns.num_hands());
  const std::size_t num_clusters = strengths.shape(1);
  verify(num_clusters >= 1 && num_clusters <= Showdowns::kMostClusters, "there are 1 to 64 clusters");
  verify_below("clusters", clusters.data(), clusters.size(), static_cast<std::uint8_t>(num_clusters));
  verify_shape("strengths", strengths, boards.shape(0) * showdowns.num_hands(), num_clusters);
  nb::gil_scoped_release release;
  showdowns.cluster_strengths(boards.data(), boards.shape(0), static_cast<int>(boards.shape(1)),
                              {clusters.data(), clusters.size()}, num_clusters, one, strengths.data());
}

void bound_roll_out(const Showdowns& showdowns, Cards boards, int num_dealt, Table<std::uint64_t> sums,
                    Table<std::uint64_t> squares, Array<const std::uint16_t> bar_of, Table<std::uint32_t> histograms) {
  verify(num_dealt >= 0, "`num_dealt` must not be negative");
  verify_boards(showdowns, boards, num_dealt);
  const std::size_t rows = boards.shape(0) * showdowns.num_hands(), num_bars = histograms.shape(1);
  verify_shape("sums", sums, boards.shape(0), showdowns.num_hands());
  verify_shape("squares", squares, boards.shape(0), showdowns.num_hands());
  verify_shape("histograms", histograms, rows, num_bars);
  verify(num_bars == 0 || bar_of.size() > 2 * showdowns.num_hands(), "`bar_of` must have an entry for all points");
  if (num_bars > 0) verify_below("bar_of", bar_of.data(), bar_of.size(), static_cast<std::uint16_t>(num_bars));
  nb::gil_scoped_release release;
  showdowns.roll_out(boards.data(), boards.shape(0), static_cast<int>(boards.shape(1)), num_dealt,
                     {.sums = sums.data(),
                      .squares = squares.data(),
                      .histograms = num_bars == 0 ? nullptr : histograms.data(),
                      .bar_of = {bar_of.data(), bar_of.size()},
                      .num_bars = num_bars});
}

void bound_add_distribution(const Showdowns& showdowns, Cards boards, Array<const std::uint64_t> weights,
                            Array<const std::uint32_t> class_of_hand, Table<std::uint64_t> distribution) {
  verify_boards(showdowns, boards);
  verify_size("weights", weights, boards.shape(0));
  verify_size("class_of_hand", class_of_hand, showdowns.num_hands());
  verify_below("class_of_hand", class_of_hand.data(), class_of_hand.size(),
               static_cast<std::uint32_t>(distribution.shape(0)));
  verify(distribution.shape(1) > 2 * showdowns.num_hands(), "`distribution` must have a column for all points");
  nb::gil_scoped_release release;
  showdowns.add_distribution(boards.data(), boards.shape(0), static_cast<int>(boards.shape(1)), weights.data(),
                             {class_of_hand.data(), class_of_hand.size()}, distribution.shape(1), distribution.data());
}

}  // namespace

void bind_abstraction(nb::module_& m) {
  nb::class_<Showdowns>(m, "Showdowns")
      .def("__init__", &init_showdowns, array_arg("hands"), nb::arg("deck_size"), nb::arg("num_suits"))
      .def("points", &bound_points, array_arg("boards"), array_arg("points"),
           "points[b, h] = two for each hand that loses to hand h on board b, one for each that ties; 65535 where the "
           "hand shares a card with the board.")
      .def("cluster_strengths", &bound_cluster_strengths, array_arg("boards"), array_arg("clusters"), nb::arg("one"),
           array_arg("strengths"),
           "strengths[b * num_hands + h, c] = the part of `one` that hand h wins against the hands of cluster c on "
           "board b.")
      .def("roll_out", &bound_roll_out, array_arg("boards"), nb::arg("num_dealt"), array_arg("sums"),
           array_arg("squares"), array_arg("bar_of"), array_arg("histograms"),
           "Adds the points, their squares and their bars over every way to deal `num_dealt` more cards.")
      .def("add_distribution", &bound_add_distribution, array_arg("boards"), array_arg("weights"),
           array_arg("class_of_hand"), array_arg("distribution"),
           "distribution[class_of_hand[h], points] += the weight of board b, for all b and h.");
}

}  // namespace errai
