// A source of values for a pass: sections of bytes. Every block of lanes is decoded when the pass reaches it, and
// encoded again when the pass has changed it. A block that the opponent never reaches is neither decoded nor encoded:
// its chunk is copied, unless the new version of the file has another model of symbols.
#pragma once

#include <array>
#include <initializer_list>
#include <vector>

#include "codec/chunks.hpp"
#include "lanes/pass.hpp"
#include "lanes/round_tables.hpp"
#include "lanes/sections.hpp"

namespace errai {

// The shape of a player's chunk; `actions` owns what it points to.
inline ChunkShape chunk_shape(const LaneTree& tree, int player, const Place& place, std::vector<int>& actions) {
  const Round& round = tree.rounds[place.round];
  actions.clear();
  const LaneBlock& block = round.blocks[place.block];
  for (const BettingNode& node : round.shapes[block.shape].nodes)
    if (node.player == player) actions.push_back(node.num_actions);
  return {round.boards[place.board].num_hands[player], block.num_lanes, actions.data(), int(actions.size())};
}

// How one array of a file is encoded: without loss where the scale of a round is 0, else in fixed point.
struct ArrayCodec {
  std::vector<float> scales;  // one per round of the tree
  SymbolModel read_model;
  SymbolModel write_model;
  bool keeps_model;  // whether both are the same
  bool counts_symbols;
  int least_shift;  // of what is written in fixed point
  float rounding;   // the same
  Coding coding;    // the same
};

// The arrays of a pass.
enum ArrayKind { kOwn, kOpponent, kAverage, kNumArrays };

struct EncodedJob {
  const LaneTree* tree;
  Mode mode;
  int player;
  const ArrayCodec* codecs[kNumArrays];  // null where there is no such array

  int owner(ArrayKind kind) const { return kind == kOwn ? player : 1 - player; }
  bool reads(ArrayKind kind) const {
    if (kind == kOwn) return mode != Mode::best_response;
    return codecs[kind] != nullptr;
  }
  bool writes(ArrayKind kind) const { return mode == Mode::update && kind != kOpponent && codecs[kind] != nullptr; }
};

// Buffers for the values of one block of the last round and of one board of every other round, and for the codec.
class EncodedBuffers {
 public:
  EncodedBuffers(const EncodedJob& job, int first_round) : first_round_(first_round) {
    const auto& rounds = job.tree->rounds;
    for (std::size_t r = first_round; r < rounds.size(); ++r) {
      for (int kind = 0; kind < kNumArrays; ++kind) {
        const int owner = job.owner(ArrayKind(kind));
        int most_hands = 0;
        for (const Board& board : rounds[r].boards) most_hands = std::max(most_hands, board.num_hands[owner]);
        const bool used = job.reads(ArrayKind(kind));
        arrays_.emplace_back(used ? most_hands * values_per_hand(rounds[r], owner) + kSpare : 0);
      }
      if (first_round == 0) break;  // the root board alone
    }
  }
  float* at(int round, ArrayKind kind) { return arrays_[(round - first_round_) * kNumArrays + kind].data; }
  CodecScratch codec;
  std::vector<PackedChunk> chunks;  // to decode

 private:
  // That are kept at the same time: those of the largest block of the last round, of all blocks of another.
  static std::size_t values_per_hand(const Round& round, int player) {
    if (!round.is_last) return round.num_values[player];
    std::size_t most = 0;
    for (const LaneBlock& block : round.blocks)
      most = std::max(most, std::size_t(block.num_lanes) * round.shapes[block.shape].num_actions[player]);
    return most;
  }

  int first_round_;
  std::vector<Aligned<float>> arrays_;
};

// The source of a pass over one section; memory_source.hpp says what a source is.
class EncodedSource {
 public:
  static constexpr bool kSharesRows = false;

  EncodedSource(const EncodedJob& job, int child, const std::array<Bytes, kNumArrays>& sections,
                EncodedBuffers& buffers)
      : job_(job), map_(*job.tree, child), buffers_(buffers) {
    for (int kind = 0; kind < kNumArrays; ++kind) {
      readers_.emplace_back(sections[kind], map_.num_chunks());
      const bool writes = job.writes(ArrayKind(kind));
      writers_.emplace_back(writes ? map_.num_chunks() : 0, writes ? sections[kind].size() : 0);
    }
  }

