// A tree whose numbers do not fit into memory: every block of lanes is decoded when a walk comes to it, and encoded again
// when the walk has changed it.
//
// A *section* holds one player's numbers of the boards below one board of the tree's second round (a turn of a flop, with
// its rivers), or of the root board alone:
//
//     count                 of its chunks, 32 bits
//     offset, size          of each chunk, 32 bits each, from the beginning of the section
//     chunks                codec.hpp; the order is that in which they were made
//
// A chunk is one block of lanes on one board; it is found by its number, boards round by round and in order. A section
// of no bytes, like a chunk of no bytes, holds zeros. A block where the opponent never comes is neither decoded nor
// encoded: its chunk is copied, unless the new version of the file has another model of symbols.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "codec.hpp"
#include "walk.hpp"

namespace errai {

using Bytes = std::span<const std::uint8_t>;

// Numbers the chunks of a section: that of a child of the root, or (kRoot) of the root board alone.
class SectionMap {
 public:
  static constexpr int kRoot = -1;

  SectionMap(const LaneTree& tree, int child) : first_round_(child == kRoot ? 0 : 1) {
    int first = child == kRoot ? 0 : child, count = 1;
    for (std::size_t r = first_round_; r < tree.rounds.size(); ++r) {
      const Round& round = tree.rounds[r];
      levels_.push_back({first, num_chunks_, int(round.blocks.size())});
      num_chunks_ += count * int(round.blocks.size());
      if (child == kRoot || round.is_last) break;
      const Board& last = round.boards[first + count - 1];
      first = round.boards[first].first_child;
      count = last.first_child + last.num_children - first;
    }
  }

  int num_chunks() const { return num_chunks_; }
  int chunk(const Place& place) const {
    const Level& level = levels_[place.round - first_round_];
    return level.first_chunk + (place.board - level.first_board) * level.num_blocks + place.block;
  }

 private:
  struct Level {
    int first_board;
    int first_chunk;
    int num_blocks;
  };
  int first_round_;
  std::vector<Level> levels_;
  int num_chunks_ = 0;
};

struct ChunkEntry {
  std::uint32_t offset;
  std::uint32_t size;
};

class SectionReader {
 public:
  SectionReader(Bytes bytes, int num_chunks) : bytes_(bytes) {
    if (bytes.empty()) return;
    const std::size_t head = head_bytes(num_chunks);
    std::uint32_t count = 0;
    if (bytes.size() >= head) std::memcpy(&count, bytes.data(), sizeof count);
    if (bytes.size() < head || count != std::uint32_t(num_chunks))
      throw std::runtime_error("a section does not belong to its board");
    entries_.resize(num_chunks);
    std::memcpy(entries_.data(), bytes.data() + sizeof count, num_chunks * sizeof(ChunkEntry));
    for (const ChunkEntry& entry : entries_)
      if (std::size_t(entry.offset) + entry.size > bytes.size()) throw std::runtime_error("a section is cut off");
  }

  Bytes chunk(int number) const {
    if (entries_.empty()) return {};
    return bytes_.subspan(entries_[number].offset, entries_[number].size);
  }

  static std::size_t head_bytes(int num_chunks) {
    return sizeof(std::uint32_t) + std::size_t(num_chunks) * sizeof(ChunkEntry);
  }

 private:
  Bytes bytes_;
  std::vector<ChunkEntry> entries_;
};

class SectionWriter {
 public:
  // With room for what the version before took, and an eighth more.
  SectionWriter(int num_chunks, std::size_t bytes_before)
      : bytes_(SectionReader::head_bytes(num_chunks)), entries_(num_chunks) {
    bytes_.reserve(bytes_before + bytes_before / 8);
  }

  // `append` adds the bytes of a chunk to a vector.
  template <class Append>
  void write(int number, Append&& append) {
    const std::size_t begin = bytes_.size();
    append(bytes_);
    if (bytes_.size() > std::numeric_limits<std::uint32_t>::max()) throw std::runtime_error("a section exceeds 4 GiB");
    entries_[number] = {std::uint32_t(begin), std::uint32_t(bytes_.size() - begin)};
  }

  std::vector<std::uint8_t> finish() {
    const std::uint32_t count = std::uint32_t(entries_.size());
    std::memcpy(bytes_.data(), &count, sizeof count);
    std::memcpy(bytes_.data() + sizeof count, entries_.data(), entries_.size() * sizeof(ChunkEntry));
    return std::move(bytes_);
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<ChunkEntry> entries_;
};

// The shape of a player's chunk; `actions` keeps what it points to.
inline ChunkShape chunk_shape(const LaneTree& tree, int player, const Place& place, std::vector<int>& actions) {
  const Round& round = tree.rounds[place.round];
  actions.clear();
  for (const BettingNode& node : round.nodes)
    if (node.player == player) actions.push_back(node.num_actions);
  const LaneBlock& block = round.blocks[place.block];
  return {round.boards[place.board].num_hands, std::min(block.width, round.num_lanes - block.first_lane),
          actions.data(), int(actions.size())};
}

// How one array of a file is coded: as it is where a round's scale is 0, else in fixed point.
struct ArrayCodec {
  std::vector<float> scales;  // one a round of the tree
  SymbolModel read_model;
  SymbolModel write_model;
  bool keeps_model;  // whether both are the same
  bool is_counted;   // whether symbols are
};

// Which of a pass's arrays an array is.
enum ArrayKind { kOwn, kOpponent, kAverage, kNumArrays };

struct StreamedJob {
  const LaneTree* tree;
  Mode mode;
  int player;
  const ArrayCodec* codecs[kNumArrays];  // null: there is no such array

