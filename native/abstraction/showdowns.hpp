// How strong every hand is on a final board, against an opponent who holds any hand, each as likely as the others.
//
// Showdowns count as points: two for each opponent's hand that loses, one for each that ties; an opponent's hand shares
// no card with the board or with the hand. One board takes one pass over its hands in order of strength:
//
//   1. Sort the hands by strength.
//   2. Go through the groups of equal hands in ascending order, with the number T of hands so far and, for each card,
//      the number C of hands so far that hold it. T - C[a] - C[b] is how many of them the opponent can hold against
//      the hand {a, b}. It is added to the points of each hand of the group before the group is counted (the hands that
//      lose), and again after (those that lose or tie).
//
// Against clusters of hands, T and C are vectors with one number per cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cards/strength.hpp"

namespace errai {

class Showdowns {
 public:
  // Marks hands that share a card with the board.
  static constexpr std::uint16_t kBlocked = 0xFFFF;
  static constexpr std::size_t kMostClusters = 64;

  // `hands` are rows of one or two cards.
  Showdowns(const std::uint8_t* hands, std::size_t num_hands, int num_hole_cards, unsigned deck_size,
            unsigned num_suits);

  std::size_t num_hands() const { return sets_.size(); }
  unsigned deck_size() const { return deck_size_; }
  int num_hole_cards() const { return num_hole_cards_; }

  // The points of every hand on each of `count` boards: points[board][hand].
  void points(const std::uint8_t* boards, std::size_t count, int num_board_cards, std::uint16_t* points) const;

  // What each hand wins against each cluster of opponents, as a fraction of `one`, rounded: strengths[board][hand]
  // [cluster]. Every hand belongs to one cluster. Where the opponent can hold no hand of a cluster, it is one half.
  void cluster_strengths(const std::uint8_t* boards, std::size_t count, int num_board_cards,
                         std::span<const std::uint8_t> clusters, std::size_t num_clusters, std::uint16_t one,
                         std::uint16_t* strengths) const;

  // Sums over every way to deal `num_dealt` more cards to each board, hand by hand: of the points, of their squares,
  // and of how often they fall into each bar, histograms[board][hand][bar_of[points]]. All are added to.
  struct Rollouts {
    std::uint64_t* sums;
    std::uint64_t* squares;
    std::uint32_t* histograms;  // null if there are no bars
    std::span<const std::uint16_t> bar_of;
    std::size_t num_bars;
  };
  void roll_out(const std::uint8_t* boards, std::size_t count, int num_board_cards, int num_dealt,
                const Rollouts& rollouts) const;

  // distribution[class of the hand][points] += the weight of the board, for all boards and hands.
  void add_distribution(const std::uint8_t* boards, std::size_t count, int num_board_cards,
                        const std::uint64_t* weights, std::span<const std::uint32_t> class_of_hand,
                        std::size_t num_points, std::uint64_t* distribution) const;

 private:
  struct Entry {
    std::uint32_t strength, hand;
  };
  // The hands of one board in ascending order of strength, and what it takes to sort them.
  struct Sorted {
    std::vector<Entry> entries, other;
    std::vector<CardSet> together;
    std::vector<std::int32_t> strengths;
  };

  CardSet set_of(const std::uint8_t* cards, int count) const;
  void sort(CardSet board, int num_board_cards, Sorted& sorted) const;
  // Calls visit(hand, points) for every hand of a sorted board.
  template <class Visit>
  void for_each_hand(const Sorted& sorted, Visit&& visit) const;
  template <int Groups>
  void strengths_on_board(const Sorted& sorted, std::span<const std::uint8_t> clusters, std::size_t num_clusters,
                          std::uint16_t one, std::uint16_t* strengths) const;
  template <class Visit>
  void deal(CardSet board, unsigned first, int num_dealt, Visit&& visit) const;

  int num_hole_cards_;
  unsigned deck_size_;
  std::vector<CardSet> bits_;             // of each card of the deck
  std::vector<CardSet> sets_;             // of each hand
  std::vector<std::uint8_t> low_, high_;  // the cards of each hand; with one card, `high_` is a card of no deck
};

}  // namespace errai
