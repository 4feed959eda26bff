#include <nanobind/ndarray.h>

#include <algorithm>
#include <span>

#include "abstraction/joint.hpp"
#include "abstraction/nearest.hpp"
#include "abstraction/pair_counts.hpp"
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

Metric metric_of(bool is_l1) { return is_l1 ? Metric::kL1 : Metric::kL2; }

void init_centroids(Centroids* self, bool is_l1, Table<const float> rows, std::size_t num_groups) {
  verify(num_groups >= 1 && rows.shape(0) >= num_groups && rows.shape(0) % num_groups == 0,
         "`rows` must have the same number of rows for each group");
  new (self) Centroids(metric_of(is_l1), rows.data(), num_groups, rows.shape(0) / num_groups, rows.shape(1));
}

void bound_find(const Centroids& centroids, Table<const float> points, Array<const std::uint32_t> groups,
                Array<std::uint32_t> labels, Array<float> distances) {
  const std::size_t count = points.shape(0);
  verify(points.shape(1) == centroids.num_dimensions(), "`points` must have as many dimensions as the centroids");
  verify_size("groups", groups, count);
  verify_size("labels", labels, count);
  verify_size("distances", distances, count);
  nb::gil_scoped_release release;
  verify_below("groups", groups.data(), count, static_cast<std::uint32_t>(centroids.num_groups()));
  centroids.find(points.data(), groups.data(), count, labels.data(), distances.data());
}

Array<std::uint32_t> bound_choose_seeds(bool is_l1, Table<const float> points, Array<const double> weights,
                                        Array<const double> uniforms) {
  verify_size("weights", weights, points.shape(0));
  verify(points.shape(0) > 0, "`points` must not be empty");
  std::vector<std::uint32_t> chosen;
  {
    nb::gil_scoped_release release;
    chosen = choose_seeds(metric_of(is_l1), points.data(), weights.data(), points.shape(0), points.shape(1),
                          {uniforms.data(), uniforms.size()});
  }
  return to_numpy(std::move(chosen));
}

void bound_add_to_sums(Table<const float> points, Array<const std::uint32_t> labels, Array<const double> weights,
                       Table<double> sums, Array<double> totals) {
  const std::size_t count = points.shape(0);
  verify_size("labels", labels, count);
  verify_size("weights", weights, count);
  verify_shape("sums", sums, totals.size(), points.shape(1));
  nb::gil_scoped_release release;
  verify_below("labels", labels.data(), count, static_cast<std::uint32_t>(totals.size()));
  add_to_sums(points.data(), labels.data(), weights.data(), count, points.shape(1), sums.data(), totals.data());
}

void bound_add_joint_counts(Table<const std::int32_t> buckets, Table<const std::uint16_t> labels,
                            Array<const std::uint64_t> weights, std::uint16_t blocked, Table<std::uint64_t> counts) {
  const JointCounts joint{.num_hands = labels.shape(1),
                          .num_orders = buckets.shape(0),
                          .num_boards = labels.shape(0),
                          .num_labels = counts.shape(1),
                          .blocked = blocked};
  verify_shape("buckets", buckets, joint.num_orders, joint.num_hands);
  verify_size("weights", weights, joint.num_boards);
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    verify(buckets.data()[i] < static_cast<std::int32_t>(counts.shape(0)), "`counts` must have a row for every bucket");
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    verify(labels.data()[i] == blocked || labels.data()[i] < joint.num_labels,
           "`counts` must have a column for every label");
  }
  joint.add(buckets.data(), labels.data(), weights.data(), counts.data());
}

void bound_add_pair_counts(Table<const std::int32_t> buckets, Table<const std::int32_t> strengths,
                           Table<const std::uint64_t> cards, Array<const std::int64_t> weights, int num_threads,
                           Table<std::int64_t> counts, Table<std::int64_t> edges) {
  const PairCounts pairs{buckets.shape(0), buckets.shape(1), counts.shape(0)};
  verify_shape("strengths", strengths, pairs.num_boards, pairs.num_hands);
  verify_shape("cards", cards, pairs.num_boards, pairs.num_hands);
  verify_size("weights", weights, pairs.num_boards);
  verify_shape("counts", counts, pairs.num_buckets, pairs.num_buckets);
  verify_shape("edges", edges, pairs.num_buckets, pairs.num_buckets);
  nb::gil_scoped_release release;
  verify_below("buckets", buckets.data(), buckets.size(), static_cast<std::int32_t>(pairs.num_buckets));
  for (std::size_t b = 0; b < pairs.num_boards; ++b) {
    const std::int32_t* const own = buckets.data() + b * pairs.num_hands;
    verify(std::is_sorted(own, own + pairs.num_hands), "the hands of a board must be sorted by bucket");
    verify(weights.data()[b] >= 0 &&
               weights.data()[b] < PairCounts::kMostPerTile / std::int64_t(pairs.num_hands * pairs.num_hands + 1),
           "`weights` must not be negative, nor too large for the hands of a board");
  }
  pairs.add(buckets.data(), strengths.data(), cards.data(), weights.data(), num_threads, counts.data(), edges.data());
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
  m.def("add_joint_counts", &bound_add_joint_counts, array_arg("buckets"), array_arg("labels"), array_arg("weights"),
        nb::arg("blocked"), array_arg("counts"),
        "counts[buckets[o, h], labels[b, h]] += weights[b], for all o, b and h that share no card.");
  m.def("add_pair_counts", &bound_add_pair_counts, array_arg("buckets"), array_arg("strengths"), array_arg("cards"),
        array_arg("weights"), nb::arg("num_threads"), array_arg("counts"), array_arg("edges"),
        "Count the pairs of hands of each board by their buckets, and who wins: see "
        "`native/abstraction/pair_counts.hpp`.");
  nb::class_<Centroids>(m, "Centroids")
      .def("__init__", &init_centroids, nb::arg("is_l1"), array_arg("rows"), nb::arg("num_groups"))
      .def("find", &bound_find, array_arg("points"), array_arg("groups"), array_arg("labels"), array_arg("distances"),
           "labels[i] = the row of the centroid nearest to point i among those of its group.");
  m.def("choose_seeds", &bound_choose_seeds, nb::arg("is_l1"), array_arg("points"), array_arg("weights"),
        array_arg("uniforms"), "The points that k-means++ chooses, one per uniform number, or fewer.");
  m.def("add_to_sums", &bound_add_to_sums, array_arg("points"), array_arg("labels"), array_arg("weights"),
        array_arg("sums"), array_arg("totals"), "sums[label] += weight * point; totals[label] += weight.");
}

}  // namespace errai
