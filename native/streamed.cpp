#include "streamed.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <mutex>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"

namespace errai {
namespace {

using ByteArray = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>;

ByteArray give(std::vector<std::uint8_t>&& bytes) {
  auto* kept = new std::vector<std::uint8_t>(std::move(bytes));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::uint8_t>*>(p); });
  return ByteArray(kept->data(), {kept->size()}, owner);
}

Mode parse_mode(const std::string& mode) {
  if (mode == "update") return Mode::update;
  if (mode == "best_response") return Mode::best_response;
  if (mode == "evaluate") return Mode::evaluate;
  throw std::invalid_argument("unknown mode: " + mode);
}

LaneStep parse_step(const Array<const double>& step) {
  return {step(0), step(1), step(2), step(3) != 0, step(4) != 0, step(5), step(6), step(7)};
}

std::size_t root_size(const LaneTree& tree) {
  return std::size_t(tree.rounds[0].boards[0].num_hands) * tree.rounds[0].padded_lanes;
}

SymbolModel parse_model(const std::optional<std::vector<std::uint64_t>>& counted) {
  if (!counted) return SymbolModel(SymbolCounts::of_first_version());
  SymbolCounts counts;
  if (counted->size() != counts.seen.size()) throw std::runtime_error("a model of symbols has another size");
  std::copy(counted->begin(), counted->end(), counts.seen.begin());
  return SymbolModel(counts);
}

