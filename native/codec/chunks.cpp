#include "codec/chunks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#include "codec/fast_rows.hpp"
#include "codec/rans_rows.hpp"
#include "codec/rans_rows_avx512.hpp"
#include "codec/residuals.hpp"

namespace errai {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int kGroup = 8;  // hands of a group, so that its changes are a byte

int num_groups(const ChunkShape& shape) { return (shape.num_hands + kGroup - 1) / kGroup; }

std::size_t num_rows(const ChunkShape& shape) { return shape.num_values() / shape.lanes; }

struct PackedHead {
  std::uint16_t shift;
  Coding coding;
  std::uint32_t count;  // small: number of words of the first stream; fast: of coded rows
};

std::size_t whole_words(std::size_t bytes) { return (bytes + 1) / 2 * 2; }

std::size_t num_all_groups(const ChunkShape& shape) { return num_rows(shape) / shape.num_hands * num_groups(shape); }

std::size_t bitmap_bytes(const ChunkShape& shape) { return whole_words((num_all_groups(shape) + 7) / 8); }
constexpr std::size_t kStateBytes = kChunkPairs * sizeof(std::uint32_t);

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

// The lanes of a row; those that a chunk does not have are zero.
[[gnu::always_inline]] inline LaneReals load_lanes(const float* values, int lanes) {
  if (lanes == kChunkLanes) return load<LaneReals>(values);
  float all[kChunkLanes] = {};
  std::memcpy(all, values, lanes * sizeof *all);
  return load<LaneReals>(all);
}

// Rounds the values of N neighbouring actions of a node, the first of which is `number`, hand by hand: that is the
// order in which they lie in memory. Sets the bits of the groups and `rounded`; `all` takes in the bits set in any
// code. The scale of the units is that of the codes, with no shift left.
template <int N>
void round_actions(const ChunkShape& shape, const float* values, std::ptrdiff_t stride, Units units, int number,
                   std::uint8_t* bitmap, LaneCodes& all, RoundedAction* rounded) {
  const int groups = num_groups(shape);
  CodeRow* rows[N];
  std::uint8_t* changes[N];
  LaneCodes before[N];
  for (int action = 0; action < N; ++action) {
    rows[action] = rounded[action].begin(shape.num_hands, groups);
    changes[action] = rounded[action].changes.data();
    before[action] = LaneCodes::all(0);
  }
  LaneCodes bits = all;
  for (int group = 0; group < groups; ++group) {
    const int size = std::min(kGroup, shape.num_hands - group * kGroup);
    unsigned changed[N] = {};
    for (int i = 0; i < size; ++i, values += stride) {
#pragma GCC unroll 3
      for (int action = 0; action < N; ++action) {
        const LaneReals reals = load_lanes(values + action * shape.lanes, shape.lanes);
        const LaneCodes codes = round_codes(reals, units.scale, units.rounding);
        bits = bits | codes;
        const unsigned differs = is_any(difference(codes, before[action]));
        changed[action] |= differs << i;
        store(rows[action]->codes, codes);
        rows[action] += differs;  // without a branch, which would often be mispredicted
        before[action] = codes;
      }
    }
    for (int action = 0; action < N; ++action) {
      const bool is_changed = changed[action] != 0;
      const std::size_t bit = std::size_t(number + action) * groups + group;
      bitmap[bit / 8] |= is_changed << bit % 8;
      *changes[action] = std::uint8_t(changed[action]);
      changes[action] += is_changed;
    }
  }
  all = bits;
  for (int action = 0; action < N; ++action) rounded[action].end(rows[action], changes[action]);
}
constexpr decltype(&round_actions<1>) kRoundActions[kMostRounded] = {round_actions<1>, round_actions<2>,
                                                                     round_actions<3>};

// Makes the items of the rows of an action.
void code_rows(const RoundedAction& action, RowBuffer& rows) {
  rows.add_groups({action.changes.data(), action.num_changes});
  const CodeRow* const coded = action.rows.data() + 1;
#ifdef __AVX512BW__
  TwoRowCoder coder;
  for (std::size_t i = 0; i < action.num_rows; i += 2) {
    const std::uint32_t escaped = coder.code(coded + i, rows.next_items());
    rows.add(escaped & 0xffff, coded[i].codes);
    if (i + 1 < action.num_rows) rows.add(escaped >> 16, coded[i + 1].codes);
  }
#else
  RowCoder coder;
  coder.begin();
  for (std::size_t i = 0; i < action.num_rows; ++i)
    rows.add(coder.code(load<LaneCodes>(coded[i].codes), rows.next_items()), coded[i].codes);
#endif
}

// Makes the coded rows, the bits of the groups and the changes; returns false if a code might not fit.
bool make_rows(const ChunkShape& shape, const float* values, Units units, int shift, std::uint8_t* bitmap,
               CodecScratch& scratch) {
  units.scale = std::ldexp(units.scale, -shift);
  const bool is_fast = units.coding == Coding::fast;
  if (is_fast)
    scratch.fast->begin(num_rows(shape));
  else
    for (RowBuffer& rows : scratch.streams) rows.begin(num_rows(shape));
  scratch.changes.clear();
  LaneCodes all = LaneCodes::all(0);
  int number = 0;
  for (int node = 0; node < shape.num_nodes; ++node) {
    const std::ptrdiff_t stride = std::ptrdiff_t(shape.actions[node]) * shape.lanes;
    for (int left = shape.actions[node]; left > 0;) {
      const int together = std::min(left, kMostRounded), first = shape.actions[node] - left;
      kRoundActions[together - 1](shape, values + first * shape.lanes, stride, units, number, bitmap, all,
                                  scratch.rounded.data());
      for (int i = 0; i < together; ++i, ++number) {
        const RoundedAction& action = scratch.rounded[i];
        append(scratch.changes, action.changes.data(), action.num_changes);
        if (is_fast)
          scratch.fast->add(action.rows.data() + 1, action.num_rows);
        else
          code_rows(action, scratch.streams[number % kStreams]);
      }
      left -= together;
    }
    values += stride * shape.num_hands;
  }
  return !is_any(all, kDoubtfulBits);
}

// Encodes the rows of both streams side by side, as long as both have some.
void encode_rows(std::array<RowBuffer, kStreams>& streams, const SymbolSlots* symbols) {
  RowEncoder even(streams[0], symbols), odd(streams[1], symbols);
  auto both = std::min(even.left(), odd.left());
#ifdef __AVX512BW__
  TwoRowEncoder two(even, odd);
  for (; both > 0; --both) {
    two.look_up();
    two.emit_sizes();
    two.emit_symbols();
  }
  two.leave(even, odd);
#else
  for (; both > 0; --both) {
    even.look_up();
    odd.look_up();
    even.emit_sizes();
    odd.emit_sizes();
    even.emit_symbols();
    odd.emit_symbols();
  }
#endif
  const auto encode_rest = [](RowEncoder& stream) __attribute__((always_inline)) {
    while (stream.left() > 0) {
      stream.look_up();
      stream.emit_sizes();
      stream.emit_symbols();
    }
    stream.finish();
  };
  encode_rest(even);
  encode_rest(odd);
}

// Where the parts of a packed chunk that is not empty begin, after the head.
struct PackedParts {
  const std::uint8_t *bits, *changes, *rows, *end;
  PackedHead head;
  float step;  // of a code

