#include "abstraction/pair_counts.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "threads.hpp"

namespace errai {
namespace {

constexpr std::size_t kTile = 128;

// Adds a tile to the totals, in both orders of the players, and clears it.
void flush(std::int64_t* tile, std::size_t first_row, std::size_t first_column, std::size_t num_buckets,
           std::int64_t* counts, std::int64_t* edges) {
  const std::size_t rows = std::min(kTile, num_buckets - first_row);
  const std::size_t columns = std::min(kTile, num_buckets - first_column);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      const std::int64_t both = tile[r * kTile + c];
      if (!both) continue;
      const std::int64_t edge = std::int32_t(std::uint32_t(both)), count = (both - edge) >> 32;
      const std::size_t at = (first_row + r) * num_buckets + first_column + c;
      counts[at] += count;
      edges[at] += edge;
      if (first_row != first_column) {
        const std::size_t mirrored = (first_column + c) * num_buckets + first_row + r;
        counts[mirrored] += count;
        edges[mirrored] -= edge;
      }
    }
  std::fill_n(tile, kTile * kTile, 0);
}

}  // namespace

void PairCounts::add(const std::int32_t* buckets, const std::int32_t* strengths, const std::uint64_t* cards,
                     const std::int64_t* weights, int num_threads, std::int64_t* counts, std::int64_t* edges) const {
  struct Hand {
    std::uint64_t cards;
    std::int32_t strength;
    std::int32_t place;  // of the bucket in its group
  };
  // The hands of each group of buckets, board after board, so that a tile reads two lists in order.
  const std::size_t groups = (num_buckets + kTile - 1) / kTile;
  std::vector<std::size_t> first(groups * num_boards + 1, 0);
  for (std::size_t i = 0; i < num_boards * num_hands; ++i) ++first[buckets[i] / kTile * num_boards + i / num_hands + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Hand> hands(num_boards * num_hands);
  for (std::size_t b = 0, i = 0; b < num_boards; ++b)
    for (std::size_t group = 0; group < groups; ++group)
      for (std::size_t to = first[group * num_boards + b]; to < first[group * num_boards + b + 1]; ++to, ++i)
        hands[to] = {cards[i], strengths[i], std::int32_t(buckets[i] % kTile)};
  for_each_in_threads(int(groups), num_threads, [&](int row_group, int) {
    std::vector<std::int64_t> tile(kTile * kTile, 0);
    for (std::size_t column_group = row_group; column_group < groups; ++column_group) {
      const auto add_to_totals = [&] {
        flush(tile.data(), row_group * kTile, column_group * kTile, num_buckets, counts, edges);
      };
      std::int64_t most = 0;  // in one place of the tile
      for (std::size_t b = 0; b < num_boards; ++b) {
        const std::size_t* const rows = first.data() + row_group * num_boards + b;
        const std::size_t* const columns = first.data() + column_group * num_boards + b;
        const std::int64_t here = weights[b] * std::int64_t((rows[1] - rows[0]) * (columns[1] - columns[0]));
        if (most + here >= kMostPerTile) {
          add_to_totals();
          most = 0;
        }
        most += here;
        const std::int64_t weight = weights[b], tie = weight << 32;
        for (const Hand* own = hands.data() + rows[0]; own < hands.data() + rows[1]; ++own) {
          const Hand held = *own;
          std::int64_t* const row = tile.data() + held.place * kTile;
          for (const Hand* other = hands.data() + columns[0]; other < hands.data() + columns[1]; ++other) {
            const std::int64_t meets = -std::int64_t((held.cards & other->cards) == 0);
            const std::int64_t sign = (held.strength > other->strength) - (held.strength < other->strength);
            row[other->place] += meets & (tie + sign * weight);
          }
        }
      }
      if (most) add_to_totals();
    }
  });
}

}  // namespace errai
