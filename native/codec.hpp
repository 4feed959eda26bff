// How the regrets of one block of lanes on one board are kept on disk.
//
// A chunk holds, for each node of a player, [hand][action][lane] float32, none negative; hands in order of strength.
// Two forms, both empty when everything is zero:
//
//   plain    without loss: a bitmap of the values that are not zero, then these values
//   packed   in fixed point, round(value * scale), as symbols (symbols.hpp) in an interleaved range asymmetric number
//            system (rans.hpp):
//
//                bits     one for each node, action and eight hands: whether any value there is not zero
//                states   32 bits a lane
//                words    16 bits each: what the states run out of, in the order in which a decoder needs it
//
// Numbers are little-endian. A decoder ends with every state where an encoder began and with no word left, or the chunk
// was damaged; it never reads or writes beyond what it was given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "symbols.hpp"

namespace errai {

constexpr int kChunkLanes = 16;  // the most that a chunk can have

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

// Room for the last words of a chunk and for zeros behind them: each as many as a row can read.
using WordTail = std::array<std::uint8_t, 2 * 4 * kChunkLanes>;

// What a thread keeps from chunk to chunk, so that nothing is allocated.
struct CodecScratch {
  std::vector<std::uint8_t> above[2];  // the symbols of the action before, 16 a hand; two where chunks are a pair
  std::vector<std::uint16_t> items;    // encoding: context, symbol and quick bits, 16 a row
  std::vector<std::uint16_t> rare;     // encoding: a bit for each lane of a row with more than quick bits
  std::vector<std::uint32_t> rest;     // encoding: what rows with such lanes have beside the quick bits, 16 a row
  std::vector<std::uint16_t> words;    // encoding: filled from the end
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

// Values from 2^31 / scale on are kept as the largest code there is. `counts` takes in the first hand of each eight.
void encode_packed(const ChunkShape& shape, const float* values, float scale, const SymbolModel& model,
                   SymbolCounts& counts, std::vector<std::uint8_t>& out, CodecScratch& scratch);
void decode_packed(const PackedChunk& chunk, CodecScratch& scratch);

// Two chunks of as many lanes, a row of one beside a row of the other: a row waits for the one before it most of the
// time, and so the two take a fifth less time than one after the other.
void decode_packed_pair(const PackedChunk& first, const PackedChunk& second, CodecScratch& scratch);

// 64 bits of a file's contents. Every step is a bijection, so that no single damaged byte goes unseen.
std::uint64_t checksum(const std::uint8_t* data, std::size_t size);

}  // namespace errai