  explicit PackedParts(const PackedChunk& chunk) {
    const std::size_t first_changes = sizeof head + bitmap_bytes(chunk.shape);
    if (first_changes > chunk.size) throw std::runtime_error("a packed chunk of this shape is longer");
    std::memcpy(&head, chunk.data, sizeof head);
    step = std::ldexp(1 / chunk.scale, head.shift);
    if (!std::isfinite(step)) throw std::runtime_error("a packed chunk has a wrong shift");
    if (head.coding > Coding::fast) throw std::runtime_error("a packed chunk has an unknown coding");
    bits = chunk.data + sizeof head;
    changes = chunk.data + first_changes;
    std::size_t num_changed = 0;  // groups
    for (const std::uint8_t* byte = bits; byte < changes; ++byte) num_changed += std::popcount(*byte);
    rows = changes + whole_words(num_changed);
    end = chunk.data + chunk.size;
    if (rows + sizeof(std::uint64_t) > end)  // behind the bits, which are read in whole words
      throw std::runtime_error("a packed chunk ends too early");
  }
};

// Where the streams of the coding `small` begin.
struct StreamParts {
  const std::uint8_t* begin[kStreams + 1];

  explicit StreamParts(const PackedParts& parts) : begin{parts.rows, nullptr, parts.end} {
    const auto size = std::size_t(parts.end - parts.rows);
    const std::size_t first = kStateBytes + 2 * std::size_t(parts.head.count);
    if (size < first + kStateBytes || size % 2) throw std::runtime_error("a packed chunk ends too early");
    begin[1] = parts.rows + first;
  }
};

// The number of bits that are set among `count` from bit `first` on. Reads whole words, up to seven bytes more.
std::size_t count_bits(const std::uint8_t* bits, std::size_t first, std::size_t count) {
  std::size_t set = 0;
  for (std::size_t done = 0; done < count;) {
    std::uint64_t word;
    std::memcpy(&word, bits + (first + done) / 8, sizeof word);
    const std::size_t skipped = (first + done) % 8, taken = std::min(count - done, 64 - skipped);
    set += std::popcount(word >> skipped << (64 - taken));
    done += taken;
  }
  return set;
}

// The actions of a packed chunk, or every other one, one after the other.
class CodedActions {
 public:
  int num_rows;  // of the action, that are coded

