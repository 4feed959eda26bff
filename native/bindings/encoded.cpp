// Passes over trees whose values are sections of bytes.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/passes.hpp"
#include "lanes/encoded_source.hpp"
#include "lanes/tree_pass.hpp"

namespace errai {
namespace {

using Counts = std::optional<std::vector<std::uint64_t>>;

SymbolModel make_model(const Counts& counted) {
  if (!counted) return SymbolModel(SymbolCounts::of_first_version());
  SymbolCounts counts;
  verify(counted->size() == counts.seen.size(), "a model of symbols must have 1024 counts");
  std::copy(counted->begin(), counted->end(), counts.seen.begin());
  return SymbolModel(counts);
}

void make_codec(ArrayCodec* self, std::vector<float> scales, const Counts& read_counts, const Counts& write_counts,
                bool counts_symbols, int least_shift, float rounding, bool is_fast) {
  for (const float scale : scales)
    verify(scale >= 0 && scale <= std::numeric_limits<float>::max(), "`scales` must not be negative");
  verify(least_shift >= 0 && least_shift < 1000, "`least_shift` must be from 0 to 999");
  verify(rounding > 0 && rounding < 1, "`rounding` must be between 0 and 1");
  new (self) ArrayCodec{std::move(scales),
                        make_model(read_counts),
                        make_model(write_counts),
                        read_counts == write_counts,
                        counts_symbols,
                        least_shift,
                        rounding,
                        coding_of(is_fast)};
}

// Where a block is: the section that holds it, and its place in the tree.
struct BlockPlace {
  int section;
  Place place;
};

void verify_place(const LaneTree& tree, const BlockPlace& at) {
  const Place& place = at.place;
  verify_index("round", place.round, tree.rounds.size());
  verify_index("board", place.board, tree.rounds[place.round].boards.size());
  verify_index("block", place.block, tree.rounds[place.round].blocks.size());
  if (at.section == SectionMap::kRoot) return verify(place.round == 0, "the section of the root holds the first round");
  verify(place.round >= 1 && tree.rounds.back().is_last, "the other sections hold all rounds but the first");
  verify_index("section", at.section, tree.rounds[1].boards.size());
  // The boards of the section in this round.
  int first = at.section, count = 1;
  for (int r = 1; r < place.round; ++r) {
    const Board& last = tree.rounds[r].boards[first + count - 1];
    const int next = tree.rounds[r].boards[first].first_child;
    count = last.first_child + last.num_children - next;
    first = next;
  }
  verify(place.board >= first && place.board < first + count, "the section does not hold this board");
}

// One block of a section, [node][hand][action][lane], for callers that look at single states.
Array<float> decode_block(const LaneTree& tree, int player, const BlockPlace& at, Array<const std::uint8_t> section,
                          float scale, const SymbolModel& model) {
  verify_index("player", player, 2);
  verify(scale >= 0, "`scale` must not be negative");
  verify_place(tree, at);
  std::vector<float> values;
  {
    nb::gil_scoped_release release;
    const SectionMap map(tree, at.section);
    const SectionReader reader({section.data(), section.size()}, map.num_chunks());
    const Bytes chunk = reader.chunk(map.chunk(at.place));
    std::vector<int> actions;
    const ChunkShape shape = chunk_shape(tree, player, at.place, actions);
    values.resize(shape.num_values());
    if (scale == 0)
      decode_plain(shape, chunk.data(), chunk.size(), values.data());
    else
      decode_packed(PackedChunk{shape, chunk.data(), chunk.size(), scale, model, values.data()});
  }
  return to_numpy(std::move(values));
}

// One pass over a tree whose values are sections of bytes, from a node of the root's betting on: begin, every section
// (in any order, from any thread), end.
class EncodedPass {
 public:
  using Codecs = std::array<std::optional<ArrayCodec>, kNumArrays>;                   // own, opponent's, average
  using Sections = std::array<std::optional<Array<const std::uint8_t>>, kNumArrays>;  // the same
  using Outputs = std::pair<std::optional<Array<std::uint8_t>>, std::optional<Array<std::uint8_t>>>;  // own, average

