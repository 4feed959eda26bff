// Passes over trees whose values belong to buckets of hands.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/passes.hpp"
#include "lanes/bucket_source.hpp"
#include "lanes/tree_pass.hpp"

namespace errai {
namespace {

// The buckets of all hands of a tree, for arithmetic in both precisions.
struct BoundBuckets {
  TreeBuckets<float> in_float;
  TreeBuckets<double> in_double;

  template <class Real>
  const TreeBuckets<Real>& in() const {
    if constexpr (std::is_same_v<Real, float>)
      return in_float;
    else
      return in_double;
  }
};

// For each player and round: the number of buckets, the bucket of each hand and the deals that it stands for.
struct RoundBucketsInput {
  std::size_t num_buckets;
  Array<const std::int32_t> bucket;
  Array<const double> weight;
};

void make_buckets(BoundBuckets* self, const LaneTree& tree,
                  const std::array<std::vector<RoundBucketsInput>, 2>& of_players) {
  BoundBuckets made;
  for (int p = 0; p < 2; ++p) {
    verify(of_players[p].size() == tree.rounds.size(), "there must be buckets for every round of the tree");
    for (std::size_t r = 0; r < tree.rounds.size(); ++r) {
      const RoundBucketsInput& input = of_players[p][r];
      const Round& round = tree.rounds[r];
      const std::size_t num_hands = round.hands[p]->class_weight.size();
      verify_size("bucket", input.bucket, num_hands);
      verify_size("weight", input.weight, num_hands);
      verify_below("bucket", input.bucket.data(), num_hands, std::int32_t(input.num_buckets));
      const std::vector<std::int32_t> bucket(input.bucket.data(), input.bucket.data() + num_hands);
      const double* const weight = input.weight.data();
      made.in_float.rounds[p].push_back(
          number_rows<float>(round, p, input.num_buckets, bucket, {weight, weight + num_hands}));
      made.in_double.rounds[p].push_back(
          number_rows<double>(round, p, input.num_buckets, bucket, {weight, weight + num_hands}));
    }
  }
  new (self) BoundBuckets(std::move(made));
}

template <class Real>
using Rounds = std::vector<Array<Real>>;  // one array per round of the tree

// Pointers to arrays that have the size of their buckets.
template <class Real, class Given>
std::vector<Real*> round_arrays(const char* name, const LaneTree& tree, const BoundBuckets& buckets, int player,
                                const Rounds<Given>& arrays) {
  verify(arrays.size() == tree.rounds.size(), "there must be one array per round of the tree");
  std::vector<Real*> pointers;
  for (std::size_t r = 0; r < arrays.size(); ++r) {
    verify_size(name, arrays[r],
                buckets.in<Real>().rounds[player][r].num_buckets * tree.rounds[r].num_values[player] + kSpare);
    pointers.push_back(const_cast<Real*>(arrays[r].data()));
  }
  return pointers;
}

void verify_buckets(const LaneTree& tree, const BoundBuckets& buckets) {
  for (int p = 0; p < 2; ++p) {
    const auto& rounds = buckets.in_float.rounds[p];
    verify(rounds.size() == tree.rounds.size(), "the buckets must be those of the tree");
    for (std::size_t r = 0; r < rounds.size(); ++r)
      verify(rounds[r].row.size() == tree.rounds[r].hands[p]->class_weight.size() &&
                 rounds[r].first_row.size() == tree.rounds[r].boards.size() + 1,
             "the buckets must be those of the tree");
  }
}

// Sets `value` to what each of the player's hands gets, by a best response to the opponent's weights or by its own.
template <class Real>
void judge_buckets(const LaneTree& tree, const BoundBuckets& buckets, const PassRequest& request,
                   const std::optional<Rounds<const Real>>& own, const Rounds<const Real>& opponent,
                   Table<const Real> opponent_reach, Table<Real> value) {
  const int player = request.player, start = request.start.round;
  verify(request.mode == (own ? Mode::evaluate : Mode::best_response), "`own` must be given in order to be evaluated");
  verify_start(tree, request.start, true);
  verify_buckets(tree, buckets);
  verify_rows("opponent_reach", tree, start, request.start.board, 1 - player, opponent_reach);
  verify_rows("value", tree, start, request.start.board, player, value);
  BucketJob<Real> job{&tree, &buckets.in<Real>(), player, {}, {}};
  if (own) job.own.values = round_arrays<Real>("own", tree, buckets, player, *own);
  job.opponent.values = round_arrays<Real>("opponent", tree, buckets, 1 - player, opponent);
  const Pass pass = request.on(tree);
  nb::gil_scoped_release release;
  BucketSource<Real> source(job);
  TreePass<Bucketed<Real>, BucketSource<Real>>(pass).run(opponent_reach.data(), value.data(), source);
}

// Where the sums of a pass go: one array per round.
template <class Real>
struct Targets {
  std::optional<Rounds<Real>> regrets;
  std::optional<Rounds<Real>> average;
};

// One update of the player's buckets by its weights `own`; or a best response, which is kept in `own`, where each hand
// must have a bucket of its own. Both can add the opponent's strategy to its average. The boards below the root are
// dealt out to `targets` by their numbers and summed there in order, so that any number of threads gives the same bits.
// With one target, threads share the blocks of the last board if there is only one.
template <class Real>
void sum_buckets(const LaneTree& tree, const BoundBuckets& buckets, const PassRequest& request, const Rounds<Real>& own,
                 const Rounds<const Real>& opponent, const std::vector<Targets<Real>>& targets,
                 Table<const Real> opponent_reach, Table<Real> value) {
  const int player = request.player;
  verify(request.mode != Mode::evaluate, "`mode` must be `update` or `best_response`");
  verify(request.start.round == 0 && request.start.shape == PassStart::kAllShapes, "a pass must begin at the root");
  verify(!targets.empty(), "there must be a target");
  verify_start(tree, request.start, true);
  verify_buckets(tree, buckets);
  verify_rows("opponent_reach", tree, 0, 0, 1 - player, opponent_reach);
  verify_rows("value", tree, 0, 0, player, value);
  std::vector<BucketJob<Real>> jobs;
  for (const Targets<Real>& target : targets) {
    BucketJob<Real> job{&tree, &buckets.in<Real>(), player, {}, {}};
    verify(target.regrets.has_value() == (request.mode == Mode::update), "an update has regrets, and only an update");
    job.own = {round_arrays<Real>("own", tree, buckets, player, own), {}, request.step.floor};
    if (target.regrets) job.own.targets = round_arrays<Real>("regrets", tree, buckets, player, *target.regrets);
    job.opponent = {round_arrays<Real>("opponent", tree, buckets, 1 - player, opponent), {}, false};
    if (target.average)
      job.opponent.targets = round_arrays<Real>("average", tree, buckets, 1 - player, *target.average);
    jobs.push_back(std::move(job));
  }
  Pass pass = request.on(tree);
  const int num_children = tree.rounds[0].is_last ? 0 : tree.rounds[0].boards[0].num_children;
  bool is_one_board = true;
  for (const Round& round : tree.rounds) is_one_board &= round.boards.size() == 1;
  nb::gil_scoped_release release;
  if (targets.size() == 1 || num_children <= 1) {
    if (!is_one_board) pass.num_threads = 1;
    BucketSource<Real> source(jobs[0]);
    TreePass<Bucketed<Real>, BucketSource<Real>>(pass).run(opponent_reach.data(), value.data(), source);
    return;
  }
  using TheTreePass = TreePass<Bucketed<Real>, BucketSource<Real>>;
  TheTreePass tree_pass(pass);
  std::vector<std::unique_ptr<BucketSource<Real>>> sources;
  for (const BucketJob<Real>& job : jobs) sources.push_back(std::make_unique<BucketSource<Real>>(job));
  std::vector<std::unique_ptr<typename TheTreePass::Scratch>> scratch;
  const int num_threads = std::min(pass.num_threads, int(targets.size()));
  for (int thread = 0; thread < num_threads; ++thread)
    scratch.push_back(std::make_unique<typename TheTreePass::Scratch>(tree_pass, 1));
  int most_hands = 0;
  for (const Board& board : tree.rounds[1].boards) most_hands = std::max(most_hands, board.num_hands[player]);
  // Boards in batches, so that few values wait to be added.
  const int batch = 8 * int(targets.size());
  std::vector<Aligned<Real>> values;
  for (int i = 0; i < std::min(batch, num_children); ++i)
    values.emplace_back(std::size_t(most_hands) * tree.rounds[1].padded_lanes);
  tree_pass.begin(opponent_reach.data(), *sources[0]);
  for (int first = 0; first < num_children; first += batch) {
    const int end = std::min(first + batch, num_children);
    for_each_in_threads(int(targets.size()), num_threads, [&](int target, int thread) {
      for (int child = first + target; child < end; child += int(targets.size()))
        tree_pass.run_child(child, values[child - first].data, *scratch[thread], *sources[target]);
    });
    for (int child = first; child < end; ++child) tree_pass.add_child(child, values[child - first].data);
  }
  tree_pass.end(opponent_reach.data(), value.data(), *sources[0]);
}

template <class Real>
void bind_real(nb::module_& m, const char* targets_name) {
  nb::class_<Targets<Real>>(m, targets_name, "Where the sums of an update go: one array per round of the tree.")
      .def(
          "__init__",
          [](Targets<Real>* self, const std::optional<Rounds<Real>>& regrets,
             const std::optional<Rounds<Real>>& average) { new (self) Targets<Real>{regrets, average}; },
          nb::kw_only(), array_arg("regrets").none(), array_arg("average").none());
  m.def("judge_buckets", &judge_buckets<Real>, nb::kw_only(), nb::arg("tree"), nb::arg("buckets"), nb::arg("request"),
        array_arg("own").none(), array_arg("opponent"), array_arg("opponent_reach"), array_arg("value"),
        "Set `value` to what each hand of the player gets, by a best response or by its own weights.");
  m.def("sum_buckets", &sum_buckets<Real>, nb::kw_only(), nb::arg("tree"), nb::arg("buckets"), nb::arg("request"),
        array_arg("own"), array_arg("opponent"), nb::arg("targets"), array_arg("opponent_reach"), array_arg("value"),
        "Add the regrets of the player's buckets and the opponent's average to the targets, or keep a best response.");
}

}  // namespace

void bind_buckets(nb::module_& m) {
  nb::class_<RoundBucketsInput>(m, "RoundBuckets", "The buckets of one player's hands on all boards of a round.")
      .def(
          "__init__",
          [](RoundBucketsInput* self, std::size_t num_buckets, const Array<const std::int32_t>& bucket,
             const Array<const double>& weight) {
            verify(num_buckets >= 1 && num_buckets <= std::size_t(std::numeric_limits<std::int32_t>::max()),
                   "`num_buckets` must be 1 to 2^31 - 1");
            new (self) RoundBucketsInput{num_buckets, bucket, weight};
          },
          nb::kw_only(), nb::arg("num_buckets"), array_arg("bucket"), array_arg("weight"));
  nb::class_<BoundBuckets>(m, "TreeBuckets", "The buckets of all hands of a tree.")
      .def("__init__", &make_buckets, nb::arg("tree"), nb::arg("of_players"));
  bind_real<float>(m, "BucketTargetsFloat32");
  bind_real<double>(m, "BucketTargetsFloat64");
  m.attr("LANE_SPARE") = kSpare;
}

}  // namespace errai