  CodedActions(const PackedChunk& chunk, const PackedParts& parts, int first, int every)
      : shape_(chunk.shape),
        groups_(num_groups(shape_)),
        step_(parts.step),
        bits_(parts.bits),
        changes_(parts.changes),
        of_node_(chunk.values),
        skipped_(first),
        every_(every) {}

  // Moves to the next action; returns false at the end.
  bool next() {
    const bool is_begun = number_ > 0;
    for (int i = 0; i < skipped_; ++i) skip_action(is_begun && i == 0 ? num_changed_ : count_changed());
    skipped_ = every_;
    if (node_ == shape_.num_nodes) return false;
    num_changed_ = count_changed();
    num_rows = 0;
    bool has_hands = true;
    for (std::size_t i = 0; i < num_changed_; ++i) {
      num_rows += std::popcount(changes_[i]);
      has_hands &= changes_[i] != 0;
    }
    if (has_changes(groups_ - 1)) has_hands &= changes_[num_changed_ - 1] >> size_of(groups_ - 1) == 0;
    if (!has_hands) throw std::runtime_error("a packed chunk has changes where it has no hands");
    return true;
  }

  // Sets the values of all hands of the action, given its coded rows.
  void expand(const CodeRow* coded) const {
    if (shape_.lanes == kChunkLanes) return expand_rows(coded, [](int) { return kChunkLanes; });
    for (int row = 0; row < num_rows; ++row)
      if (std::any_of(coded[row].codes + shape_.lanes, coded[row].codes + kChunkLanes, [](auto x) { return x != 0; }))
        throw std::runtime_error("a packed chunk has more lanes than its shape");
    expand_rows(coded, [](int lanes) { return lanes; });
  }

 private:
  bool has_changes(int group) const {
    const std::size_t bit = number_ * groups_ + group;
    return bits_[bit / 8] >> bit % 8 & 1;
  }
  int size_of(int group) const { return std::min(kGroup, shape_.num_hands - group * kGroup); }
  std::ptrdiff_t stride_of_node() const { return std::ptrdiff_t(shape_.actions[node_]) * shape_.lanes; }

  // The groups of the action with changes.
  std::size_t count_changed() const {
    return node_ == shape_.num_nodes ? 0 : count_bits(bits_, number_ * groups_, groups_);
  }

  void skip_action(std::size_t num_changed) {
    if (node_ == shape_.num_nodes) return;
    changes_ += num_changed;
    ++number_;
    if (++action_ < shape_.actions[node_]) return;
    action_ = 0;
    of_node_ += stride_of_node() * shape_.num_hands;
    ++node_;
  }