  EncodedPass(const LaneTree& tree, const PassRequest& request, Codecs codecs)
      : pass_(checked(tree, request)),
        codecs_(std::move(codecs)),
        job_{&tree, pass_.mode, pass_.player, {}},
        tree_pass_(pass_) {
    for (int kind = 0; kind < kNumArrays; ++kind) {
      if (!codecs_[kind]) continue;
      verify(codecs_[kind]->scales.size() == tree.rounds.size(), "`scales` must have an entry for every round");
      job_.codecs[kind] = &*codecs_[kind];
    }
    verify(codecs_[kOpponent].has_value(), "a pass needs the values of the opponent");
    verify(codecs_[kOwn].has_value() || pass_.mode == Mode::best_response,
           "only a best response needs no values of its own");
    root_buffers_ = std::make_unique<EncodedBuffers>(job_, 0);
  }

  void begin(Table<const float> reach, const Sections& root) {
    verify(!root_, "a pass begins once");
    verify_rows("reach", *pass_.tree, 0, 0, 1 - pass_.player, reach);
    reach_.assign(reach.data(), reach.data() + reach.size());
    root_sections_ = root;  // the pass comes back to them
    auto source = std::make_unique<EncodedSource>(job_, SectionMap::kRoot, spans(root), *root_buffers_);
    nb::gil_scoped_release release;
    tree_pass_.begin(reach_.data(), *source);
    root_ = std::move(source);
  }

  Outputs run_section(int child, const Sections& sections) {
    verify(root_ != nullptr, "a pass must begin before its sections are run");
    verify_index("child", child, pass_.tree->rounds[1].boards.size());
    const auto bytes = spans(sections);
    std::vector<std::uint8_t> own, average;
    {
      nb::gil_scoped_release release;
      std::unique_ptr<Worker> worker = take_worker();
      EncodedSource source(job_, child, bytes, worker->buffers);
      const Round& round = pass_.tree->rounds[1];
      std::vector<float> value(std::size_t(round.boards[child].num_hands[pass_.player]) * round.padded_lanes);
      tree_pass_.run_child(child, value.data(), worker->scratch, source);
      own = finish(source, kOwn);
      average = finish(source, kAverage);
      const std::lock_guard lock(mutex_);
      values_[child] = std::move(value);
      workers_.push_back(std::move(worker));
    }
    return outputs(std::move(own), std::move(average));
  }

  Outputs end(Table<float> value, const std::optional<Table<float>>& action_values) {
    verify(root_ != nullptr, "a pass must begin before it ends");
    verify(values_.size() == pass_.tree->rounds[1].boards.size(), "all sections must be run before a pass ends");
    verify_rows("value", *pass_.tree, 0, 0, pass_.player, value);
    float* const by_action = checked_action_values(pass_, action_values);
    std::vector<std::uint8_t> own, average;
    {
      nb::gil_scoped_release release;
      for (const auto& [child, child_value] : values_) tree_pass_.add_child(child, child_value.data());
      tree_pass_.end(reach_.data(), value.data(), *root_, by_action);
      own = finish(*root_, kOwn);
      average = finish(*root_, kAverage);
    }
    return outputs(std::move(own), std::move(average));
  }

  // The symbols of the written chunks: the model of the next version.
  std::vector<std::uint64_t> counts(int kind) const {
    verify_index("kind", kind, kNumArrays);
    return {counts_[kind].seen.begin(), counts_[kind].seen.end()};
  }

 private:
  using Run = TreePass<float, EncodedSource>;
  struct Worker {
    typename Run::Scratch scratch;
    EncodedBuffers buffers;
  };