// One block of a section, [node][hand][action][lane], for whoever looks at single states.
nb::ndarray<nb::numpy, float, nb::ndim<1>> decode_block(const LaneTree& tree, int player, int child, int round, int board,
                                                        int block, Array<const std::uint8_t> section, float scale,
                                                        const std::optional<std::vector<std::uint64_t>>& counts) {
  const Place place{round, board, block};
  const SectionMap map(tree, child);
  const SectionReader reader({section.data(), section.size()}, map.num_chunks());
  const Bytes chunk = reader.chunk(map.chunk(place));
  std::vector<int> actions;
  const ChunkShape shape = chunk_shape(tree, player, place, actions);
  auto* values = new std::vector<float>(shape.num_values() + kSpare);
  nb::capsule owner(values, [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
  if (scale == 0)
    decode_plain(shape, chunk.data(), chunk.size(), values->data());
  else
    decode_packed({shape, chunk.data(), chunk.size(), scale, parse_model(counts), values->data()});
  return nb::ndarray<nb::numpy, float, nb::ndim<1>>(values->data(), {shape.num_values()}, owner);
}

// The first round of a whole game, with its numbers in memory, from one of its nodes on; what is below is somebody
// else's work. The tree holds the first two rounds, the second one for its boards' hands and chances.
class TopPass {
 public:
  TopPass(const LaneTree& tree, const std::string& mode, int player, std::optional<Array<float>> own,
          Array<float> opponent, std::optional<Array<float>> average, Array<const double> step,
          Table<const float> reach, int node)
      : pass_{&tree, parse_mode(mode), player, parse_step(step), 1, {.node = node}},
        source_(tree, player, {numbers(opponent), numbers(average), numbers(own), numbers(own)}),
        walker_(pass_),
        reach_(reach.data(), reach.data() + root_size(tree)) {}

  // The opponent's reach at the boards below: [hand][lane of the next round, padded].
  void begin(Table<float> next_reach) {
    walker_.begin(reach_.data(), source_);
    std::copy_n(walker_.next_reach(), next_reach.size(), next_reach.data());
  }
  // Add the values of a board below, [hand][lane], in the boards' order.
  void add_child(int child, Table<const float> value) { walker_.add_child(child, value.data()); }
  void end(Table<float> value) { walker_.end(reach_.data(), value.data(), source_); }

 private:
  static Numbers<float> numbers(const std::optional<Array<float>>& array) {
    return {array ? array->data() : nullptr, nullptr};
  }

  Pass pass_;
  Resident<float> source_;
  Walker<float, Resident<float>> walker_;
  std::vector<float> reach_;
};

// One pass over a tree whose numbers are sections of bytes, from a node of the root's betting on: begin, every section
// (in any order, from any thread), end.
class StreamedPass {
 public:
  using Sections = std::array<std::optional<Array<const std::uint8_t>>, kNumArrays>;  // own, opponent's, average
  using Outputs = std::pair<std::optional<ByteArray>, std::optional<ByteArray>>;      // own, average

  StreamedPass(const LaneTree& tree, const std::string& mode, int player, int node, Array<const double> step,
               const std::array<std::optional<std::vector<float>>, kNumArrays>& scales,
               const std::array<std::optional<std::vector<std::uint64_t>>, kNumArrays>& read_counts,
               const std::array<std::optional<std::vector<std::uint64_t>>, kNumArrays>& write_counts, bool is_counted)
      : pass_{&tree, parse_mode(mode), player, parse_step(step), 1, {.node = node}},
        job_{&tree, pass_.mode, player, {}},
        walker_(pass_),
        reach_(root_size(tree)) {
    for (int kind = 0; kind < kNumArrays; ++kind) {
      if (!scales[kind]) continue;
      codecs_.emplace(kind, ArrayCodec{*scales[kind], parse_model(read_counts[kind]), parse_model(write_counts[kind]),
                                          read_counts[kind] == write_counts[kind], is_counted});
      job_.codecs[kind] = &codecs_.at(kind);
    }
    root_buffers_ = std::make_unique<StreamedBuffers>(job_, 0);
  }

  void begin(Table<const float> reach, const Sections& root) {
    std::copy_n(reach.data(), reach_.size(), reach_.data());
    root_held_ = root;  // the walk comes back to them
    root_ = std::make_unique<Streamed>(job_, SectionMap::kRoot, spans(root), *root_buffers_);
    nb::gil_scoped_release release;
    walker_.begin(reach_.data(), *root_);
  }

  Outputs run_section(int child, const Sections& sections) {
    const auto bytes = spans(sections);
    std::vector<std::uint8_t> own, average;
    {
      nb::gil_scoped_release release;
      std::unique_ptr<Worker> worker = take_worker();
      Streamed source(job_, child, bytes, worker->buffers);
      const Round& round = pass_.tree->rounds[1];
      std::vector<float> value(std::size_t(round.boards[child].num_hands) * round.padded_lanes);
      walker_.walk_child(child, value.data(), worker->scratch, source);
      own = finish(source, kOwn);
      average = finish(source, kAverage);
      const std::lock_guard lock(mutex_);
      values_[child] = std::move(value);
      workers_.push_back(std::move(worker));
    }
    return outputs(std::move(own), std::move(average));
  }

  Outputs end(Table<float> value) {
    std::vector<std::uint8_t> own, average;
    {
      nb::gil_scoped_release release;
      for (const auto& [child, child_value] : values_) walker_.add_child(child, child_value.data());
      walker_.end(reach_.data(), value.data(), *root_);
      own = finish(*root_, kOwn);
      average = finish(*root_, kAverage);
    }
    return outputs(std::move(own), std::move(average));
  }

  // What the symbols of the written chunks were: the model of the next version.
  std::vector<std::uint64_t> counts(int kind) const { return {counts_[kind].seen.begin(), counts_[kind].seen.end()}; }

 private:
  using Walk = Walker<float, Streamed>;
  struct Worker {
    typename Walk::Scratch scratch;
    StreamedBuffers buffers;
  };

  static std::array<Bytes, kNumArrays> spans(const Sections& sections) {
    std::array<Bytes, kNumArrays> result;
    for (int kind = 0; kind < kNumArrays; ++kind)
      if (sections[kind]) result[kind] = {sections[kind]->data(), sections[kind]->size()};
    return result;
  }

  std::unique_ptr<Worker> take_worker() {
    const std::lock_guard lock(mutex_);
    if (workers_.empty())
      return std::unique_ptr<Worker>(new Worker{typename Walk::Scratch(walker_, 1), StreamedBuffers(job_, 1)});
    std::unique_ptr<Worker> worker = std::move(workers_.back());
    workers_.pop_back();
    return worker;
  }

  std::vector<std::uint8_t> finish(Streamed& source, ArrayKind kind) {
    if (!job_.writes(kind)) return {};
    const std::lock_guard lock(mutex_);
    counts_[kind].add(source.counts(kind));
    return source.finish(kind);
  }

  Outputs outputs(std::vector<std::uint8_t>&& own, std::vector<std::uint8_t>&& average) const {
    Outputs result;
    if (job_.writes(kOwn)) result.first = give(std::move(own));
    if (job_.writes(kAverage)) result.second = give(std::move(average));
    return result;
  }

  Pass pass_;
  StreamedJob job_;
  std::map<int, ArrayCodec> codecs_;
  Walk walker_;
  std::vector<float> reach_;
  std::unique_ptr<StreamedBuffers> root_buffers_;
  Sections root_held_;
  std::unique_ptr<Streamed> root_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::map<int, std::vector<float>> values_;  // of the children, which are added in order
  SymbolCounts counts_[kNumArrays];
};

}  // namespace

void bind_streamed(nb::module_& m) {
  m.def(
      "checksum",
      [](Array<const std::uint8_t> bytes) {
        nb::gil_scoped_release release;
        return checksum(bytes.data(), bytes.size());
      },
      nb::arg("bytes").noconvert());
  m.attr("ROOT_SECTION") = SectionMap::kRoot;
  m.def("decode_block", &decode_block, nb::arg("tree"), nb::arg("player"), nb::arg("child"), nb::arg("round"),
        nb::arg("board"), nb::arg("block"), nb::arg("section").noconvert(), nb::arg("scale"), nb::arg("counts").none());
  nb::class_<TopPass>(m, "TopPass")
      .def(nb::init<const LaneTree&, const std::string&, int, std::optional<Array<float>>, Array<float>,
                    std::optional<Array<float>>, Array<const double>, Table<const float>, int>(),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>(),
           nb::arg("tree"), nb::arg("mode"), nb::arg("player"), nb::arg("own").noconvert().none(),
           nb::arg("opponent").noconvert(), nb::arg("average").noconvert().none(), nb::arg("step").noconvert(),
           nb::arg("reach").noconvert(), nb::arg("node"))
      .def("begin", &TopPass::begin, nb::arg("next_reach").noconvert())
      .def("add_child", &TopPass::add_child, nb::arg("child"), nb::arg("value").noconvert())
      .def("end", &TopPass::end, nb::arg("value").noconvert());
  nb::class_<StreamedPass>(m, "StreamedPass")
      .def(nb::init<const LaneTree&, const std::string&, int, int, Array<const double>,
                    const std::array<std::optional<std::vector<float>>, kNumArrays>&,
                    const std::array<std::optional<std::vector<std::uint64_t>>, kNumArrays>&,
                    const std::array<std::optional<std::vector<std::uint64_t>>, kNumArrays>&, bool>(),
           nb::keep_alive<1, 2>(), nb::arg("tree"), nb::arg("mode"), nb::arg("player"), nb::arg("node"),
           nb::arg("step").noconvert(), nb::arg("scales"), nb::arg("read_counts"), nb::arg("write_counts"), nb::arg("is_counted"))
      .def("begin", &StreamedPass::begin, nb::arg("reach").noconvert(), nb::arg("root"))
      .def("run_section", &StreamedPass::run_section, nb::arg("child"), nb::arg("sections"))
      .def("end", &StreamedPass::end, nb::arg("value").noconvert())
      .def("counts", &StreamedPass::counts, nb::arg("kind"));
}

}  // namespace errai