  // `count_lanes`: a number that the compiler knows, where all lanes are there.
  template <class CountLanes>
  void expand_rows(const CodeRow* coded, CountLanes count_lanes) const {
    static constexpr CodeRow kZeros{};
    const CodeRow* row = &kZeros;
    const std::uint8_t* changes = changes_;
    const std::ptrdiff_t stride = stride_of_node();
    const int lanes = count_lanes(shape_.lanes);
    const float step = step_;  // a copy that no value overwrites
    float* values = of_node_ + action_ * shape_.lanes;
    for (int group = 0; group < groups_; ++group) {
      unsigned left = has_changes(group) ? *changes++ : 0;
      const int size = size_of(group);
      for (int i = 0; i < size; ++i, left >>= 1, values += stride) {
        row = left & 1 ? coded : row;  // without a branch, which would often be mispredicted
        coded += left & 1;
#ifdef __AVX512F__  // the compiler would convert eight values at a time, in several steps each
        if (lanes == kChunkLanes) {
          const __m256i codes = _mm256_load_si256(reinterpret_cast<const __m256i*>(row->codes));
          const __m512 wide = _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(codes));
          _mm512_storeu_ps(values, _mm512_mul_ps(wide, _mm512_set1_ps(step)));
          continue;
        }
#endif
        for (int lane = 0; lane < lanes; ++lane) values[lane] = float(row->codes[lane]) * step;
      }
    }
  }

  const ChunkShape& shape_;
  int groups_;
  float step_;
  const std::uint8_t *bits_, *changes_;  // changes: of the action
  float* of_node_;
  int node_ = 0, action_ = 0;
  int skipped_, every_;          // actions until the next one
  std::size_t num_changed_ = 0;  // groups of the action, once it is begun
  std::size_t number_ = 0;
};

// Decodes the rows of one stream.
class StreamDecoder {
 public:
  StreamDecoder(const PackedChunk& chunk, const PackedParts& parts, const StreamParts& streams, int stream)
      : actions_(chunk, parts, stream, kStreams),
        rows_(streams.begin[stream], streams.begin[stream + 1], chunk.model.slots(), tail_),
        coded_(std::make_unique_for_overwrite<CodeRow[]>(chunk.shape.num_hands)) {}

  // The number of rows left in the action; 0 at the end of the stream.
  int num_rows() {
    while (left_ == 0) {
      if (is_begun_) actions_.expand(coded_.get());
      is_begun_ = actions_.next();
      if (!is_begun_) return 0;
      next_ = coded_.get();
      left_ = actions_.num_rows;
      rows_.begin();
    }
    return left_;
  }

  // Decodes `num_rows` rows of every stream, side by side.
  template <std::size_t N>
  static void decode(const std::array<StreamDecoder*, N>& streams, int num_rows) {
    CodeRow* next[N];
    for (std::size_t s = 0; s < N; ++s) {
      next[s] = streams[s]->next_;
      streams[s]->next_ += num_rows;
      streams[s]->left_ -= num_rows;
    }
#ifdef __AVX512BW__
    if constexpr (N % 2 == 0) return decode_twos(streams, next, num_rows, std::make_index_sequence<N / 2>());
#endif
    RowDecoder rows[N];
    for (std::size_t s = 0; s < N; ++s) rows[s] = streams[s]->rows_;
    for (int i = 0; i < num_rows; ++i) {
#pragma GCC unroll 4
      for (std::size_t s = 0; s < N; ++s) rows[s].look_up();
#pragma GCC unroll 4
      for (std::size_t s = 0; s < N; ++s) rows[s].advance();
#pragma GCC unroll 4
      for (std::size_t s = 0; s < N; ++s) rows[s].take_sizes();
#pragma GCC unroll 4
      for (std::size_t s = 0; s < N; ++s) rows[s].finish(next[s][i]);
    }
    for (std::size_t s = 0; s < N; ++s) streams[s]->rows_ = rows[s];
  }

  void verify_end() const {
    if (!rows_.ends_well()) throw std::runtime_error("a packed chunk was damaged, or coded with another model");
  }

 private:
#ifdef __AVX512BW__
  // The same, with two streams in a vector.
  template <std::size_t N, std::size_t... Two>
  static void decode_twos(const std::array<StreamDecoder*, N>& streams, CodeRow* const (&next)[N], int num_rows,
                          std::index_sequence<Two...>) {
    TwoRowDecoder twos[] = {{streams[2 * Two]->rows_, streams[2 * Two + 1]->rows_}...};
    for (int i = 0; i < num_rows; ++i) {
      (twos[Two].look_up(), ...);
      (twos[Two].advance(), ...);
      (twos[Two].take_sizes(), ...);
      (twos[Two].finish(next[2 * Two][i], next[2 * Two + 1][i]), ...);
    }
    (twos[Two].leave(streams[2 * Two]->rows_, streams[2 * Two + 1]->rows_), ...);
  }
#endif

