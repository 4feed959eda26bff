// How often two hands have given buckets on the last boards of a game, and how often the first of them wins.
#pragma once

#include <cstddef>
#include <cstdint>

namespace errai {

// For all boards, and all ordered pairs of hands of a board that share no card:
//
//     counts[bucket of the first][bucket of the second] += weight of the board
//     edges[...] += the same where the first is stronger, minus it where it is weaker
//
// The hands of a board are sorted by bucket. Pairs are counted in tiles of buckets that fit into a level 2 cache, as
// one number: count * 2^32 + edge. All sums are whole numbers, so that any number of threads gives the same result.
struct PairCounts {
  std::size_t num_boards, num_hands, num_buckets;
  // Of a board: weight * num_hands * num_hands must be below this.
  static constexpr std::int64_t kMostPerTile = std::int64_t(1) << 31;

  // buckets, strengths and cards (a bit per card) are [board][hand].
  void add(const std::int32_t* buckets, const std::int32_t* strengths, const std::uint64_t* cards,
           const std::int64_t* weights, int num_threads, std::int64_t* counts, std::int64_t* edges) const;
};

}  // namespace errai
