#include "codec.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rans_rows.hpp"
#include "residuals.hpp"

namespace errai {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int kGroup = 8;  // hands that have a bit in common

int num_groups(const ChunkShape& shape) { return (shape.num_hands + kGroup - 1) / kGroup; }

std::size_t num_rows(const ChunkShape& shape) { return shape.num_values() / shape.lanes; }

struct PackedHead {
  std::int32_t shift;
  std::uint32_t first_words;  // how many the first stream has
};

std::size_t bitmap_bytes(const ChunkShape& shape) {
  return (num_rows(shape) / shape.num_hands * num_groups(shape) + 15) / 16 * 2;  // words follow
}
constexpr std::size_t kStateBytes = kChunkPairs * sizeof(std::uint32_t);

// Calls act(values of the action's first hand, values from a hand to the next, number of the action) for every action
// of every node.
template <class Values, class Act>
void for_actions(const ChunkShape& shape, Values* values, Act act) {
  int number = 0;
  for (int node = 0; node < shape.num_nodes; ++node) {
    const std::ptrdiff_t stride = std::ptrdiff_t(shape.actions[node]) * shape.lanes;
    for (int action = 0; action < shape.actions[node]; ++action) act(values + action * shape.lanes, stride, number++);
    values += stride * shape.num_hands;
  }
}

template <class T>
void append(std::vector<std::uint8_t>& out, const T* from, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
  out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

// By how many bits codes must be shortened to fit.
int shift_of(const ChunkShape& shape, const float* values, float scale) {
  const std::size_t count = shape.num_values(), in_vectors = count / kChunkLanes * kChunkLanes;
  LaneReals largest = LaneReals::all(0), zero = largest;
  for (std::size_t i = 0; i < in_vectors; i += kChunkLanes) {
    const auto row = load<LaneReals>(values + i);
    largest = maximum(largest, row);
    zero += row - row;  // or not a number
  }
  float most = 0, sum = 0;
  for (int lane = 0; lane < kChunkLanes; ++lane) {
    most = std::max(most, largest.get(lane));
    sum += zero.get(lane);
  }
  for (std::size_t i = in_vectors; i < count; ++i) {
    most = std::max(most, values[i]);
    sum += values[i] - values[i];
  }
  if (sum != 0) throw std::runtime_error("a chunk holds a value that is not finite");
  int shift = 0;
  while (std::ldexp(most, -shift) * scale + 0.5f >= kCodeLimit) ++shift;
  return shift;
}

// The codes of a group of hands; the bits that are set in any of them.
[[gnu::always_inline]] inline LaneCodes round_group(const float* first, std::ptrdiff_t stride, int size, int lanes,
                                                    float scale, LaneCodes* codes) {
  LaneCodes any = LaneCodes::all(0);
  for (int i = 0; i < size; ++i) {
    float row[kChunkLanes] = {};
    if (lanes != kChunkLanes) std::memcpy(row, first + i * stride, lanes * sizeof *row);
    codes[i] = round_codes(load<LaneReals>(lanes == kChunkLanes ? first + i * stride : row), scale);
    any = any | codes[i];
  }
  return any;
}

// Makes the rows of both streams, and a bit for each group that is coded; false where a code might not fit.
bool make_rows(const ChunkShape& shape, const float* values, float scale, std::uint8_t* bitmap,
               std::array<RowBuffer, kStreams>& streams) {
  const int groups = num_groups(shape);
  for (RowBuffer& rows : streams) rows.begin(num_rows(shape));
  LaneCodes all = LaneCodes::all(0);
  for_actions(shape, values, [&](const float* first, std::ptrdiff_t stride, int number) {
    RowBuffer& rows = streams[number % kStreams];
    RowCoder coder;
    coder.begin();
    for (int group = 0; group < groups; ++group) {
      const int begin = group * kGroup, size = std::min(kGroup, shape.num_hands - begin);
      LaneCodes codes[kGroup];
      const LaneCodes any = round_group(first + begin * stride, stride, size, shape.lanes, scale, codes);
      if (!is_any(any)) {
        coder.begin();
        continue;
      }
      all = all | any;
      const std::size_t bit = std::size_t(number) * groups + group;
      bitmap[bit / 8] |= 1 << bit % 8;
      rows.begin_group();
      for (int i = 0; i < size; ++i) rows.add(coder.code(codes[i], rows.next_items()), codes[i].part);
    }
  });
  return !is_any(all, kDoubtfulBits);
}

// The rows of one stream of a packed chunk that are coded, as runs of hands of one action. Groups that are all zero are
// filled on the way.
class CodedRuns {
 public:
  float* values;  // of the run's first hand
  std::ptrdiff_t stride;
  int size;

  CodedRuns(const PackedChunk& chunk, int stream)
      : shape_(chunk.shape), groups_(num_groups(shape_)), bitmap_(chunk.data + sizeof(PackedHead)),
        of_node_(chunk.values) {
    if (stream == 1) next_action();
  }

  // Whether there is one more.
  bool next() {
    while (node_ < shape_.num_nodes) {
      if (group_ == groups_) {
        group_ = 0;
        for (int i = 0; i < kStreams; ++i) next_action();
        continue;
      }
      const bool are_coded = is_coded();
      const int begin = group_ * kGroup;
      while (++group_ < groups_ && is_coded() == are_coded) {
      }
      stride = stride_of_node();
      values = of_node_ + action_ * shape_.lanes + begin * stride;
      size = std::min(group_ * kGroup, shape_.num_hands) - begin;
      if (are_coded) return true;
      fill();
    }
    return false;
  }

 private:
  bool is_coded() const {
    const std::size_t bit = number_ * groups_ + group_;
    return bitmap_[bit / 8] >> bit % 8 & 1;
  }
  std::ptrdiff_t stride_of_node() const { return std::ptrdiff_t(shape_.actions[node_]) * shape_.lanes; }
  void next_action() {
    ++number_;
    if (node_ == shape_.num_nodes || ++action_ < shape_.actions[node_]) return;
    action_ = 0;
    of_node_ += stride_of_node() * shape_.num_hands;
    ++node_;
  }
  void fill() {
    for (int i = 0; i < size; ++i)
      if (shape_.lanes == kChunkLanes)  // of known length: no call
        std::memset(values + i * stride, 0, kChunkLanes * sizeof *values);
      else
        std::memset(values + i * stride, 0, shape_.lanes * sizeof *values);
  }

  const ChunkShape& shape_;
  int groups_;
  const std::uint8_t* bitmap_;
  float* of_node_;
  int node_ = 0, action_ = 0, group_ = 0;  // the next one
  std::size_t number_ = 0;
};

// Decodes the rows of one stream.
class StreamDecoder {
 public:
  StreamDecoder(const PackedChunk& chunk, int stream) : runs_(chunk, stream), rows_(rows_of(chunk, stream, tail_)) {}

  // How many rows come one after the other; none at the end.
  int num_rows() {
    if (left_ == 0 && runs_.next()) {
      values_ = runs_.values;
      left_ = runs_.size;
      rows_.begin();
    }
    return left_;
  }

  // As many rows of every stream, beside each other.
  template <std::size_t N>
  static void decode(const std::array<StreamDecoder*, N>& streams, int num_rows) {
    RowDecoder rows[N];
    float* values[N];
    std::ptrdiff_t stride[N];
    for (std::size_t s = 0; s < N; ++s) {
      rows[s] = streams[s]->rows_;
      values[s] = streams[s]->values_;
      stride[s] = streams[s]->runs_.stride;
      streams[s]->left_ -= num_rows;
    }
    for (int i = 0; i < num_rows; ++i) {
#pragma GCC unroll 4
      for (std::size_t s = 0; s < N; ++s) rows[s].look_up();
#pragma GCC unroll 4
      for (std::size_t s = 0; s < N; ++s) rows[s].advance();
#pragma GCC unroll 4
      for (std::size_t s = 0; s < N; ++s) rows[s].take_sizes();
#pragma GCC unroll 4
      for (std::size_t s = 0; s < N; ++s) {
        rows[s].finish(values[s]);
        values[s] += stride[s];
      }
    }
    for (std::size_t s = 0; s < N; ++s) {
      streams[s]->rows_ = rows[s];
      streams[s]->values_ = values[s];
    }
  }

  void verify_end() const {
    if (!rows_.ends_well()) throw std::runtime_error("a packed chunk was damaged, or coded with another model");
  }

 private:
  static RowDecoder rows_of(const PackedChunk& chunk, int stream, WordTail& tail) {
    PackedHead head;
    std::memcpy(&head, chunk.data, sizeof head);
    const float step = std::ldexp(1 / chunk.scale, head.shift);
    if (head.shift < 0 || !std::isfinite(step)) throw std::runtime_error("a packed chunk has a wrong shift");
    const std::size_t first = sizeof head + bitmap_bytes(chunk.shape);
    const std::size_t second = first + kStateBytes + 2 * std::size_t(head.first_words);
    if (second + kStateBytes > chunk.size) throw std::runtime_error("a packed chunk ends too early");
    return {chunk.data + (stream == 0 ? first : second), chunk.data + (stream == 0 ? second : chunk.size),
            chunk.shape.lanes, chunk.model.slots(), step, tail};
  }

  CodedRuns runs_;
  WordTail tail_;
  RowDecoder rows_;
  float* values_ = nullptr;
  int left_ = 0;
};

// All rows of all streams, until one of them ends, and then those of the others.
template <std::size_t N>
void decode_all(const std::array<StreamDecoder*, N>& streams) {
  for (;;) {
    int num_rows = std::numeric_limits<int>::max();
    for (std::size_t s = 0; s < N; ++s) {
      const int left = streams[s]->num_rows();
      if (left == 0) {
        streams[s]->verify_end();
        if constexpr (N > 1) {
          std::array<StreamDecoder*, N - 1> others;
          std::copy(streams.begin() + s + 1, streams.end(), std::copy_n(streams.begin(), s, others.begin()));
          decode_all(others);
        }
        return;
      }
      num_rows = std::min(num_rows, left);
    }
    StreamDecoder::decode(streams, num_rows);
  }
}

// Whether there is anything to decode. Where there is not, all values are zero.
bool has_rows(const PackedChunk& chunk) {
  if (chunk.size == 0) {
    std::memset(chunk.values, 0, chunk.shape.num_values() * sizeof *chunk.values);
    return false;
  }
  if (chunk.size < sizeof(PackedHead) + bitmap_bytes(chunk.shape) + kStreams * kStateBytes || chunk.size % 2)
    throw std::runtime_error("a packed chunk of this shape is longer, and of an even number of bytes");
  return true;
}

}  // namespace

void encode_plain(const ChunkShape& shape, const float* values, std::vector<std::uint8_t>& out) {
  const std::size_t count = shape.num_values(), begin = out.size(), bitmap_size = (count + 7) / 8;
  out.resize(begin + bitmap_size + count * sizeof *values);
  std::uint8_t* const kept_begin = out.data() + begin + bitmap_size;
  std::uint8_t* kept = kept_begin;
  for (std::size_t i = 0; i < count; ++i) {
    // Half of all values are zero, in no order: a branch would be guessed wrong all the time.
    const bool is_kept = std::bit_cast<std::uint32_t>(values[i]) != 0;
    out[begin + i / 8] |= is_kept << i % 8;
    std::memcpy(kept, &values[i], sizeof *values);
    kept += is_kept ? sizeof *values : 0;
  }
  out.resize(kept == kept_begin ? begin : kept - out.data());
}

void decode_plain(const ChunkShape& shape, const std::uint8_t* data, std::size_t size, float* values) {
  const std::size_t count = shape.num_values();
  std::memset(values, 0, count * sizeof *values);
  if (size == 0) return;
  const std::size_t bitmap_size = (count + 7) / 8;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < std::min(bitmap_size, size); ++i) kept += std::popcount(data[i]);
  const bool has_spare_bits = size >= bitmap_size && count % 8 && data[bitmap_size - 1] >> count % 8;
  if (size != bitmap_size + kept * sizeof *values || has_spare_bits)
    throw std::runtime_error("a plain chunk must have a bit for each value and four bytes for each bit that is set");
  const std::uint8_t* at = data + bitmap_size;
  for (std::size_t i = 0; i < count; ++i)
    if (data[i / 8] >> i % 8 & 1) {
      std::memcpy(&values[i], at, sizeof *values);
      at += sizeof *values;
    }
}

