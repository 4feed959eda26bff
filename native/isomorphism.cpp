#include "isomorphism.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "strength.hpp"

namespace errai {
namespace {

// C(y + k - 1, k): how many multisets of k values below y there are.
std::uint64_t num_multisets(std::uint64_t y, int k) {
  switch (k) {
    case 1: return y;
    case 2: return y * (y + 1) / 2;
    case 3: return y * (y + 1) / 2 * (y + 2) / 3;
    default: return y * (y + 1) / 2 * (y + 2) / 3 * (y + 3) / 4;
  }
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

// Puts `ranks`, counted without the ranks in `used`, back among all ranks.
std::uint32_t among_all(std::uint32_t ranks, std::uint32_t used) {
  for (; used != 0; used &= used - 1) {
    const std::uint32_t below = (used & -used) - 1;
    ranks = (ranks & below) | ((ranks & ~below) << 1);
  }
  return ranks;
}

}  // namespace

HandIndexer::HandIndexer(int num_ranks, int num_suits, const std::vector<int>& cards_per_round)
    : num_ranks_(num_ranks), num_suits_(num_suits), rank_sets_(num_ranks + 1), pattern_counts_(1) {
  for (int n = 0; n <= kMaxRanks; ++n) {
    binomial_[n][0] = 1;
    for (int k = 1; k <= n; ++k) binomial_[n][k] = binomial_[n - 1][k - 1] + binomial_[n - 1][k];
  }
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

void HandIndexer::add_round(int cards) {
  Round round;
  round.cards = cards;
  round.num_cards = cards + (rounds_.empty() ? 0 : rounds_.back().num_cards);

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
      for (int suit = 0; suit < num_suits_; ++suit) {
        pattern.order[suit] = static_cast<std::uint8_t>(suit);
        pattern.values[suit] = num_values(counts[suit]);
        is_possible = is_possible && pattern.values[suit] > 0;
      }
      if (is_possible) {
        std::stable_sort(pattern.order.begin(), pattern.order.begin() + num_suits_,
                         [&](int a, int b) { return counts[a] > counts[b]; });
        std::array<Counts, kMaxSuits> sorted{};
        for (int place = 0; place < num_suits_; ++place) sorted[place] = counts[pattern.order[place]];
        const auto [entry, is_new] = configuration_of.try_emplace(sorted, round.configurations.size());
        pattern.configuration = entry->second;
        if (is_new) {
          Configuration configuration = configure(sorted);
          configuration.offset = round.size;
          std::uint64_t size = 1;
          for (int g = 0; g < configuration.num_groups; ++g) size *= configuration.groups[g].size;
          round.size += size;
          round.configurations.push_back(configuration);
        }
      }
      round.patterns.push_back(pattern);
    }
  }
  pattern_counts_ = std::move(pattern_counts);
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

HandIndexer::Configuration HandIndexer::configure(const std::array<Counts, kMaxSuits>& sorted_counts) const {
  Configuration configuration;
  for (int suit = 0; suit < num_suits_; ++suit) {
    const Counts& counts = sorted_counts[suit];
    if (suit > 0 && counts == sorted_counts[suit - 1]) {
      ++configuration.groups[configuration.num_groups - 1].num_suits;
    } else {
      configuration.groups[configuration.num_groups++] = {1, 0, counts};
    }
  }
  for (int g = 0; g < configuration.num_groups; ++g) {
    Group& group = configuration.groups[g];
    group.size = num_multisets(num_values(group.counts), group.num_suits);
  }
  return configuration;
}

std::uint64_t HandIndexer::index(const std::uint8_t* cards, int round) const {
  std::array<std::uint64_t, kMaxSuits> value{};
  std::array<std::uint32_t, kMaxSuits> radix{1, 1, 1, 1};
  std::uint64_t used = 0;
  std::uint32_t number = 0;
  const Pattern* pattern = nullptr;
  for (int r = 0; r <= round; ++r) {
    const Round& now = rounds_[r];
    std::uint64_t dealt = 0;
    for (int i = 0; i < now.cards; ++i) dealt |= bit_[cards[i]];
    std::uint32_t key = 0;
    for (int i = 0; i < now.cards; ++i) {
      const std::uint8_t card = cards[i], suit = suit_[card];
      const int rank = rank_[card] - std::popcount(used & below_[card]);
      const int position = std::popcount(dealt & below_[card]) + 1;
      value[suit] += std::uint64_t{binomial(rank, position)} * radix[suit];
      key += now.suit_weight[suit];
    }
    number = number * now.num_compositions + now.composition[key];
    pattern = &now.patterns[number];
    radix = pattern->values;
    used |= dealt;
    cards += now.cards;
  }

  const Configuration& configuration = rounds_[round].configurations[pattern->configuration];
  std::uint64_t index = 0;
  const std::uint8_t* suit = pattern->order.data();
  for (int g = 0; g < configuration.num_groups; ++g) {
    const Group& group = configuration.groups[g];
    std::uint64_t values[kMaxSuits];
    for (int i = 0; i < group.num_suits; ++i) {
      std::uint64_t next = value[*suit++];
      for (int j = 0; j < i; ++j) {
        const std::uint64_t smaller = std::min(values[j], next);
        next = std::max(values[j], next);
        values[j] = smaller;
      }
      values[i] = next;
    }
    index *= group.size;
    for (int i = 0; i < group.num_suits; ++i) index += num_multisets(values[i], i + 1);
  }
  return configuration.offset + index;
}

void HandIndexer::unindex(std::uint64_t index, int round, std::uint8_t* cards) const {
  const auto& configurations = rounds_[round].configurations;
  const Configuration& configuration =
      *(std::upper_bound(configurations.begin(), configurations.end(), index,
                         [](std::uint64_t i, const Configuration& c) { return i < c.offset; }) -
        1);
  index -= configuration.offset;

  std::array<std::uint64_t, kMaxCards> dealt{};  // by round, bit `card`
  int suit = num_suits_;
  for (int g = configuration.num_groups - 1; g >= 0; --g) {
    const Group& group = configuration.groups[g];
    std::uint64_t number = index % group.size;
    index /= group.size;
    for (int k = group.num_suits; k > 0; --k) {
      std::uint64_t value = largest_value(number, k);
      number -= num_multisets(value, k);
      --suit;
      std::uint32_t used = 0;
      for (int r = 0, left = num_ranks_; r <= round; left -= group.counts[r], ++r) {
        const int count = group.counts[r];
        if (count == 0) continue;
        const std::uint64_t radix = binomial(left, count);
        const std::uint32_t ranks = among_all(rank_sets_[count][value % radix], used);
        value /= radix;
        used |= ranks;
        for (std::uint32_t rest = ranks; rest != 0; rest &= rest - 1) {
          dealt[r] |= std::uint64_t{1} << (std::countr_zero(rest) * num_suits_ + suit);
        }
      }
    }
  }
  for (int r = 0; r <= round; ++r) {
    for (std::uint64_t rest = dealt[r]; rest != 0; rest &= rest - 1) {
      *cards++ = static_cast<std::uint8_t>(std::countr_zero(rest));
    }
  }
}

namespace {

using Cards = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using CardsOut = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IndicesOut = nb::ndarray<std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void index_all(const HandIndexer& indexer, Cards cards, int round, IndicesOut indices) {
  nb::gil_scoped_release release;
  const std::size_t columns = cards.shape(1);
  for (std::size_t i = 0; i < cards.shape(0); ++i) {
    indices.data()[i] = indexer.index(cards.data() + i * columns, round);
  }
}

void unindex_all(const HandIndexer& indexer, Indices indices, int round, CardsOut cards) {
  nb::gil_scoped_release release;
  const std::size_t columns = cards.shape(1);
  for (std::size_t i = 0; i < indices.shape(0); ++i) {
    indexer.unindex(indices.data()[i], round, cards.data() + i * columns);
  }
}

}  // namespace
}  // namespace errai

void bind_isomorphism(nb::module_& m) {
  using errai::HandIndexer;
  nb::class_<HandIndexer>(m, "HandIndexer")
      .def(nb::init<int, int, const std::vector<int>&>(), nb::arg("num_ranks"), nb::arg("num_suits"),
           nb::arg("cards_per_round"))
      .def("size", &HandIndexer::size, nb::arg("round"))
      .def("index", &errai::index_all, nb::arg("cards"), nb::arg("round"), nb::arg("indices"))
      .def("unindex", &errai::unindex_all, nb::arg("indices"), nb::arg("round"), nb::arg("cards"));
}
