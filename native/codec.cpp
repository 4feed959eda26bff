#include "codec.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

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

// How many bytes the bits of a packed chunk take: an even number, as words follow.
std::size_t bitmap_bytes(const ChunkShape& shape) {
  return (num_rows(shape) / shape.num_hands * num_groups(shape) + 15) / 16 * 2;
}

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

template <class T>
void at_least(std::vector<T>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(size);
}

// The codes of a group of hands; whether any of them is not zero.
bool round_group(const float* first, std::ptrdiff_t stride, int size, int lanes, float scale, LaneCodes* codes) {
  LaneCodes any = LaneCodes::all(0);
  for (int i = 0; i < size; ++i) {
    float row[kChunkLanes] = {};
    if (lanes != kChunkLanes) std::memcpy(row, first + i * stride, lanes * sizeof *row);
    codes[i] = round_codes(load<LaneReals>(lanes == kChunkLanes ? first + i * stride : row), scale);
    for (int part = 0; part < LaneCodes::kParts; ++part) any.part[part] |= codes[i].part[part];
  }
  std::int32_t bits = 0;
  for (int lane = 0; lane < kChunkLanes; ++lane) bits |= any.get(lane);
  return bits != 0;
}

// The groups of a packed chunk, in order. Those that are all zero are filled on the way; it stops at the others.
class CodedGroups {
 public:
  float* values;  // of the group's first hand
  std::ptrdiff_t stride;
  std::uint8_t* above;
  int size;
  bool follows;  // whether the group before it in the same action is not all zero either

  CodedGroups(const PackedChunk& chunk, std::vector<std::uint8_t>& above)
      : shape_(chunk.shape), groups_(num_groups(shape_)), bitmap_(chunk.data), of_node_(chunk.values),
        of_action_before_(above) {
    of_action_before_.assign(std::size_t(shape_.num_hands) * kChunkLanes, 0);
  }

  // Whether there is one more.
  bool next() {
    for (follows = true; node_ < shape_.num_nodes; follows = false) {
      const bool is_coded = bitmap_[bit_ / 8] >> bit_ % 8 & 1;
      const int begin = group_ * kGroup;
      follows &= group_ > 0;
      stride = std::ptrdiff_t(shape_.actions[node_]) * shape_.lanes;
      values = of_node_ + action_ * shape_.lanes + begin * stride;
      above = &of_action_before_[begin * kChunkLanes];
      size = std::min(kGroup, shape_.num_hands - begin);
      move_on();
      if (is_coded) return true;
      fill();
    }
    return false;
  }

 private:
  void move_on() {
    ++bit_;
    if (++group_ < groups_) return;
    group_ = 0;
    if (++action_ < shape_.actions[node_]) return;
    action_ = 0;
    ++node_;
    of_node_ += stride * shape_.num_hands;
  }
  void fill() {
    std::memset(above, 0, size * kChunkLanes);
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
  std::vector<std::uint8_t>& of_action_before_;
  int node_ = 0, action_ = 0, group_ = 0;  // the next one
  std::size_t bit_ = 0;
};

// Decodes the rows of those groups.
template <int Halves>
class ChunkDecoder {
 public:
  [[gnu::always_inline]] ChunkDecoder(const PackedChunk& chunk, CodedGroups& groups, WordTail& tail)
      : groups_(groups), rows_(chunk.data + bitmap_bytes(chunk.shape), chunk.data + chunk.size, chunk.shape.lanes,
                               chunk.model.slots(), 1 / chunk.scale, tail) {}

  // How many rows come one after the other; none at the end.
  [[gnu::always_inline]] int num_rows() {
    if (left_ == 0 && groups_.next()) {
      values_ = groups_.values;
      stride_ = groups_.stride;
      above_ = groups_.above;
      left_ = groups_.size;
      if (!groups_.follows) rows_.begin();
    }
    return left_;
  }
  // The three steps of a row.
  [[gnu::always_inline]] void look_up() { rows_.look_up(above_, row_); }
  [[gnu::always_inline]] void advance() { rows_.advance(row_); }
  [[gnu::always_inline]] void finish_row() {
    rows_.finish(row_, above_, values_);
    above_ += kChunkLanes;
    values_ += stride_;
    --left_;
  }
  [[gnu::always_inline]] void finish() {
    while (num_rows() > 0)
      while (left_ > 0) {
        look_up();
        advance();
        finish_row();
      }
    if (!rows_.ends_well()) throw std::runtime_error("a packed chunk was damaged, or coded with another model");
  }

