// How the regrets of one block of lanes on one board are stored on disk.
//
// A chunk holds, for each node of a player, [hand][action][lane] float32, none negative; hands are in order of
// strength. There are two formats, both empty if all values are zero:
//
//   plain    without loss: a bitmap of the values that are not zero, then these values
//   packed   in fixed point, floor(value * scale / 2^shift + rounding). A row is the codes of one hand and action. Over
//            half of the rows of regrets are that of the hand before, and take no further space or time. The others
//            are coded, in one of two ways:
//
//                shift    16 bits: the smallest with which every code fits into 15 bits, or a larger one that the
//                         encoder was asked for
//                coding   16 bits: 0 small, 1 fast
//                count    32 bits: small: number of words of the first stream; fast: number of coded rows
//                bits     one per node, action and group of eight hands: whether any row of the group differs from the
//                         row of the hand before; before the first hand there is a row of zeros
//                changes  for each group with such rows, in order, one byte: a bit for each of them
//            then, small: symbols (symbols.hpp) in an interleaved range asymmetric number system (rans.hpp):
//
//                stream   of the actions 0, 2, 4, ... in order: states, 32 bits for each of eight pairs of lanes (lanes
//                         that a chunk does not have are zero), then words, 16 bits each, with which the states are
//                         refilled, in the order in which a decoder needs them
//                stream   of the actions 1, 3, 5, ...
//
//            Most of the time a row waits for the row before it. Streams do not wait for each other. Or, fast
//            (fast_rows.hpp), which takes a third more space and half the time to decode:
//
//                masks    16 bits per coded row: the lanes that differ from the row before
//                widths   4 bits per coded row: how many bits the residual of each of these lanes takes; 15 for 16
//                bits     of these residuals, in order, then zeros: 16 bytes and what is left of the last byte
//
// All numbers are little-endian. A decoder ends with every state where an encoder began and with no word left;
// otherwise the chunk is damaged. It never reads or writes beyond the memory that it was given.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "codec/symbols.hpp"

namespace errai {

constexpr int kChunkLanes = 16;  // the most lanes of a chunk
constexpr int kChunkPairs = kChunkLanes / 2;
constexpr int kStreams = 2;

struct ChunkShape {
  int num_hands;
  int lanes;
  const int* actions;  // of each node
  int num_nodes;

  std::size_t num_values() const {
    std::size_t total = 0;
    for (int node = 0; node < num_nodes; ++node) total += actions[node];
    return total * num_hands * lanes;
  }
};

// Two words per pair, and one per escaped lane.
constexpr int kMostRowBytes = (2 * kChunkPairs + kChunkLanes) * 2;

// Space for the last words of a stream and for zeros behind them: each as many as a row can read.
using WordTail = std::array<std::uint8_t, 2 * kMostRowBytes>;

// The rows of a stream while it is encoded.
struct RowBuffer {
  std::vector<Item> items;             // eight per row
  std::vector<std::uint16_t> escaped;  // per row, one bit for each escaped lane
  std::vector<std::uint16_t> escapes;  // the codes of rows with escaped lanes, 16 per row
  std::vector<std::uint16_t> words;    // filled from the end
  std::vector<std::uint32_t> groups;   // the first row of each group of eight that has any
  alignas(32) std::uint32_t states[kChunkPairs];
  std::uint16_t* first_word;
  std::size_t num_rows, num_escapes;

