#include "abstraction/joint.hpp"

namespace errai {

void JointCounts::add(const std::int32_t* buckets, const std::uint16_t* labels, const std::uint64_t* weights,
                      std::uint64_t* counts) const {
  for (std::size_t h = 0; h < num_hands; ++h) {
    for (std::size_t order = 0; order < num_orders; ++order) {
      const std::int32_t bucket = buckets[order * num_hands + h];
      if (bucket < 0) break;  // the hand shares a card with the board, in whichever order it was dealt
      std::uint64_t* row = counts + static_cast<std::size_t>(bucket) * num_labels;
      for (std::size_t b = 0; b < num_boards; ++b) {
        const std::uint16_t label = labels[b * num_hands + h];
        if (label != blocked) row[label] += weights[b];
      }
    }
  }
}

}  // namespace errai
