// Indexes hands up to a relabelling of suits, without gaps, after Waugh, "A Fast and Optimal Hand Isomorphism
// Algorithm" (2013). A hand is dealt over rounds; the cards of one round have no order.
//
//   1. The cards of a suit: in each round a set of ranks among those that the suit has left. Ranks are counted without
//   those
//      already dealt, sets of a given size in colexicographic order: v = sum over the ranks of the set of C(rank,
//      position). The value of the suit is these v in mixed radix, with the digit of the first round the lowest.
//   2. The number of cards of each suit in each round is the pattern of the deal. Patterns that differ by a relabelling
//   of
//      suits are one configuration, whose suits are in the order of their counts.
//   3. Suits with the same counts are interchangeable, so their values are a multiset: values y1 <= y2 <= ... have
//   index
//      C(y1, 1) + C(y2 + 1, 2) + C(y3 + 2, 3) + ...
//   4. The index of the hand is the offset of the configuration plus the indices of its groups of like suits in mixed
//   radix.
//
// A card = rank * num_suits + suit. There are at most `kMaxCards` cards in all, so that every intermediate fits 64
// bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace errai {

class HandIndexer {
 public:
  static constexpr int kMaxSuits = 4, kMaxRanks = 13, kMaxCards = 9;

  HandIndexer(int num_ranks, int num_suits, const std::vector<int>& cards_per_round);

  int num_rounds() const { return static_cast<int>(rounds_.size()); }
  int num_cards(int round) const;  // of all rounds up to and including `round`
  int deck_size() const { return num_ranks_ * num_suits_; }

  // The number of different hands at the end of `round`.
  std::uint64_t size(int round) const { return rounds_[round].size; }

  // `cards` are all cards up to and including `round`, in the order of the rounds; all different.
  std::uint64_t index(const std::uint8_t* cards, int round) const;

  // Writes the hand with the given index: one that represents all its relabellings; the cards of a round ascend.
  void unindex(std::uint64_t index, int round, std::uint8_t* cards) const;

 private:
  using Counts = std::array<std::uint8_t, kMaxCards>;  // of one suit, by round

  // What follows from the counts alone, at the end of a round.
  struct Pattern {
    std::array<std::uint32_t, kMaxSuits> values{1, 1, 1,
                                                1};  // how many values each suit can take: the radix of the next digit
    std::uint32_t configuration = 0;
    std::array<std::uint8_t, kMaxSuits> order{};  // the suits in the configuration's order
  };

  // What follows from the counts up to a relabelling. Places are suits in descending order of their counts; places with
  // the same counts are a group, and `position` 1, 2, ... counts the places in a group.
  struct Configuration {
    std::array<std::uint64_t, kMaxSuits> group_key{};  // added to a value, keeps the groups apart when all are sorted
    std::array<std::uint64_t, kMaxSuits>
        weight{};  // of the index of the group: the product of the sizes of earlier groups
    std::array<std::uint8_t, kMaxSuits> position{};
    std::array<Counts, kMaxSuits> counts{};
  };

  struct Round {
    int cards = 0;
    std::uint64_t size = 0;
    std::array<std::uint32_t, kMaxSuits> suit_weight{};  // the sum over the round's cards is the key of its counts
    std::vector<std::uint32_t> composition;  // of that key; the digit of this round in the index of the pattern
    std::uint32_t num_compositions = 0;
    std::vector<Pattern> patterns;
    std::vector<Configuration> configurations;
    std::vector<std::uint64_t> offsets;          // of the configurations, ascending, and the end of the last
    std::vector<std::uint32_t> first_in_bucket;  // configuration of the first index with these leading bits
    int bucket_shift = 0;
  };

  void add_round(int cards);
  void add_configuration(const std::array<Counts, kMaxSuits>& sorted_counts, Round& round) const;
  std::uint32_t num_values(const Counts& counts) const;  // 0 if a suit does not have that many ranks
  std::uint32_t binomial(int n, int k) const { return binomial_[n][k]; }

  int num_ranks_, num_suits_;
  std::array<std::array<std::uint32_t, kMaxRanks + 1>, kMaxRanks + 1> binomial_{};
  std::vector<std::vector<std::uint16_t>> rank_sets_;          // [size][colexicographic number]
  std::vector<std::array<Counts, kMaxSuits>> pattern_counts_;  // of the last round's patterns
  Pattern before_first_;
  std::vector<Round> rounds_;
  std::array<std::uint8_t, 64> rank_{}, suit_{};
  std::array<std::uint64_t, 64> bit_{}, below_{};  // as in CardSet; all lower cards of the same suit
};

}  // namespace errai
