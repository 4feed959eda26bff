#include "abstraction/showdowns.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace errai {
namespace {

constexpr unsigned kMostCards = 64;

// Clusters are counted eight at a time.
constexpr int kLanes = 8;
using Lanes [[gnu::vector_size(kLanes * sizeof(std::int16_t))]] = std::int16_t;

}  // namespace

Showdowns::Showdowns(const std::uint8_t* hands, std::size_t num_hands, int num_hole_cards, unsigned deck_size,
                     unsigned num_suits)
    : num_hole_cards_(num_hole_cards), deck_size_(deck_size) {
  for (unsigned card = 0; card < deck_size; ++card) bits_.push_back(card_bit(card, num_suits));
  for (std::size_t h = 0; h < num_hands; ++h) {
    const std::uint8_t* cards = hands + h * num_hole_cards;
    low_.push_back(cards[0]);
    high_.push_back(num_hole_cards == 2 ? cards[1] : static_cast<std::uint8_t>(kMostCards - 1));
    sets_.push_back(set_of(cards, num_hole_cards));
  }
}

CardSet Showdowns::set_of(const std::uint8_t* cards, int count) const {
  CardSet set = 0;
  for (int i = 0; i < count; ++i) set |= bits_[cards[i]];
  return set;
}

// A radix sort from the lowest byte of the strengths to the highest.
void Showdowns::sort(CardSet board, int num_board_cards, Sorted& sorted) const {
  sorted.entries.resize(num_hands());
  sorted.together.resize(num_hands());
  std::size_t count = 0;
  for (std::size_t h = 0; h < num_hands(); ++h) {
    sorted.together[count] = sets_[h] | board;
    sorted.entries[count].hand = static_cast<std::uint32_t>(h);
    count += (sets_[h] & board) == 0;
  }
  sorted.entries.resize(count);
  sorted.other.resize(count);
  sorted.strengths.resize(count);
  strengths_of_sets(sorted.together.data(), count, num_hole_cards_ + num_board_cards, sorted.strengths.data());

  std::array<std::array<std::uint32_t, 256>, 4> starts{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t strength = static_cast<std::uint32_t>(sorted.strengths[i]);
    sorted.entries[i].strength = strength;
    for (int byte = 0; byte < 4; ++byte) ++starts[byte][strength >> (8 * byte) & 255];
  }
  for (int byte = 0; byte < 4; ++byte) {
    auto& start = starts[byte];
    if (count == 0 || start[sorted.entries[0].strength >> (8 * byte) & 255] == count) continue;  // all are equal
    std::uint32_t total = 0;
    for (std::uint32_t& place : start) total += std::exchange(place, total);
    for (const Entry& entry : sorted.entries) sorted.other[start[entry.strength >> (8 * byte) & 255]++] = entry;
    sorted.entries.swap(sorted.other);
  }
}

template <class Visit>
void Showdowns::for_each_hand(const Sorted& sorted, Visit&& visit) const {
  const std::size_t count = sorted.entries.size();
  std::array<std::int32_t, kMostCards> held{};
  std::array<std::int32_t, 2048> losing;
  std::int32_t total = 0;
  // With one hole card, the hands that lose or tie include the hand itself once; with two, it is subtracted twice.
  const std::int32_t itself = num_hole_cards_ == 2 ? 1 : 0;
  const auto compatible = [&](std::uint32_t hand) {
    return total - held[low_[hand]] - (num_hole_cards_ == 2 ? held[high_[hand]] : 0);
  };
  for (std::size_t first = 0, end; first < count; first = end) {
    end = first;
    while (end < count && sorted.entries[end].strength == sorted.entries[first].strength) {
      losing[end - first] = compatible(sorted.entries[end].hand);
      ++end;
    }
    for (std::size_t i = first; i < end; ++i) {
      const std::uint32_t hand = sorted.entries[i].hand;
      ++held[low_[hand]];
      ++held[high_[hand]];
    }
    total += static_cast<std::int32_t>(end - first);
    for (std::size_t i = first; i < end; ++i) {
      const std::uint32_t hand = sorted.entries[i].hand;
      visit(hand, static_cast<std::uint32_t>(losing[i - first] + compatible(hand) + itself));
    }
  }
}

void Showdowns::points(const std::uint8_t* boards, std::size_t count, int num_board_cards,
                       std::uint16_t* points) const {
  Sorted sorted;
  std::fill_n(points, count * num_hands(), kBlocked);
  for (std::size_t b = 0; b < count; ++b) {
    sort(set_of(boards + b * num_board_cards, num_board_cards), num_board_cards, sorted);
    std::uint16_t* out = points + b * num_hands();
    for_each_hand(sorted, [&](std::uint32_t hand, std::uint32_t won) { out[hand] = static_cast<std::uint16_t>(won); });
  }
}

template <class Visit>
void Showdowns::deal(CardSet board, unsigned first, int num_dealt, Visit&& visit) const {
  if (num_dealt == 0) return visit(board);
  for (unsigned card = first; card < deck_size_; ++card) {
    if ((bits_[card] & board) == 0) deal(board | bits_[card], card + 1, num_dealt - 1, visit);
  }
}

