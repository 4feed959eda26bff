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

template <class Real>
using BucketPass = TreePass<Bucketed<Real>, BucketSource<Real>>;

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
  BucketPass<Real>(pass).run(opponent_reach.data(), value.data(), source);
}

// Where the sums of a pass go: one array per round.
template <class Real>
struct Targets {
  std::optional<Rounds<Real>> regrets;
  std::optional<Rounds<Real>> average;
};

// Of a player's hands in all lanes, on the board that has the most.
std::size_t most_values(const Round& round, int player) {
  int most_hands = 0;
  for (const Board& board : round.boards) most_hands = std::max(most_hands, board.num_hands[player]);
  return std::size_t(most_hands) * round.padded_lanes;
}

// Runs every board below the root, dealt out to `num_targets` by their numbers, and adds their values in order, so that
// any number of threads gives the same bits: `run_child(child, value, target, thread, scratch)`. Boards come in
// batches, so that few values wait to be added.
template <class Real, class RunChild>
void run_children(BucketPass<Real>& tree_pass, const Pass& pass, int num_targets, RunChild&& run_child) {
  const Round& round = pass.tree->rounds[1];
  const int num_children = int(round.boards.size()), batch = 8 * num_targets;
  const int num_threads = std::min(pass.num_threads, num_targets);
  std::vector<std::unique_ptr<typename BucketPass<Real>::Scratch>> scratch;
  for (int thread = 0; thread < num_threads; ++thread)
    scratch.push_back(std::make_unique<typename BucketPass<Real>::Scratch>(tree_pass, 1));
  std::vector<Aligned<Real>> values;
  for (int i = 0; i < std::min(batch, num_children); ++i) values.emplace_back(most_values(round, pass.player));
  for (int first = 0; first < num_children; first += batch) {
    const int end = std::min(first + batch, num_children);
    for_each_in_threads(num_targets, num_threads, [&](int target, int thread) {
      for (int child = first + target; child < end; child += num_targets)
        run_child(child, values[child - first].data, target, thread, *scratch[thread]);
    });
    for (int child = first; child < end; ++child) tree_pass.add_child(child, values[child - first].data);
  }
}

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
    job.keeps_response = request.mode == Mode::best_response;
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
    BucketPass<Real>(pass).run(opponent_reach.data(), value.data(), source);
    return;
  }
  BucketPass<Real> tree_pass(pass);
  std::vector<std::unique_ptr<BucketSource<Real>>> sources;
  for (const BucketJob<Real>& job : jobs) sources.push_back(std::make_unique<BucketSource<Real>>(job));
  tree_pass.begin(opponent_reach.data(), *sources[0]);
  run_children(tree_pass, pass, int(targets.size()), [&](int child, Real* child_value, int target, int, auto& scratch) {
    tree_pass.run_child(child, child_value, scratch, *sources[target]);
  });
  tree_pass.end(opponent_reach.data(), value.data(), *sources[0]);
}