  PassViews<float> load(const Place& place) {
    decode(place, {kOwn, kOpponent, kAverage});
    return loaded(place);
  }

  PassViews<float> loaded(const Place& place) {
    const auto view = [&](ArrayKind kind) -> LaneView<float> {
      if (!job_.reads(kind)) return {};
      return {at(place, kind), nullptr};
    };
    return {view(kOpponent), view(kAverage), view(kOwn), view(kOwn)};
  }

  EncodedSource& for_thread(int) { return *this; }

  void store(const Place& place) {
    for (int kind = 0; kind < kNumArrays; ++kind)
      if (job_.writes(ArrayKind(kind))) encode(place, ArrayKind(kind));
  }

  void keep(const Place& place) {
    const int number = map_.chunk(place);
    for (int kind = 0; kind < kNumArrays; ++kind) {
      if (!job_.writes(ArrayKind(kind))) continue;
      if (!job_.codecs[kind]->keeps_model && job_.codecs[kind]->scales[place.round] != 0) {
        decode(place, {ArrayKind(kind)});
        encode(place, ArrayKind(kind));
        continue;
      }
      const Bytes chunk = readers_[kind].chunk(number);
      writers_[kind].write(number, [&](auto& bytes) { bytes.insert(bytes.end(), chunk.begin(), chunk.end()); });
    }
  }

  std::vector<std::uint8_t> finish(ArrayKind kind) { return writers_[kind].finish(); }
  const SymbolCounts& counts(ArrayKind kind) const { return counts_[kind]; }

 private:
  // Where the values of a block are: the last round has a buffer for one block, the others for a board.
  float* at(const Place& place, ArrayKind kind) {
    const Round& round = job_.tree->rounds[place.round];
    const std::size_t before = round.is_last ? 0 : round.blocks[place.block].values_before[job_.owner(kind)];
    return buffers_.at(place.round, kind) + before * round.boards[place.board].num_hands[job_.owner(kind)];
  }

  ChunkShape shape(const Place& place, ArrayKind kind) {
    return chunk_shape(*job_.tree, job_.owner(kind), place, actions_[kind]);
  }

  // Packed chunks are decoded together.
  void decode(const Place& place, std::initializer_list<ArrayKind> kinds) {
    static_assert(kNumArrays <= kMostTogether);
    std::vector<PackedChunk>& chunks = buffers_.chunks;
    chunks.clear();
    for (const ArrayKind kind : kinds) {
      if (!job_.reads(kind)) continue;
      const Bytes bytes = readers_[kind].chunk(map_.chunk(place));
      const ArrayCodec& codec = *job_.codecs[kind];
      const float scale = codec.scales[place.round];
      if (scale == 0)
        decode_plain(shape(place, kind), bytes.data(), bytes.size(), at(place, kind));
      else
        chunks.push_back({shape(place, kind), bytes.data(), bytes.size(), scale, codec.read_model, at(place, kind)});
    }
    decode_packed(chunks);
  }

  void encode(const Place& place, ArrayKind kind) {
    const ArrayCodec& codec = *job_.codecs[kind];
    const int number = map_.chunk(place);
    const float scale = codec.scales[place.round];
    writers_[kind].write(number, [&](auto& bytes) {
      if (scale == 0)
        encode_plain(shape(place, kind), at(place, kind), bytes);
      else
        encode_packed(shape(place, kind), at(place, kind), {scale, codec.least_shift, codec.rounding, codec.coding},
                      codec.write_model, codec.counts_symbols ? &counts_[kind] : nullptr, bytes, buffers_.codec);
    });
  }

  const EncodedJob& job_;
  SectionMap map_;
  EncodedBuffers& buffers_;
  std::vector<SectionReader> readers_;
  std::vector<SectionWriter> writers_;
  std::vector<int> actions_[kNumArrays];
  SymbolCounts counts_[kNumArrays];
};

}  // namespace errai