void Showdowns::roll_out(const std::uint8_t* boards, std::size_t count, int num_board_cards, int num_dealt,
                         const Rollouts& rollouts) const {
  Sorted sorted;
  for (std::size_t b = 0; b < count; ++b) {
    std::uint64_t* sums = rollouts.sums + b * num_hands();
    std::uint64_t* squares = rollouts.squares + b * num_hands();
    std::uint32_t* histograms =
        rollouts.histograms == nullptr ? nullptr : rollouts.histograms + b * num_hands() * rollouts.num_bars;
    deal(set_of(boards + b * num_board_cards, num_board_cards), 0, num_dealt, [&](CardSet board) {
      sort(board, num_board_cards + num_dealt, sorted);
      for_each_hand(sorted, [&](std::uint32_t hand, std::uint32_t won) {
        sums[hand] += won;
        squares[hand] += std::uint64_t{won} * won;
        if (histograms != nullptr) ++histograms[hand * rollouts.num_bars + rollouts.bar_of[won]];
      });
    });
  }
}

void Showdowns::add_distribution(const std::uint8_t* boards, std::size_t count, int num_board_cards,
                                 const std::uint64_t* weights, std::span<const std::uint32_t> class_of_hand,
                                 std::size_t num_points, std::uint64_t* distribution) const {
  Sorted sorted;
  for (std::size_t b = 0; b < count; ++b) {
    sort(set_of(boards + b * num_board_cards, num_board_cards), num_board_cards, sorted);
    for_each_hand(sorted, [&](std::uint32_t hand, std::uint32_t won) {
      distribution[class_of_hand[hand] * num_points + won] += weights[b];
    });
  }
}

template <int Groups>
void Showdowns::strengths_on_board(const Sorted& sorted, std::span<const std::uint8_t> clusters,
                                   std::size_t num_clusters, std::uint16_t one, std::uint16_t* strengths) const {
  struct Counts {
    Lanes lanes[Groups];
    void add(std::uint8_t cluster) { lanes[cluster / kLanes][cluster % kLanes] += 1; }
  };
  const std::size_t count = sorted.entries.size();
  std::array<Counts, kMostCards> held{};
  std::vector<Counts> losing(count), all_of(count);
  Counts total{};
  const bool has_two = num_hole_cards_ == 2;
  const auto compatible = [&](std::uint32_t hand) {
    Counts found = total;
    for (int g = 0; g < Groups; ++g) {
      found.lanes[g] -= held[low_[hand]].lanes[g];
      if (has_two) found.lanes[g] -= held[high_[hand]].lanes[g];
    }
    return found;
  };
  for (std::size_t first = 0, end; first < count; first = end) {
    for (end = first; end < count && sorted.entries[end].strength == sorted.entries[first].strength; ++end) {
      losing[end] = compatible(sorted.entries[end].hand);
    }
    for (std::size_t i = first; i < end; ++i) {
      const std::uint32_t hand = sorted.entries[i].hand;
      total.add(clusters[hand]);
      held[low_[hand]].add(clusters[hand]);
      held[high_[hand]].add(clusters[hand]);
    }
    for (std::size_t i = first; i < end; ++i) {
      const std::uint32_t hand = sorted.entries[i].hand;
      Counts won = compatible(hand);
      if (has_two) won.add(clusters[hand]);  // the hand itself was subtracted twice
      for (int g = 0; g < Groups; ++g) losing[i].lanes[g] += won.lanes[g];
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t hand = sorted.entries[i].hand;
    Counts opponents = compatible(hand);
    if (has_two) opponents.add(clusters[hand]);
    for (std::size_t c = 0; c < num_clusters; ++c) {
      const std::uint32_t won = static_cast<std::uint32_t>(losing[i].lanes[c / kLanes][c % kLanes]);
      const std::uint32_t most = 2 * static_cast<std::uint32_t>(opponents.lanes[c / kLanes][c % kLanes]);
      strengths[hand * num_clusters + c] =
          static_cast<std::uint16_t>(most == 0 ? one / 2 : (2 * won * one + most) / (2 * most));
    }
  }
}

void Showdowns::cluster_strengths(const std::uint8_t* boards, std::size_t count, int num_board_cards,
                                  std::span<const std::uint8_t> clusters, std::size_t num_clusters, std::uint16_t one,
                                  std::uint16_t* strengths) const {
  Sorted sorted;
  for (std::size_t b = 0; b < count; ++b) {
    sort(set_of(boards + b * num_board_cards, num_board_cards), num_board_cards, sorted);
    std::uint16_t* out = strengths + b * num_hands() * num_clusters;
    if (num_clusters <= kLanes)
      strengths_on_board<1>(sorted, clusters, num_clusters, one, out);
    else if (num_clusters <= 2 * kLanes)
      strengths_on_board<2>(sorted, clusters, num_clusters, one, out);
    else
      strengths_on_board<kMostClusters / kLanes>(sorted, clusters, num_clusters, one, out);
  }
}

}  // namespace errai