  int owner(ArrayKind kind) const { return kind == kOwn ? player : 1 - player; }
  bool reads(ArrayKind kind) const {
    if (kind == kOwn) return mode != Mode::best_response;
    return codecs[kind] != nullptr;
  }
  bool writes(ArrayKind kind) const { return mode == Mode::update && kind != kOpponent && codecs[kind] != nullptr; }
};

// Room for the numbers of one block of the last round and of one board of every other round, and for the codec.
class StreamedBuffers {
 public:
  StreamedBuffers(const StreamedJob& job, int first_round) : first_round_(first_round) {
    const auto& rounds = job.tree->rounds;
    for (std::size_t r = first_round; r < rounds.size(); ++r) {
      int most_hands = 0;
      for (const Board& board : rounds[r].boards) most_hands = std::max(most_hands, board.num_hands);
      const int lanes = rounds[r].is_last ? rounds[r].blocks.front().width : rounds[r].num_lanes;
      for (int kind = 0; kind < kNumArrays; ++kind) {
        const bool used = job.reads(ArrayKind(kind));
        const std::size_t actions = rounds[r].num_actions[job.owner(ArrayKind(kind))];
        arrays_.emplace_back(used ? most_hands * actions * lanes + kSpare : 0);
      }
      if (first_round == 0) break;  // the root board alone
    }
  }
  float* at(int round, ArrayKind kind) { return arrays_[(round - first_round_) * kNumArrays + kind].data; }
  CodecScratch codec;

 private:
  int first_round_;
  std::vector<Aligned<float>> arrays_;
};

// The source of a walk over one section (pass.hpp).
class Streamed {
 public:
  Streamed(const StreamedJob& job, int child, const std::array<Bytes, kNumArrays>& sections, StreamedBuffers& buffers)
      : job_(job), map_(*job.tree, child), buffers_(buffers) {
    for (int kind = 0; kind < kNumArrays; ++kind) {
      readers_.emplace_back(sections[kind], map_.num_chunks());
      const bool writes = job.writes(ArrayKind(kind));
      writers_.emplace_back(writes ? map_.num_chunks() : 0, writes ? sections[kind].size() : 0);
    }
  }

  PassNumbers<float> load(const Place& place) {
    if (is_packed(place, kOwn) && is_packed(place, kOpponent)) {
      decode_packed_pair(packed(place, kOwn), packed(place, kOpponent));
    } else {
      decode(place, kOwn);
      decode(place, kOpponent);
    }
    decode(place, kAverage);
    return loaded(place);
  }

  PassNumbers<float> loaded(const Place& place) {
    const auto numbers = [&](ArrayKind kind) -> Numbers<float> {
      if (!job_.reads(kind)) return {};
      return {at(place, kind), nullptr};
    };
    return {numbers(kOpponent), numbers(kAverage), numbers(kOwn), numbers(kOwn)};
  }

  void store(const Place& place) {
    for (int kind = 0; kind < kNumArrays; ++kind)
      if (job_.writes(ArrayKind(kind))) encode(place, ArrayKind(kind));
  }

  void keep(const Place& place) {
    const int number = map_.chunk(place);
    for (int kind = 0; kind < kNumArrays; ++kind) {
      if (!job_.writes(ArrayKind(kind))) continue;
      if (!job_.codecs[kind]->keeps_model && job_.codecs[kind]->scales[place.round] != 0) {
        decode(place, ArrayKind(kind));
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
  // Where a block's numbers stand: the last round has room for one block, the others for a board.
  float* at(const Place& place, ArrayKind kind) {
    const Round& round = job_.tree->rounds[place.round];
    const std::size_t before = round.is_last ? 0 : round.blocks[place.block].first_lane;
    const std::size_t lane_size =
        std::size_t(round.boards[place.board].num_hands) * round.num_actions[job_.owner(kind)];
    return buffers_.at(place.round, kind) + before * lane_size;
  }

  ChunkShape shape(const Place& place, ArrayKind kind) {
    return chunk_shape(*job_.tree, job_.owner(kind), place, actions_[kind]);
  }

  bool is_packed(const Place& place, ArrayKind kind) const {
    return job_.reads(kind) && job_.codecs[kind]->scales[place.round] != 0;
  }

  PackedChunk packed(const Place& place, ArrayKind kind) {
    const ArrayCodec& codec = *job_.codecs[kind];
    const Bytes chunk = readers_[kind].chunk(map_.chunk(place));
    return {shape(place, kind), chunk.data(), chunk.size(), codec.scales[place.round], codec.read_model,
            at(place, kind)};
  }

  void decode(const Place& place, ArrayKind kind) {
    if (!job_.reads(kind)) return;
    if (is_packed(place, kind)) return decode_packed(packed(place, kind));
    const Bytes chunk = readers_[kind].chunk(map_.chunk(place));
    decode_plain(shape(place, kind), chunk.data(), chunk.size(), at(place, kind));
  }

  void encode(const Place& place, ArrayKind kind) {
    const ArrayCodec& codec = *job_.codecs[kind];
    const int number = map_.chunk(place);
    const float scale = codec.scales[place.round];
    writers_[kind].write(number, [&](auto& bytes) {
      if (scale == 0)
        encode_plain(shape(place, kind), at(place, kind), bytes);
      else
        encode_packed(shape(place, kind), at(place, kind), scale, codec.write_model,
                      codec.is_counted ? &counts_[kind] : nullptr, bytes, buffers_.codec);
    });
  }

  const StreamedJob& job_;
  SectionMap map_;
  StreamedBuffers& buffers_;
  std::vector<SectionReader> readers_;
  std::vector<SectionWriter> writers_;
  std::vector<int> actions_[kNumArrays];
  SymbolCounts counts_[kNumArrays];
};

}  // namespace errai