void encode_packed(const ChunkShape& shape, const float* values, float scale, const SymbolModel& model,
                   SymbolCounts* counts, std::vector<std::uint8_t>& out, CodecScratch& scratch) {
  PackedHead head{0, 0};
  const std::size_t begin_of_chunk = out.size(), begin_of_bitmap = begin_of_chunk + sizeof head;
  out.resize(begin_of_bitmap + bitmap_bytes(shape));
  std::uint8_t* const bitmap = out.data() + begin_of_bitmap;
  if (!make_rows(shape, values, scale, bitmap, scratch.streams)) {
    head.shift = shift_of(shape, values, scale);
    std::fill(bitmap, out.data() + out.size(), 0);
    make_rows(shape, values, std::ldexp(scale, -head.shift), bitmap, scratch.streams);
  }
  if (scratch.streams[0].num_rows + scratch.streams[1].num_rows == 0) return out.resize(begin_of_chunk);
  if (counts)
    for (const RowBuffer& rows : scratch.streams) rows.count(*counts);
  encode_rows(scratch.streams, model.symbols());
  head.first_words = std::uint32_t(scratch.streams[0].num_words());
  std::memcpy(&out[begin_of_chunk], &head, sizeof head);
  for (const RowBuffer& rows : scratch.streams) {
    append(out, rows.states, kChunkPairs);
    append(out, rows.first_word, rows.num_words());
  }
}

