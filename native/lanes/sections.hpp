// Sections: the encoded values of a part of a tree.
//
// A section holds one player's values of the boards at and below one board of the tree's second round (a turn of a
// flop, with its rivers), or those of the root board alone:
//
//     count                 number of chunks, 32 bits
//     offset, size          of each chunk, 32 bits each, from the beginning of the section
//     chunks                codec/chunks.hpp, in the order in which they were made
//
// A chunk is one block of lanes on one board. It is found by its number: boards round by round and in order, blocks in
// order. An empty section, like an empty chunk, holds zeros.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "lanes/pass.hpp"

namespace errai {

using Bytes = std::span<const std::uint8_t>;

// Numbers the chunks of a section: that of a child of the root, or (kRoot) that of the root board alone.
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
  // Reserves the size of the previous version and an eighth more.
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

}  // namespace errai
