#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "codec/checksum.hpp"
#include "codec/chunks.hpp"

namespace errai {
namespace {

// A shape that owns its actions.
struct BoundShape {
  int num_hands, lanes;
  std::vector<int> actions;

  BoundShape(int hands, int num_lanes, std::vector<int> of_nodes)
      : num_hands(hands), lanes(num_lanes), actions(std::move(of_nodes)) {
    verify(num_hands >= 1 && !actions.empty() && *std::min_element(actions.begin(), actions.end()) >= 1,
           "a chunk must have at least one hand, one node and one action");
    verify(lanes >= 1 && lanes <= kChunkLanes, "a chunk must have 1 to 16 lanes");
    double values = double(num_hands) * lanes, total = 0;
    for (const int count : actions) total += count;
    verify(values * total <= std::numeric_limits<std::int32_t>::max(), "a chunk must have fewer than 2^31 values");
  }
  ChunkShape view() const { return {num_hands, lanes, actions.data(), int(actions.size())}; }
  std::size_t num_values() const { return view().num_values(); }
};

nb::bytes as_bytes(const std::vector<std::uint8_t>& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

void verify_scale(float scale) { verify(std::isfinite(scale) && scale > 0, "`scale` must be positive"); }

// A chunk to decode, with what it points into.
struct BoundChunk {
  BoundShape shape;
  nb::bytes data;
  float scale;
  nb::typed<nb::object, SymbolModel> model;
  Array<float> values;

  PackedChunk view() const {
    return {shape.view(), static_cast<const std::uint8_t*>(data.data()), data.size(),
            scale,        nb::cast<const SymbolModel&>(model),           values.data()};
  }
};

nb::bytes bound_encode_packed(const BoundShape& shape, Array<const float> values, float scale, const SymbolModel& model,
                              std::optional<Array<std::uint64_t>> counts, int least_shift, float rounding,
                              bool is_fast) {
  verify_size("values", values, shape.num_values());
  verify_scale(scale);
  verify(least_shift >= 0 && least_shift < 1000, "`least_shift` must be from 0 to 999");
  verify(rounding > 0 && rounding < 1, "`rounding` must be between 0 and 1");
  SymbolCounts seen;
  if (counts) verify_size("counts", *counts, seen.seen.size());
  std::vector<std::uint8_t> out;
  {
    nb::gil_scoped_release release;
    static thread_local CodecScratch scratch;
    encode_packed(shape.view(), values.data(), {scale, least_shift, rounding, coding_of(is_fast)}, model,
                  counts ? &seen : nullptr, out, scratch);
  }
  if (counts)
    for (std::size_t i = 0; i < seen.seen.size(); ++i) counts->data()[i] += seen.seen[i];
  return as_bytes(out);
}

}  // namespace

void bind_codec(nb::module_& m) {
  m.attr("CHUNK_LANES") = kChunkLanes;
  m.attr("SYMBOL_COUNTS") = SymbolCounts{}.seen.size();
  m.def(
      "checksum",
      [](Array<const std::uint8_t> bytes) {
        nb::gil_scoped_release release;
        return checksum(bytes.data(), bytes.size());
      },
      array_arg("bytes"));
  nb::class_<SymbolModel>(m, "SymbolModel", "How probable each symbol is: from counts, or as for a first version.")
      .def("__init__", [](SymbolModel* model) { new (model) SymbolModel(SymbolCounts::of_first_version()); })
      .def(
          "__init__",
          [](SymbolModel* model, Array<const std::uint64_t> seen) {
            SymbolCounts counts;
            verify_size("counts", seen, counts.seen.size());
            std::copy_n(seen.data(), counts.seen.size(), counts.seen.begin());
            new (model) SymbolModel(counts);
          },
          array_arg("counts"));
  nb::class_<BoundShape>(m, "ChunkShape")
      .def(nb::init<int, int, std::vector<int>>(), nb::arg("num_hands"), nb::arg("lanes"), nb::arg("actions"));
  nb::class_<BoundChunk>(m, "PackedChunk", "A packed chunk to decode, and where to put its values.")
      .def(
          "__init__",
          [](BoundChunk* self, const BoundShape& shape, nb::bytes data, float scale,
             nb::typed<nb::object, SymbolModel> model, Array<float> values) {
            verify_size("values", values, shape.num_values());
            verify_scale(scale);
            nb::cast<const SymbolModel&>(model);
            new (self) BoundChunk{shape, std::move(data), scale, std::move(model), values};
          },
          nb::arg("shape"), nb::arg("data"), nb::arg("scale"), nb::arg("model"), array_arg("values"));
  m.def(
      "encode_plain",
      [](const BoundShape& shape, Array<const float> values) {
        verify_size("values", values, shape.num_values());
        std::vector<std::uint8_t> out;
        encode_plain(shape.view(), values.data(), out);
        return as_bytes(out);
      },
      nb::arg("shape"), array_arg("values"));
  m.def(
      "decode_plain",
      [](const BoundShape& shape, nb::bytes data, Array<float> values) {
        verify_size("values", values, shape.num_values());
        decode_plain(shape.view(), static_cast<const std::uint8_t*>(data.data()), data.size(), values.data());
      },
      nb::arg("shape"), nb::arg("data"), array_arg("values"));
  m.def("encode_packed", &bound_encode_packed, nb::arg("shape"), array_arg("values"), nb::arg("scale"),
        nb::arg("model"), array_arg("counts").none() = nb::none(), nb::arg("least_shift") = 0,
        nb::arg("rounding") = 0.5f, nb::arg("is_fast") = false);
  m.def(
      "decode_packed",
      [](const std::vector<const BoundChunk*>& bound) {
        verify(bound.size() <= kMostTogether, "at most three chunks can be decoded together");
        std::vector<PackedChunk> chunks;
        for (const BoundChunk* chunk : bound) chunks.push_back(chunk->view());
        decode_packed(chunks);
      },
      nb::arg("chunks"), "Decodes up to three chunks, the streams of all side by side.");
}

}  // namespace errai