// One update of the player's buckets against a best response of the other, and what its strategy adds to its average.
// The response takes more memory than there may be, so it is kept for one board below the root at a time:
//   1. the responder's values on all boards below the root decide what it does at the root;
//   2. on each board, its response is found once more, kept, and the player is updated against it at once.
// So the responder's buckets are its hands, numbered anew on each board below the root. `responses`: room for those of
// one such board, for every thread.
template <class Real>
void update_against_response(const LaneTree& tree, const BoundBuckets& buckets, const PassRequest& request,
                             const Rounds<const Real>& weights, const std::vector<Rounds<Real>>& responses,
                             const std::vector<Targets<Real>>& targets, const std::array<Table<const Real>, 2>& reach,
                             const std::array<Table<Real>, 2>& value) {
  const int player = request.player, other = 1 - player;
  verify(request.mode == Mode::update, "`mode` must be `update`");
  verify(request.start.round == 0 && request.start.shape == PassStart::kAllShapes, "a pass must begin at the root");
  verify(!targets.empty() && !responses.empty(), "there must be a target and room for a response");
  verify_start(tree, request.start, true);
  verify(tree.rounds.size() >= 2, "there must be boards below the root");
  verify_buckets(tree, buckets);
  for (int p = 0; p < 2; ++p) {
    verify_rows("reach", tree, 0, 0, p, reach[p]);
    verify_rows("value", tree, 0, 0, p, value[p]);
  }
  const std::vector<Real*> own_values = round_arrays<Real>("weights", tree, buckets, player, weights);
  std::vector<std::vector<Real*>> of_threads;
  for (const Rounds<Real>& response : responses)
    of_threads.push_back(round_arrays<Real>("responses", tree, buckets, other, response));
  // For each target: jobs that find the responder's values, that keep its response, and that update the player.
  const std::vector<BucketJob<Real>> judge(targets.size(),
                                           {&tree, &buckets.in<Real>(), other, {}, {own_values, {}, false}});
  std::vector<BucketJob<Real>> respond = judge, update;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Targets<Real>& target = targets[i];
    verify(target.regrets && target.average, "there must be targets for regrets and average");
    respond[i].own.values = of_threads[0];
    respond[i].keeps_response = true;
    respond[i].opponent.targets = round_arrays<Real>("average", tree, buckets, player, *target.average);
    update.push_back({&tree, &buckets.in<Real>(), player, {own_values, {}, false}, {of_threads[0], {}, false}});
    update.back().own.targets = round_arrays<Real>("regrets", tree, buckets, player, *target.regrets);
  }
  Pass updating = request.on(tree);
  updating.num_threads = std::min(request.num_threads, int(responses.size()));
  Pass responding = updating;
  responding.mode = Mode::best_response;
  responding.player = other;
  nb::gil_scoped_release release;
  const int num_targets = int(targets.size());
  const auto sources_of = [](const std::vector<BucketJob<Real>>& jobs) {
    std::vector<std::unique_ptr<BucketSource<Real>>> sources;
    for (const BucketJob<Real>& job : jobs) sources.push_back(std::make_unique<BucketSource<Real>>(job));
    return sources;
  };
  const auto responders = sources_of(respond), updaters = sources_of(update);

  BucketPass<Real> response_pass(responding);
  response_pass.begin(reach[player].data(), *responders[0]);
  {
    const auto judges = sources_of(judge);
    run_children(response_pass, responding, num_targets,
                 [&](int child, Real* child_value, int target, int, auto& scratch) {
                   response_pass.run_child(child, child_value, scratch, *judges[target]);
                 });
  }
  response_pass.end(reach[player].data(), value[other].data(), *responders[0]);

  BucketPass<Real> update_pass(updating);
  update_pass.begin(reach[other].data(), *updaters[0]);
  std::vector<std::unique_ptr<typename BucketPass<Real>::Scratch>> response_scratch;
  std::vector<Aligned<Real>> unused;  // values of the responder, which are known
  for (int thread = 0; thread < updating.num_threads; ++thread) {
    response_scratch.push_back(std::make_unique<typename BucketPass<Real>::Scratch>(response_pass, 1));
    unused.emplace_back(most_values(tree.rounds[1], other));
  }
  run_children(update_pass, updating, num_targets,
               [&](int child, Real* child_value, int target, int thread, auto& scratch) {
                 respond[target].own.values = update[target].opponent.values = of_threads[thread];
                 response_pass.run_child(child, unused[thread].data, *response_scratch[thread], *responders[target]);
                 update_pass.run_child(child, child_value, scratch, *updaters[target]);
               });
  respond[0].own.values = update[0].opponent.values = of_threads[0];  // whose first round is the response at the root
  update_pass.end(reach[other].data(), value[player].data(), *updaters[0]);
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
  m.def("update_against_response", &update_against_response<Real>, nb::kw_only(), nb::arg("tree"), nb::arg("buckets"),
        nb::arg("request"), array_arg("weights"), array_arg("responses"), nb::arg("targets"), array_arg("reach"),
        array_arg("value"),
        "Add the player's regrets against a best response, and its strategy, to the targets, a board at a time.");
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
