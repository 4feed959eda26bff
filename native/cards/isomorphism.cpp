#include "cards/isomorphism.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>

#include "cards/strength.hpp"

namespace errai {
namespace {

// A search begins at the first configuration of a bucket of indices: most configurations are wider than a bucket.
constexpr int kBucketBits = 12;

// Above every value that a suit can take: 13! is less.
constexpr std::uint64_t kGroupKey = std::uint64_t{1} << 40;

// C(y + k - 1, k): the number of multisets of k values below y. All four cases are computed, because a branch would
// often be mispredicted.
std::uint64_t num_multisets(std::uint64_t y, int k) {
  std::uint64_t counts[5] = {1, y};
  counts[2] = y * (y + 1) / 2;
  counts[3] = counts[2] * (y + 2) / 3;
  counts[4] = counts[3] * (y + 3) / 4;
  return counts[k];
}

// The largest y with num_multisets(y, k) <= number.
std::uint64_t largest_value(std::uint64_t number, int k) {
  if (k == 1) return number;
  const double scaled = static_cast<double>(number) * (k == 2 ? 2 : k == 3 ? 6 : 24);
  const double root = k == 2 ? std::sqrt(scaled) : k == 3 ? std::cbrt(scaled) : std::sqrt(std::sqrt(scaled));
  // num_multisets(y, k) lies between y^k / k! and (y + k)^k / k!, so the root is at most k + 1 too high.
  std::uint64_t y = static_cast<std::uint64_t>(root) + 1;
  while (num_multisets(y, k) > number) --y;
  return y;
}

// Converts `ranks`, counted without the ranks in `used`, back to ranks among all.
std::uint32_t among_all(std::uint32_t ranks, std::uint32_t used) {
  for (; used != 0; used &= used - 1) {
    const std::uint32_t below = (used & -used) - 1;
    ranks = (ranks & below) | ((ranks & ~below) << 1);
  }
  return ranks;
}

}  // namespace

HandIndexer::HandIndexer(int num_ranks, int num_suits, const std::vector<int>& cards_per_round)
    : num_ranks_(num_ranks), num_suits_(num_suits), pattern_counts_(1) {
  if (num_ranks < 1 || num_ranks > kMaxRanks || num_suits < 1 || num_suits > kMaxSuits)
    throw std::invalid_argument("a deck has 1 to 13 ranks and 1 to 4 suits");
  int total = 0;
  for (const int cards : cards_per_round) {
    if (cards < 1 || cards > kMaxCards - total) throw std::invalid_argument("the rounds deal 1 to 9 cards in all");
    total += cards;
  }
  if (cards_per_round.empty() || total > deck_size())
    throw std::invalid_argument("there is at least one round, and its cards fit in the deck");
  for (int n = 0; n <= kMaxRanks; ++n) {
    binomial_[n][0] = 1;
    for (int k = 1; k <= n; ++k) binomial_[n][k] = binomial_[n - 1][k - 1] + binomial_[n - 1][k];
  }
  rank_sets_.resize(num_ranks + 1);
  for (std::uint32_t set = 0; set < 1u << num_ranks; ++set) {
    rank_sets_[std::popcount(set)].push_back(static_cast<std::uint16_t>(set));
  }
  for (int card = 0; card < num_ranks * num_suits; ++card) {
    rank_[card] = static_cast<std::uint8_t>(card / num_suits);
    suit_[card] = static_cast<std::uint8_t>(card % num_suits);
    bit_[card] = card_bit(card, num_suits);
    below_[card] = bit_[card] - card_bit(card % num_suits, num_suits);
  }
  for (int cards : cards_per_round) add_round(cards);
}

int HandIndexer::num_cards(int round) const {
  int total = 0;
  for (int r = 0; r <= round; ++r) total += rounds_[r].cards;
  return total;
}

void HandIndexer::add_round(int cards) {
  Round round;
  round.cards = cards;

  std::uint32_t num_keys = 1;
  for (int suit = 0; suit < num_suits_; ++suit, num_keys *= cards + 1) round.suit_weight[suit] = num_keys;
  round.composition.assign(num_keys, 0);
  std::vector<std::array<std::uint8_t, kMaxSuits>> compositions;
  for (std::uint32_t key = 0; key < num_keys; ++key) {
    std::array<std::uint8_t, kMaxSuits> counts{};
    int total = 0;
    for (int suit = 0; suit < num_suits_; ++suit) {
      counts[suit] = static_cast<std::uint8_t>(key / round.suit_weight[suit] % (cards + 1));
      total += counts[suit];
    }
    if (total != cards) continue;
    round.composition[key] = static_cast<std::uint32_t>(compositions.size());
    compositions.push_back(counts);
  }
  round.num_compositions = static_cast<std::uint32_t>(compositions.size());

  const std::size_t r = rounds_.size();
  std::vector<std::array<Counts, kMaxSuits>> pattern_counts;
  std::map<std::array<Counts, kMaxSuits>, std::uint32_t> configuration_of;
  for (const auto& before : pattern_counts_) {
    for (const auto& composition : compositions) {
      auto counts = before;
      for (int suit = 0; suit < num_suits_; ++suit) counts[suit][r] = composition[suit];
      pattern_counts.push_back(counts);

      Pattern pattern;
      bool is_possible = true;
      for (int suit = 0; suit < kMaxSuits; ++suit) {
        pattern.order[suit] = static_cast<std::uint8_t>(suit);
        pattern.values[suit] = num_values(counts[suit]);
        is_possible = is_possible && pattern.values[suit] > 0;
      }
      if (is_possible) {
        std::stable_sort(pattern.order.begin(), pattern.order.end(),
                         [&](int a, int b) { return counts[a] > counts[b]; });
        std::array<Counts, kMaxSuits> sorted;
        for (int place = 0; place < kMaxSuits; ++place) sorted[place] = counts[pattern.order[place]];
        const auto [entry, is_new] = configuration_of.try_emplace(sorted, round.configurations.size());
        pattern.configuration = entry->second;
        if (is_new) add_configuration(sorted, round);
      }
      round.patterns.push_back(pattern);
    }
  }
  pattern_counts_ = std::move(pattern_counts);

  round.offsets.push_back(round.size);
  round.bucket_shift = std::max(0, static_cast<int>(std::bit_width(round.size)) - kBucketBits);
  for (std::uint32_t found = 0; found + 1 < round.offsets.size(); ++found) {
    const std::uint64_t last_bucket = (round.offsets[found + 1] - 1) >> round.bucket_shift;
    round.first_in_bucket.resize(last_bucket + 1, found);
  }
  rounds_.push_back(std::move(round));
}

std::uint32_t HandIndexer::num_values(const Counts& counts) const {
  std::uint32_t values = 1;
  int left = num_ranks_;
  for (const std::uint8_t count : counts) {
    if (count > left) return 0;
    values *= binomial(left, count);
    left -= count;
  }
  return values;
}

void HandIndexer::add_configuration(const std::array<Counts, kMaxSuits>& sorted_counts, Round& round) const {
  Configuration configuration;
  configuration.counts = sorted_counts;
  std::uint64_t size = 1, group_size = 1;
  for (int place = 0; place < kMaxSuits; ++place) {
    const bool is_like_last = place > 0 && sorted_counts[place] == sorted_counts[place - 1];
    if (!is_like_last) size *= group_size;
    configuration.position[place] = is_like_last ? configuration.position[place - 1] + 1 : 1;
    configuration.weight[place] = size;
    configuration.group_key[place] = is_like_last ? configuration.group_key[place - 1] : kGroupKey * place;
    group_size = num_multisets(num_values(sorted_counts[place]), configuration.position[place]);
  }
  round.configurations.push_back(configuration);
  round.offsets.push_back(round.size);
  round.size += size * group_size;
}

std::uint64_t HandIndexer::index(const std::uint8_t* cards, int round) const {
  std::array<std::uint64_t, kMaxSuits> value{};
  std::uint64_t used = 0;
  std::uint32_t number = 0;
  const Pattern* pattern = &before_first_;
  for (int r = 0; r <= round; ++r) {
    const Round& now = rounds_[r];
    std::uint64_t dealt = 0;
    std::uint32_t key = 0;
    for (int i = 0; i < now.cards; ++i) {
      dealt |= bit_[cards[i]];
      key += now.suit_weight[suit_[cards[i]]];
    }
    for (int i = 0; i < now.cards; ++i) {
      const std::uint8_t card = cards[i], suit = suit_[card];
      const int rank = rank_[card] - std::popcount(used & below_[card]);
      const int position = std::popcount(dealt & below_[card]) + 1;
      value[suit] += std::uint64_t{binomial(rank, position)} * pattern->values[suit];
    }
    number = number * now.num_compositions + now.composition[key];
    pattern = &now.patterns[number];
    used |= dealt;
    cards += now.cards;
  }

  const Configuration& configuration = rounds_[round].configurations[pattern->configuration];
  std::array<std::uint64_t, kMaxSuits> sorted;
  for (int place = 0; place < kMaxSuits; ++place) {
    sorted[place] = value[pattern->order[place]] + configuration.group_key[place];
  }
  const auto exchange = [&sorted](int low, int high) {  // by arithmetic: a branch would be mispredicted half the time
    const std::uint64_t change = (sorted[low] ^ sorted[high]) & -std::uint64_t{sorted[low] > sorted[high]};
    sorted[low] ^= change;
    sorted[high] ^= change;
  };
  exchange(0, 1), exchange(2, 3), exchange(0, 2), exchange(1, 3), exchange(1, 2);
  std::uint64_t index = rounds_[round].offsets[pattern->configuration];
  for (int place = 0; place < kMaxSuits; ++place) {
    const std::uint64_t y = sorted[place] - configuration.group_key[place];
    index += configuration.weight[place] * num_multisets(y, configuration.position[place]);
  }
  return index;
}

void HandIndexer::unindex(std::uint64_t index, int round, std::uint8_t* cards) const {
  const Round& last = rounds_[round];
  std::uint32_t found = last.first_in_bucket[index >> last.bucket_shift];
  while (last.offsets[found + 1] <= index) ++found;
  const Configuration& configuration = last.configurations[found];
  index -= last.offsets[found];

  std::array<std::uint64_t, kMaxCards> dealt{};  // by round, bit `card`
  for (int place = kMaxSuits - 1; place >= 0; --place) {
    const std::uint64_t weight = configuration.weight[place];
    std::uint32_t value = static_cast<std::uint32_t>(largest_value(index / weight, configuration.position[place]));
    index -= num_multisets(value, configuration.position[place]) * weight;
    std::uint32_t used = 0;
    for (int r = 0, left = num_ranks_; r <= round; ++r) {
      const int count = configuration.counts[place][r];
      if (count == 0) continue;
      const std::uint32_t radix = binomial(left, count);
      const std::uint32_t ranks = among_all(rank_sets_[count][value % radix], used);
      value /= radix;
      left -= count;
      used |= ranks;
      for (std::uint32_t rest = ranks; rest != 0; rest &= rest - 1) {
        dealt[r] |= std::uint64_t{1} << (std::countr_zero(rest) * num_suits_ + place);
      }
    }
  }
  for (int r = 0; r <= round; ++r) {
    for (std::uint64_t rest = dealt[r]; rest != 0; rest &= rest - 1) {
      *cards++ = static_cast<std::uint8_t>(std::countr_zero(rest));
    }
  }
}

}  // namespace errai