  // Starts anew, with space for `most_rows` rows.
  void begin(std::size_t most_rows) {
    if (escaped.size() <= most_rows) {
      items.resize((most_rows + 1) * kChunkPairs);  // rows are made two at a time
      escaped.resize(most_rows + 1);
      escapes.resize(most_rows * kChunkLanes);
      words.resize(most_rows * kMostRowBytes / 2 + kChunkPairs);  // whole vectors of words are written
    }
    num_rows = num_escapes = 0;
    groups.clear();
  }
  Item* next_items() { return items.data() + num_rows * kChunkPairs; }
  void add(unsigned lanes_escaped, const void* codes) {
    escaped[num_rows++] = std::uint16_t(lanes_escaped);
    if (!lanes_escaped) return;
    std::memcpy(escapes.data() + num_escapes, codes, kChunkLanes * sizeof escapes[0]);
    num_escapes += kChunkLanes;
  }
  // `changes`: of the groups of the rows that are added next.
  void add_groups(std::span<const std::uint8_t> changes) {
    auto row = std::uint32_t(num_rows);
    for (const std::uint8_t change : changes) {
      groups.push_back(row);
      row += std::uint32_t(std::popcount(change));
    }
  }
  void count(SymbolCounts& counts) const {
    for (const std::size_t row : groups)
      for (int pair = 0; pair < kChunkPairs; ++pair) ++counts.seen[items[row * kChunkPairs + pair].index()];
  }
  std::size_t num_words() const { return words.data() + words.size() - first_word; }
};

// The codes of one hand and action.
struct alignas(32) CodeRow {
  std::int16_t codes[kChunkLanes];
};

// The rows of an action that differ from the row before them, and where they are.
struct RoundedAction {
  std::vector<CodeRow> rows;          // behind a row of zeros
  std::vector<std::uint8_t> changes;  // of the groups with such rows
  std::size_t num_rows, num_changes;

  // Starts anew, with space for all hands; returns where the first row goes.
  CodeRow* begin(std::size_t num_hands, std::size_t num_groups) {
    if (rows.size() < num_hands + 2) rows.resize(num_hands + 2);  // rows are read two at a time
    if (changes.size() < num_groups) changes.resize(num_groups);
    return rows.data() + 1;
  }
  void end(const CodeRow* row, const std::uint8_t* change) {
    num_rows = row - rows.data() - 1;
    num_changes = change - changes.data();
  }
};
constexpr int kMostRounded = 3;  // actions at a time

// How coded rows are written: in few bytes, or fast.
enum class Coding : std::uint16_t { small, fast };
constexpr Coding coding_of(bool is_fast) { return is_fast ? Coding::fast : Coding::small; }

class FastRows;

// What a thread keeps from chunk to chunk, so that nothing is allocated again.
struct CodecScratch {
  CodecScratch();
  ~CodecScratch();

  std::array<RowBuffer, kStreams> streams;
  std::array<RoundedAction, kMostRounded> rounded;
  std::vector<std::uint8_t> changes;
  std::unique_ptr<FastRows> fast;
};

// A packed chunk to decode, and where to put its values.
struct PackedChunk {
  ChunkShape shape;
  const std::uint8_t* data;
  std::size_t size;
  float scale;
  const SymbolModel& model;
  float* values;
};

// The units of fixed point that an encoder is asked for, 2^least_shift / scale, from which part of a unit on a value is
// rounded up (one half is to the nearest), and how the codes are written.
struct Units {
  float scale;
  int least_shift = 0;
  float rounding = 0.5f;  // added before a code is rounded down; from 0 to 1
  Coding coding = Coding::small;
};

// Encoders append to `out`. Decoders throw std::runtime_error if `data` is not a chunk of this shape.
void encode_plain(const ChunkShape& shape, const float* values, std::vector<std::uint8_t>& out);
void decode_plain(const ChunkShape& shape, const std::uint8_t* data, std::size_t size, float* values);

// `counts`, if given, counts the symbols of the first row of each group that has any. (The coding `fast` has none.)
void encode_packed(const ChunkShape& shape, const float* values, Units units, const SymbolModel& model,
                   SymbolCounts* counts, std::vector<std::uint8_t>& out, CodecScratch& scratch);

// Decodes up to kMostTogether chunks with the rows of all streams side by side, which takes less time than one after
// the other.
constexpr int kMostTogether = 3;
void decode_packed(std::span<const PackedChunk> chunks);
inline void decode_packed(const PackedChunk& chunk) { decode_packed({&chunk, 1}); }

}  // namespace errai
