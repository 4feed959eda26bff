// How often hands have a label now and a bucket before.
#pragma once

#include <cstddef>
#include <cstdint>

namespace errai {

// counts[bucket before][label] += weight, for every hand, every way in which the board before was dealt, and every
// board that can follow. buckets[order][hand] is -1 and labels[board][hand] is `blocked` where a hand shares a card
// with the board.
struct JointCounts {
  std::size_t num_hands, num_orders, num_boards, num_labels;
  std::uint16_t blocked;
  void add(const std::int32_t* buckets, const std::uint16_t* labels, const std::uint64_t* weights,
           std::uint64_t* counts) const;
};

}  // namespace errai