void decode_packed(const PackedChunk& chunk) {
  if (!has_rows(chunk)) return;
  StreamDecoder even(chunk, 0), odd(chunk, 1);
  decode_all<2>({&even, &odd});
}

void decode_packed_pair(const PackedChunk& first, const PackedChunk& second) {
  if (!has_rows(first)) return decode_packed(second);
  if (!has_rows(second)) return decode_packed(first);
  StreamDecoder a(first, 0), b(first, 1), c(second, 0), d(second, 1);
  decode_all<4>({&a, &b, &c, &d});
}

std::uint64_t checksum(const std::uint8_t* data, std::size_t size) {
  // Four sums side by side, as a multiplication takes several cycles; each is a bijection in every word that it takes.
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  const auto step = [](std::uint64_t sum, std::uint64_t word) {
    sum = (sum ^ word) * kOdd;
    return sum ^ sum >> 29;
  };
  std::uint64_t sums[4] = {1, 2, 3, 4};
  const auto word_at = [&](std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, std::min<std::size_t>(8, size - at));
    return word;
  };
  std::size_t at = 0;
  for (; at + 32 <= size; at += 32)
    for (int i = 0; i < 4; ++i) {
      std::uint64_t word;
      std::memcpy(&word, data + at + 8 * i, 8);
      sums[i] = step(sums[i], word);
    }
  std::uint64_t sum = step(kOdd, size);
  for (; at < size; at += 8) sum = step(sum, word_at(at));
  for (const std::uint64_t part : sums) sum = step(sum, part);
  return sum;
}

}  // namespace errai

