#include "codec/chunks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "codec/rans_rows.hpp"
#include "codec/residuals.hpp"

namespace errai {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int kGroup = 8;  // hands that share a bit

int num_groups(const ChunkShape& shape) { return (shape.num_hands + kGroup - 1) / kGroup; }

std::size_t num_rows(const ChunkShape& shape) { return shape.num_values() / shape.lanes; }

struct PackedHead {
  std::int32_t shift;
  std::uint32_t first_words;  // number of words of the first stream
};

std::size_t bitmap_bytes(const ChunkShape& shape) {
  return (num_rows(shape) / shape.num_hands * num_groups(shape) + 15) / 16 * 2;  // words follow
}
constexpr std::size_t kStateBytes = kChunkPairs * sizeof(std::uint32_t);

// Calls act(values of the action's first hand, stride from one hand to the next, number of the action) for every action
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

// The number of bits, at least those of the units, by which codes must be shortened to fit.
int shift_of(const ChunkShape& shape, const float* values, Units units) {
  const std::size_t count = shape.num_values(), in_vectors = count / kChunkLanes * kChunkLanes;
  LaneReals largest = LaneReals::all(0), zero = largest;
  for (std::size_t i = 0; i < in_vectors; i += kChunkLanes) {
    const auto row = load<LaneReals>(values + i);
    largest = maximum(largest, row);
    zero += row - row;  // NaN if a value is not finite
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
  int shift = units.least_shift;
  while (std::ldexp(most, -shift) * units.scale + units.rounding >= kCodeLimit) ++shift;
  return shift;
}

// Sets the codes of a group of hands; returns the bits that are set in any of them.
[[gnu::always_inline]] inline LaneCodes round_group(const float* first, std::ptrdiff_t stride, int size, int lanes,
                                                    float scale, float rounding, LaneCodes* codes) {
  LaneCodes any = LaneCodes::all(0);
  for (int i = 0; i < size; ++i) {
    float row[kChunkLanes] = {};
    if (lanes != kChunkLanes) std::memcpy(row, first + i * stride, lanes * sizeof *row);
    codes[i] = round_codes(load<LaneReals>(lanes == kChunkLanes ? first + i * stride : row), scale, rounding);
    any = any | codes[i];
  }
  return any;
}

// Makes the rows of both streams, and a bit for each group that is coded; returns false if a code might not fit.
bool make_rows(const ChunkShape& shape, const float* values, Units units, int shift, std::uint8_t* bitmap,
               std::array<RowBuffer, kStreams>& streams) {
  const float scale = std::ldexp(units.scale, -shift), rounding = units.rounding;
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
      const LaneCodes any = round_group(first + begin * stride, stride, size, shape.lanes, scale, rounding, codes);
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

// The coded rows of one stream of a packed chunk, as runs of hands of one action. Groups that are all zero are filled
// on the way.
class CodedRuns {
 public:
  float* values;  // of the run's first hand
  std::ptrdiff_t stride;
  int size;

  CodedRuns(const PackedChunk& chunk, int stream)
      : shape_(chunk.shape),
        groups_(num_groups(shape_)),
        bitmap_(chunk.data + sizeof(PackedHead)),
        of_node_(chunk.values) {
    if (stream == 1) next_action();
  }

  // Moves to the next run; returns false at the end.
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
      if (shape_.lanes == kChunkLanes)  // a known length avoids a call
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

  // The number of rows left in the run; 0 at the end of the stream.
  int num_rows() {
    if (left_ == 0 && runs_.next()) {
      values_ = runs_.values;
      left_ = runs_.size;
      rows_.begin();
    }
    return left_;
  }

  // Decodes `num_rows` rows of every stream, side by side.
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
    return {chunk.data + (stream == 0 ? first : second),
            chunk.data + (stream == 0 ? second : chunk.size),
            chunk.shape.lanes,
            chunk.model.slots(),
            step,
            tail};
  }

  CodedRuns runs_;
  WordTail tail_;
  RowDecoder rows_;
  float* values_ = nullptr;
  int left_ = 0;
};

// Decodes all rows of all streams, until one of them ends, and then those of the others.
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

// Whether there is anything to decode. If not, all values are set to zero.
bool has_rows(const PackedChunk& chunk) {
  if (chunk.size == 0) {
    std::memset(chunk.values, 0, chunk.shape.num_values() * sizeof *chunk.values);
    return false;
  }
  if (chunk.size < sizeof(PackedHead) + bitmap_bytes(chunk.shape) + kStreams * kStateBytes || chunk.size % 2)
    throw std::runtime_error("a packed chunk of this shape is longer, and has an even number of bytes");
  return true;
}

}  // namespace

void encode_plain(const ChunkShape& shape, const float* values, std::vector<std::uint8_t>& out) {
  const std::size_t count = shape.num_values(), begin = out.size(), bitmap_size = (count + 7) / 8;
  out.resize(begin + bitmap_size + count * sizeof *values);
  std::uint8_t* const kept_begin = out.data() + begin + bitmap_size;
  std::uint8_t* kept = kept_begin;
  for (std::size_t i = 0; i < count; ++i) {
    // Half of all values are zero, in no order: a branch would often be mispredicted.
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

void encode_packed(const ChunkShape& shape, const float* values, Units units, const SymbolModel& model,
                   SymbolCounts* counts, std::vector<std::uint8_t>& out, CodecScratch& scratch) {
  PackedHead head{units.least_shift, 0};
  const std::size_t begin_of_chunk = out.size(), begin_of_bitmap = begin_of_chunk + sizeof head;
  out.resize(begin_of_bitmap + bitmap_bytes(shape));
  std::uint8_t* const bitmap = out.data() + begin_of_bitmap;
  if (!make_rows(shape, values, units, head.shift, bitmap, scratch.streams)) {
    head.shift = shift_of(shape, values, units);
    std::fill(bitmap, out.data() + out.size(), 0);
    make_rows(shape, values, units, head.shift, bitmap, scratch.streams);
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

}  // namespace errai