  CodedActions actions_;
  WordTail tail_;
  RowDecoder rows_;
  std::unique_ptr<CodeRow[]> coded_;  // of the action
  CodeRow* next_ = nullptr;
  int left_ = 0;
  bool is_begun_ = false;
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

void decode_fast(const PackedChunk& chunk, const PackedParts& parts) {
  std::size_t num_rows = 0;
  for (const std::uint8_t* byte = parts.changes; byte < parts.rows; ++byte) num_rows += std::popcount(*byte);
  if (num_rows != parts.head.count) throw std::runtime_error("a packed chunk has another number of rows");
  FastRowDecoder rows(parts.rows, parts.end, num_rows);
  const auto coded = std::make_unique_for_overwrite<CodeRow[]>(chunk.shape.num_hands);
  for (CodedActions actions(chunk, parts, 0, 1); actions.next();) {
    rows.decode(coded.get(), actions.num_rows);
    actions.expand(coded.get());
  }
  if (!rows.ends_well()) throw std::runtime_error("a packed chunk was damaged");
}

// Decodes the streams of `chunks` together with those of the chunks before, which have some.
template <std::size_t N>
void decode_together(std::span<const PackedChunk> chunks, const std::array<StreamDecoder*, N>& before) {
  if (chunks.empty()) {
    if constexpr (N > 0) decode_all(before);
    return;
  }
  const PackedChunk& chunk = chunks.front();
  if (chunk.size == 0) {
    std::memset(chunk.values, 0, chunk.shape.num_values() * sizeof *chunk.values);
    return decode_together(chunks.subspan(1), before);
  }
  const PackedParts parts(chunk);
  if (parts.head.coding == Coding::fast) {
    decode_fast(chunk, parts);
    return decode_together(chunks.subspan(1), before);
  }
  if constexpr (N < kStreams * kMostTogether) {
    const StreamParts of_streams(parts);
    StreamDecoder even(chunk, parts, of_streams, 0), odd(chunk, parts, of_streams, 1);
    std::array<StreamDecoder*, N + kStreams> streams{};
    *std::copy(before.begin(), before.end(), streams.begin()) = &even;
    streams.back() = &odd;
    decode_together(chunks.subspan(1), streams);
  } else {
    throw std::logic_error("more packed chunks than can be decoded together");
  }
}

}  // namespace

CodecScratch::CodecScratch() : fast(std::make_unique<FastRows>()) {}
CodecScratch::~CodecScratch() = default;

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
  int shift = units.least_shift;
  const std::size_t begin_of_chunk = out.size(), begin_of_bitmap = begin_of_chunk + sizeof(PackedHead);
  out.resize(begin_of_bitmap + bitmap_bytes(shape));
  std::uint8_t* const bitmap = out.data() + begin_of_bitmap;
  if (!make_rows(shape, values, units, shift, bitmap, scratch)) {
    shift = shift_of(shape, values, units);
    std::fill(bitmap, out.data() + out.size(), 0);
    make_rows(shape, values, units, shift, bitmap, scratch);
  }
  if (scratch.changes.empty()) return out.resize(begin_of_chunk);
  append(out, scratch.changes.data(), scratch.changes.size());
  out.resize(begin_of_chunk + whole_words(out.size() - begin_of_chunk));
  const auto set_head = [&](std::size_t count) {
    const PackedHead head{std::uint16_t(shift), units.coding, std::uint32_t(count)};
    std::memcpy(&out[begin_of_chunk], &head, sizeof head);
  };
  if (units.coding == Coding::fast) {
    set_head(scratch.fast->num_rows());
    return scratch.fast->append_to(out);
  }
  if (counts)
    for (const RowBuffer& rows : scratch.streams) rows.count(*counts);
  encode_rows(scratch.streams, model.symbols());
  set_head(scratch.streams[0].num_words());
  for (const RowBuffer& rows : scratch.streams) {
    append(out, rows.states, kChunkPairs);
    append(out, rows.first_word, rows.num_words());
  }
}

void decode_packed(std::span<const PackedChunk> chunks) { decode_together<0>(chunks, {}); }

}  // namespace errai