  static Pass checked(const LaneTree& tree, const PassRequest& request) {
    verify_start(tree, request.start, true);
    verify(request.start.round == 0 && tree.rounds.size() >= 2,
           "the tree must have two rounds, and the pass begin in the first");
    return request.on(tree);
  }

  static std::array<Bytes, kNumArrays> spans(const Sections& sections) {
    std::array<Bytes, kNumArrays> result;
    for (int kind = 0; kind < kNumArrays; ++kind)
      if (sections[kind]) result[kind] = {sections[kind]->data(), sections[kind]->size()};
    return result;
  }

  std::unique_ptr<Worker> take_worker() {
    const std::lock_guard lock(mutex_);
    if (workers_.empty())
      return std::unique_ptr<Worker>(new Worker{typename Run::Scratch(tree_pass_, 1), EncodedBuffers(job_, 1)});
    std::unique_ptr<Worker> worker = std::move(workers_.back());
    workers_.pop_back();
    return worker;
  }

  std::vector<std::uint8_t> finish(EncodedSource& source, ArrayKind kind) {
    if (!job_.writes(kind)) return {};
    const std::lock_guard lock(mutex_);
    counts_[kind].add(source.counts(kind));
    return source.finish(kind);
  }

  Outputs outputs(std::vector<std::uint8_t>&& own, std::vector<std::uint8_t>&& average) const {
    Outputs result;
    if (job_.writes(kOwn)) result.first = to_numpy(std::move(own));
    if (job_.writes(kAverage)) result.second = to_numpy(std::move(average));
    return result;
  }

  Pass pass_;
  Codecs codecs_;
  EncodedJob job_;
  Run tree_pass_;
  std::vector<float> reach_;
  std::unique_ptr<EncodedBuffers> root_buffers_;
  Sections root_sections_;
  std::unique_ptr<EncodedSource> root_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::map<int, std::vector<float>> values_;  // of the children, which are added in order
  SymbolCounts counts_[kNumArrays];
};

}  // namespace

void bind_encoded(nb::module_& m) {
  m.attr("ROOT_SECTION") = SectionMap::kRoot;
  nb::class_<BlockPlace>(m, "BlockPlace", "Where a block is: the section that holds it, and its place in the tree.")
      .def(
          "__init__",
          [](BlockPlace* self, int section, int round, int board, int block) {
            new (self) BlockPlace{section, {round, board, block}};
          },
          nb::kw_only(), nb::arg("section"), nb::arg("round"), nb::arg("board"), nb::arg("block"));
  m.def("decode_block", &decode_block, nb::arg("tree"), nb::arg("player"), nb::arg("place"), array_arg("section"),
        nb::arg("scale"), nb::arg("model"), "The values of one block of a section, [node][hand][action][lane].");
  nb::class_<ArrayCodec>(m, "ArrayCodec", "How one array is encoded: one scale per round, 0 for values without loss.")
      .def("__init__", &make_codec, nb::kw_only(), nb::arg("scales"), nb::arg("read_counts").none(),
           nb::arg("write_counts").none(), nb::arg("counts_symbols"), nb::arg("least_shift") = 0,
           nb::arg("rounding") = 0.5f, nb::arg("is_fast") = false);
  nb::class_<EncodedPass>(m, "EncodedPass", "A pass over sections of bytes: begin, run every section, end.")
      .def(nb::init<const LaneTree&, const PassRequest&, EncodedPass::Codecs>(), nb::keep_alive<1, 2>(), nb::kw_only(),
           nb::arg("tree"), nb::arg("request"), nb::arg("codecs"))
      .def("begin", &EncodedPass::begin, array_arg("reach"), array_arg("root"))
      .def("run_section", &EncodedPass::run_section, nb::arg("child"), array_arg("sections"))
      .def("end", &EncodedPass::end, array_arg("value"), array_arg("action_values").none() = nb::none())
      .def("counts", &EncodedPass::counts, nb::arg("kind"));
}

}  // namespace errai