namespace {

using errai::Array;

nb::bytes as_bytes(const std::vector<std::uint8_t>& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

errai::SymbolCounts counts_of(const Array<const std::uint64_t>& seen) {
  errai::SymbolCounts counts;
  std::copy_n(seen.data(), counts.seen.size(), counts.seen.begin());
  return counts;
}

errai::PackedChunk packed_chunk(int num_hands, int lanes, const std::vector<int>& actions, const nb::bytes& data,
                                float scale, const errai::SymbolModel& model, const Array<float>& values) {
  return {{num_hands, lanes, actions.data(), int(actions.size())},
          static_cast<const std::uint8_t*>(data.data()),
          data.size(),
          scale,
          model,
          values.data()};
}

}  // namespace

void bind_codec(nb::module_& m) {
  using errai::ChunkShape, errai::CodecScratch, errai::SymbolCounts, errai::SymbolModel;
  m.attr("CHUNK_LANES") = errai::kChunkLanes;
  m.attr("SYMBOL_COUNTS") = SymbolCounts{}.seen.size();
  nb::class_<SymbolModel>(m, "SymbolModel")
      .def("__init__", [](SymbolModel* model) { new (model) SymbolModel(SymbolCounts::of_first_version()); })
      .def(
          "__init__",
          [](SymbolModel* model, Array<const std::uint64_t> seen) { new (model) SymbolModel(counts_of(seen)); },
          nb::arg("counts"));
  m.def(
      "encode_plain",
      [](int num_hands, int lanes, const std::vector<int>& actions, Array<const float> values) {
        std::vector<std::uint8_t> out;
        errai::encode_plain({num_hands, lanes, actions.data(), int(actions.size())}, values.data(), out);
        return as_bytes(out);
      },
      nb::arg("num_hands"), nb::arg("lanes"), nb::arg("actions"), nb::arg("values").noconvert());
  m.def(
      "decode_plain",
      [](int num_hands, int lanes, const std::vector<int>& actions, nb::bytes data, Array<float> values) {
        errai::decode_plain({num_hands, lanes, actions.data(), int(actions.size())},
                            static_cast<const std::uint8_t*>(data.data()), data.size(), values.data());
      },
      nb::arg("num_hands"), nb::arg("lanes"), nb::arg("actions"), nb::arg("data"), nb::arg("values").noconvert());
  m.def(
      "encode_packed",
      [](int num_hands, int lanes, const std::vector<int>& actions, Array<const float> values, float scale,
         const SymbolModel& model, std::optional<Array<std::uint64_t>> counts) {
        static thread_local CodecScratch scratch;
        std::vector<std::uint8_t> out;
        SymbolCounts seen;
        errai::encode_packed({num_hands, lanes, actions.data(), int(actions.size())}, values.data(), scale, model,
                             counts ? &seen : nullptr, out, scratch);
        if (counts)
          for (std::size_t i = 0; i < seen.seen.size(); ++i) counts->data()[i] += seen.seen[i];
        return as_bytes(out);
      },
      nb::arg("num_hands"), nb::arg("lanes"), nb::arg("actions"), nb::arg("values").noconvert(), nb::arg("scale"),
      nb::arg("model"), nb::arg("counts").noconvert().none());
  m.def(
      "decode_packed",
      [](int num_hands, int lanes, const std::vector<int>& actions, nb::bytes data, float scale,
         const SymbolModel& model, Array<float> values) {
        errai::decode_packed(packed_chunk(num_hands, lanes, actions, data, scale, model, values));
      },
      nb::arg("num_hands"), nb::arg("lanes"), nb::arg("actions"), nb::arg("data"), nb::arg("scale"), nb::arg("model"),
      nb::arg("values").noconvert());
  m.def(
      "decode_packed_pair",
      [](int num_hands, int lanes, const std::vector<int>& actions, nb::bytes data, float scale,
         const SymbolModel& model, Array<float> values, const std::vector<int>& second_actions, nb::bytes second_data,
         float second_scale, const SymbolModel& second_model, Array<float> second_values) {
        errai::decode_packed_pair(
            packed_chunk(num_hands, lanes, actions, data, scale, model, values),
            packed_chunk(num_hands, lanes, second_actions, second_data, second_scale, second_model, second_values));
      },
      nb::arg("num_hands"), nb::arg("lanes"), nb::arg("actions"), nb::arg("data"), nb::arg("scale"), nb::arg("model"),
      nb::arg("values").noconvert(), nb::arg("second_actions"), nb::arg("second_data"), nb::arg("second_scale"),
      nb::arg("second_model"), nb::arg("second_values").noconvert());
}