 private:
  CodedGroups& groups_;
  RowDecoder<Halves> rows_;
  typename RowDecoder<Halves>::Row row_;
  float* values_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  std::uint8_t* above_ = nullptr;
  int left_ = 0;
};

template <int Halves>
void decode_one(const PackedChunk& chunk, CodecScratch& scratch) {
  WordTail tail;
  CodedGroups groups(chunk, scratch.above[0]);
  ChunkDecoder<Halves> decoder(chunk, groups, tail);
  decoder.finish();
}

template <int Halves>
void decode_two(const PackedChunk& a, const PackedChunk& b, CodecScratch& scratch) {
  WordTail a_tail, b_tail;
  CodedGroups a_groups(a, scratch.above[0]), b_groups(b, scratch.above[1]);
  ChunkDecoder<Halves> a_decoder(a, a_groups, a_tail), b_decoder(b, b_groups, b_tail);
  while (const int both = std::min(a_decoder.num_rows(), b_decoder.num_rows()))
    for (int i = 0; i < both; ++i) {
      a_decoder.look_up();
      b_decoder.look_up();
      a_decoder.advance();
      b_decoder.advance();
      a_decoder.finish_row();
      b_decoder.finish_row();
    }
  a_decoder.finish();
  b_decoder.finish();
}

// Whether there is anything to decode. Where there is not, all values are zero.
bool has_rows(const PackedChunk& chunk) {
  if (chunk.size == 0) {
    std::memset(chunk.values, 0, chunk.shape.num_values() * sizeof *chunk.values);
    return false;
  }
  if (chunk.size < bitmap_bytes(chunk.shape) + chunk.shape.lanes * sizeof(std::uint32_t) || chunk.size % 2)
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
                   SymbolCounts& counts, std::vector<std::uint8_t>& out, CodecScratch& scratch) {
  const int groups = num_groups(shape), lanes = shape.lanes;
  const std::size_t begin_of_chunk = out.size();
  out.resize(begin_of_chunk + bitmap_bytes(shape));
  scratch.above[0].assign(std::size_t(shape.num_hands) * kChunkLanes, 0);
  at_least(scratch.items, num_rows(shape) * kChunkLanes);
  at_least(scratch.rare, num_rows(shape));
  at_least(scratch.rest, num_rows(shape) * kChunkLanes);
  std::size_t row = 0;  // among those of groups that are not all zero
  std::uint32_t* rest = scratch.rest.data();
  for_actions(shape, values, [&](const float* first, std::ptrdiff_t stride, int number) {
    LaneCodes last = LaneCodes::all(0);
    LaneBytes recent{}, before{};
    for (int group = 0; group < groups; ++group) {
      const int begin = group * kGroup, size = std::min(kGroup, shape.num_hands - begin);
      LaneCodes codes[kGroup];
      auto* above = reinterpret_cast<LaneBytes*>(&scratch.above[0][begin * kChunkLanes]);
      if (!round_group(first + begin * stride, stride, size, lanes, scale, codes)) {
        std::fill_n(above, size, LaneBytes{});
        last = LaneCodes::all(0);
        recent = before = LaneBytes{};
        continue;
      }
      const std::size_t bit = std::size_t(number) * groups + group;
      out[begin_of_chunk + bit / 8] |= 1 << bit % 8;
      for (int i = 0; i < size; ++i, ++row) {
        CodedRow coded;
        code_row(codes[i], last, recent, before, above[i], coded);
        std::memcpy(&scratch.items[row * kChunkLanes], coded.items, sizeof coded.items);
        if (i == 0)
          for (int lane = 0; lane < lanes; ++lane) ++counts.seen[coded.items[lane] >> kQuickBits];
        scratch.rare[row] = std::uint16_t(coded.rare);
        if (coded.rare) {
          for (int lane = 0; lane < kChunkLanes; ++lane) rest[lane] = coded.raw[lane] >> kQuickBits;
          for (unsigned escaped = lanes_of(LaneBytes(coded.symbols == kEscape)); escaped; escaped &= escaped - 1)
            rest[std::countr_zero(escaped)] = codes[i].get(std::countr_zero(escaped));
          rest += kChunkLanes;
        }
        last = codes[i];
        before = recent;
        recent = above[i] = coded.symbols;
      }
    }
  });
  if (row == 0) return out.resize(begin_of_chunk);
  at_least(scratch.words, row * kChunkLanes * 3 + 8);
  std::uint16_t* const words_end = scratch.words.data() + scratch.words.size();
  WordWriter words{words_end};
  alignas(32) std::uint32_t states[kChunkLanes];
  std::fill_n(states, kChunkLanes, kLeastState);
  encode_rows(states, lanes, model.symbols(), row, {scratch.items.data(), scratch.rare.data(), rest}, words);
  append(out, states, lanes);
  append(out, words.at, words_end - words.at);
}

void decode_packed(const PackedChunk& chunk, CodecScratch& scratch) {
  if (!has_rows(chunk)) return;
  if (chunk.shape.lanes > 8)
    decode_one<2>(chunk, scratch);
  else
    decode_one<1>(chunk, scratch);
}

void decode_packed_pair(const PackedChunk& first, const PackedChunk& second, CodecScratch& scratch) {
  if (!has_rows(first)) return decode_packed(second, scratch);
  if (!has_rows(second)) return decode_packed(first, scratch);
  if (first.shape.lanes > 8)
    decode_two<2>(first, second, scratch);
  else
    decode_two<1>(first, second, scratch);
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
         const SymbolModel& model, Array<std::uint64_t> counts) {
        static thread_local CodecScratch scratch;
        std::vector<std::uint8_t> out;
        SymbolCounts seen;
        errai::encode_packed({num_hands, lanes, actions.data(), int(actions.size())}, values.data(), scale, model, seen,
                             out, scratch);
        for (std::size_t i = 0; i < seen.seen.size(); ++i) counts.data()[i] += seen.seen[i];
        return as_bytes(out);
      },
      nb::arg("num_hands"), nb::arg("lanes"), nb::arg("actions"), nb::arg("values").noconvert(), nb::arg("scale"),
      nb::arg("model"), nb::arg("counts").noconvert());
  m.def(
      "decode_packed",
      [](int num_hands, int lanes, const std::vector<int>& actions, nb::bytes data, float scale,
         const SymbolModel& model, Array<float> values) {
        static thread_local CodecScratch scratch;
        errai::decode_packed(packed_chunk(num_hands, lanes, actions, data, scale, model, values), scratch);
      },
      nb::arg("num_hands"), nb::arg("lanes"), nb::arg("actions"), nb::arg("data"), nb::arg("scale"), nb::arg("model"),
      nb::arg("values").noconvert());
  m.def(
      "decode_packed_pair",
      [](int num_hands, int lanes, const std::vector<int>& actions, nb::bytes data, float scale,
         const SymbolModel& model, Array<float> values, const std::vector<int>& second_actions, nb::bytes second_data,
         float second_scale, const SymbolModel& second_model, Array<float> second_values) {
        static thread_local CodecScratch scratch;
        errai::decode_packed_pair(
            packed_chunk(num_hands, lanes, actions, data, scale, model, values),
            packed_chunk(num_hands, lanes, second_actions, second_data, second_scale, second_model, second_values),
            scratch);
      },
      nb::arg("num_hands"), nb::arg("lanes"), nb::arg("actions"), nb::arg("data"), nb::arg("scale"), nb::arg("model"),
      nb::arg("values").noconvert(), nb::arg("second_actions"), nb::arg("second_data"), nb::arg("second_scale"),
      nb::arg("second_model"), nb::arg("second_values").noconvert());
}
