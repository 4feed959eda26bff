// How the regrets of one block of lanes on one board are kept on disk.
//
// A chunk holds, for each node of a player, [hand][action][lane] float32, none negative; hands in order of strength.
// Two forms, both empty when everything is zero:
//
//   plain    without loss: a bitmap of the values that are not zero, then these values
//   packed   in fixed point, round(value * scale / 2^shift), as symbols (symbols.hpp) in an interleaved range
//            asymmetric number system (rans.hpp):
//
//                shift    32 bits: the least with which every code fits into 15 bits
//                count    32 bits: of the words of the first stream
//                bits     one for each node, action and eight hands: whether any value there is not zero
//                stream   of the actions 0, 2, 4, ... in order: states, 32 bits for each of eight pairs of lanes (lanes
//                         that a chunk does not have are zero), and words, 16 bits each: what the states run out of, in
//                         the order in which a decoder needs it
//                stream   of the actions 1, 3, 5, ...
//
//            A row waits for the one before it most of the time. Streams do not wait for each other.
//
// Numbers are little-endian. A decoder ends with every state where an encoder began and with no word left, or the chunk
// was damaged; it never reads or writes beyond what it was given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "symbols.hpp"

namespace errai {

constexpr int kChunkLanes = 16;  // the most that a chunk can have
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

// Two words a pair, and one for every lane that is escaped.
constexpr int kMostRowBytes = (2 * kChunkPairs + kChunkLanes) * 2;

// Room for the last words of a stream and for zeros behind them: each as many as a row can read.
using WordTail = std::array<std::uint8_t, 2 * kMostRowBytes>;

// The rows of a stream while it is encoded.
struct RowBuffer {
  std::vector<Item> items;             // eight a row
  std::vector<std::uint16_t> escaped;  // a bit for each lane of a row that is escaped
  std::vector<std::uint16_t> escapes;  // the codes of rows with such lanes, 16 a row
  std::vector<std::uint16_t> words;    // filled from the end
  std::vector<std::uint32_t> groups;   // the first row of each eight
  alignas(32) std::uint32_t states[kChunkPairs];
  std::uint16_t* first_word;
  std::size_t num_rows, num_escapes;

  // With room for so many rows.
  void begin(std::size_t most_rows) {
    if (escaped.size() < most_rows) {
      items.resize(most_rows * kChunkPairs);
      escaped.resize(most_rows);
      escapes.resize(most_rows * kChunkLanes);
      words.resize(most_rows * kMostRowBytes / 2 + kChunkPairs);  // vectors of words are written whether all are needed
    }
    num_rows = num_escapes = 0;
    groups.clear();
  }
  void begin_group() { groups.push_back(std::uint32_t(num_rows)); }
  Item* next_items() { return items.data() + num_rows * kChunkPairs; }
  void add(unsigned lanes_escaped, const void* codes) {
    escaped[num_rows++] = std::uint16_t(lanes_escaped);
    if (!lanes_escaped) return;
    std::memcpy(escapes.data() + num_escapes, codes, kChunkLanes * sizeof escapes[0]);
    num_escapes += kChunkLanes;
  }
  void count(SymbolCounts& counts) const {
    for (const std::size_t row : groups)
      for (int pair = 0; pair < kChunkPairs; ++pair) ++counts.seen[items[row * kChunkPairs + pair].index()];
  }
  std::size_t num_words() const { return words.data() + words.size() - first_word; }
};

// What a thread keeps from chunk to chunk, so that nothing is allocated.
struct CodecScratch {
  std::array<RowBuffer, kStreams> streams;
};

// A packed chunk that is to be decoded, and where to.
struct PackedChunk {
  ChunkShape shape;
  const std::uint8_t* data;
  std::size_t size;
  float scale;
  const SymbolModel& model;
  float* values;
};

// Encoders append to `out`. Decoders throw std::runtime_error where `data` is no chunk of this shape.
void encode_plain(const ChunkShape& shape, const float* values, std::vector<std::uint8_t>& out);
void decode_plain(const ChunkShape& shape, const std::uint8_t* data, std::size_t size, float* values);

// `counts`, if any, takes in the first hand of each eight.
void encode_packed(const ChunkShape& shape, const float* values, float scale, const SymbolModel& model,
                   SymbolCounts* counts, std::vector<std::uint8_t>& out, CodecScratch& scratch);
void decode_packed(const PackedChunk& chunk);

// Two chunks, with rows of all four streams beside each other, which takes less time than one after the other.
void decode_packed_pair(const PackedChunk& first, const PackedChunk& second);

// 64 bits of a file's contents. Every step is a bijection, so that no single damaged byte goes unseen.
std::uint64_t checksum(const std::uint8_t* data, std::size_t size);

}  // namespace errai
