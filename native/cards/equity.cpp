#include "cards/equity.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace errai {
namespace {

// No hand beats or ties it: marks an opponent who cannot hold this hand on this board.
constexpr std::int32_t kUnbeaten = std::numeric_limits<std::int32_t>::max();

// Boards whose strengths stay in the second-level cache while a row of points is summed.
constexpr std::size_t kBoardsAtOnce = 16;

// The position in the deck of the card with each bit; 64, an empty set, has none.
std::array<std::size_t, 65> numbers_in(const std::vector<CardSet>& deck) {
  std::array<std::size_t, 65> numbers{};
  for (std::size_t card = 0; card < deck.size(); ++card) numbers[std::countr_zero(deck[card])] = card;
  return numbers;
}

// For any number of cards to come: deals them to all hands at once.
class Rollout {
 public:
  Rollout(CardSet hand, CardSet board, const std::vector<CardSet>& hands, const std::vector<CardSet>& deck,
          int num_cards)
      : deck_(deck), num_cards_(num_cards) {
    for (std::size_t h = 0; h < hands.size(); ++h) {
      if ((hands[h] & (hand | board)) != 0) continue;
      live_.push_back(h);
      sets_.push_back(hands[h]);
    }
    sets_.push_back(hand);  // last, so that one call evaluates both sides
    together_.resize(sets_.size());
    strengths_.resize(sets_.size());
    live_points_.resize(live_.size());
  }

  // Sums over every way to deal `num_dealt` cards.
  void deal(CardSet board, int num_dealt) {
    if (num_dealt > 0) find_holders();
    deal_from(0, board, num_dealt);
  }

  void store(std::int32_t* points) const {
    for (std::size_t i = 0; i < live_.size(); ++i) points[live_[i]] = live_points_[i];
  }

 private:
  void find_holders() {
    const auto numbers = numbers_in(deck_);
    holders_.resize(deck_.size());
    for (auto& holders : holders_) holders.reserve(deck_.size());
    for (std::size_t i = 0; i < live_.size(); ++i) {
      for (CardSet left = sets_[i]; left != 0; left &= left - 1) holders_[numbers[std::countr_zero(left)]].push_back(i);
    }
  }

  // Deals from position `first` of the deck on.
  void deal_from(std::size_t first, CardSet board, int num_dealt) {
    if (num_dealt == 0) return show_down(board);
    for (std::size_t card = first; card + num_dealt <= deck_.size(); ++card) {
      dealt_.push_back(card);
      deal_from(card + 1, board | deck_[card], num_dealt - 1);
      dealt_.pop_back();
    }
  }

  void show_down(CardSet board) {
    const std::size_t count = live_.size();
    for (std::size_t i = 0; i <= count; ++i) together_[i] = sets_[i] | board;
    strengths_of_sets(together_.data(), count + 1, num_cards_, strengths_.data());
    const std::int32_t own = strengths_[count];
    for (const std::size_t card : dealt_) {
      for (const std::size_t holder : holders_[card]) strengths_[holder] = kUnbeaten;
    }
    for (std::size_t i = 0; i < count; ++i) live_points_[i] += (own > strengths_[i]) + (own >= strengths_[i]);
  }

  const std::vector<CardSet>& deck_;
  const int num_cards_;
  std::vector<std::vector<std::size_t>> holders_;  // of each card of the deck, as indices of `live_`
  std::vector<std::size_t> live_;
  std::vector<CardSet> sets_, together_;
  std::vector<std::int32_t> strengths_, live_points_;
  std::vector<std::size_t> dealt_;
};

// For two hole cards and two cards to come. The two cards of the opponent's hand and the two dealt cards have the same
// strength whichever two are the hand, so every four unseen cards are evaluated once and serve six showdowns. Measured
// 2.5 times as fast as dealing to all hands at once.
class FourCardRollout {
 public:
  FourCardRollout(CardSet hand, CardSet board, const std::vector<CardSet>& deck, int num_cards)
      : deck_(deck), board_(board), num_cards_(num_cards), size_(deck.size()) {
    evaluate_pairs(0, board | hand);
    const std::int32_t* next = strengths_.data();
    for (std::size_t c = 0; c < size_; ++c) {
      for (std::size_t d = c + 1; d < size_; ++d) own_[c].of[d] = own_[d].of[c] = *next++;
    }
  }

  void deal() {
    for (std::size_t w = 0; w < size_; ++w) {
      for (std::size_t x = w + 1; x < size_; ++x) {
        evaluate_pairs(x + 1, board_ | deck_[w] | deck_[x]);
        // By the position of card z; entries that are not a strength of w, x, y and z are unbeaten and add nothing.
        Row of_last;
        std::fill_n(of_last.of, kWidth, kUnbeaten);
        const std::int32_t* next = strengths_.data();
        for (std::size_t y = x + 1; y + 1 < size_; ++y) {
          of_last.of[y] = kUnbeaten;
          std::copy_n(next, size_ - y - 1, of_last.of + y + 1);
          next += size_ - y - 1;
          show_down(w, x, y, of_last);
        }
      }
    }
  }

  std::int32_t points(std::size_t c, std::size_t d) const { return points_[std::min(c, d)].of[std::max(c, d)]; }

 private:
  static constexpr std::size_t kLanes = 8, kWidth = 56;  // all cards of a deck, in whole vectors
  using Lanes [[gnu::vector_size(kLanes * sizeof(std::int32_t))]] = std::int32_t;
  union Row {  // one value per card of the deck
    Lanes lanes[kWidth / kLanes];
    std::int32_t of[kWidth];
  };

  // The strengths of `cards` together with every two cards of the deck from position `first` on.
  void evaluate_pairs(std::size_t first, CardSet cards) {
    sets_.clear();
    for (std::size_t c = first; c < size_; ++c) {
      for (std::size_t d = c + 1; d < size_; ++d) sets_.push_back(cards | deck_[c] | deck_[d]);
    }
    strengths_.resize(sets_.size());
    strengths_of_sets(sets_.data(), sets_.size(), num_cards_, strengths_.data());
  }

  // A comparison that is true gives -1.
  static Lanes minus_points(Lanes own, Lanes other) { return (own > other) + (own >= other); }

  static std::int32_t sum(Lanes lanes) {
    std::int32_t total = 0;
    for (std::size_t i = 0; i < kLanes; ++i) total += lanes[i];
    return total;
  }

  // For all z > y: the hand is two of w, x, y, z, and the other two are dealt.
  void show_down(std::size_t w, std::size_t x, std::size_t y, const Row& of_last) {
    const Lanes own_wx = Lanes{} + own_[w].of[x], own_wy = Lanes{} + own_[w].of[y], own_xy = Lanes{} + own_[x].of[y];
    Lanes wx{}, wy{}, xy{};
    for (std::size_t v = (y + 1) / kLanes; v < kWidth / kLanes; ++v) {
      const Lanes other = of_last.lanes[v];
      wx -= minus_points(own_[y].lanes[v], other);
      wy -= minus_points(own_[x].lanes[v], other);
      xy -= minus_points(own_[w].lanes[v], other);
      points_[w].lanes[v] -= minus_points(own_xy, other);
      points_[x].lanes[v] -= minus_points(own_wy, other);
      points_[y].lanes[v] -= minus_points(own_wx, other);
    }
    points_[w].of[x] += sum(wx);
    points_[w].of[y] += sum(wy);
    points_[x].of[y] += sum(xy);
  }

  const std::vector<CardSet>& deck_;
  const CardSet board_;
  const int num_cards_;
  const std::size_t size_;
  Row own_[kWidth] = {}, points_[kWidth] = {};  // by position in the deck
  std::vector<CardSet> sets_;
  std::vector<std::int32_t> strengths_;
};

}  // namespace

void rollout_points(CardSet hand, CardSet board, const std::vector<CardSet>& hands, const std::vector<CardSet>& deck,
                    int num_dealt, int num_cards, std::int32_t* points) {
  std::fill_n(points, hands.size(), -1);
  if (num_dealt == 2 && std::popcount(hand) == 2) {
    FourCardRollout rollout(hand, board, deck, num_cards);
    rollout.deal();
    const auto numbers = numbers_in(deck);
    for (std::size_t h = 0; h < hands.size(); ++h) {
      if ((hands[h] & (hand | board)) != 0) continue;
      const CardSet without_lowest = hands[h] & (hands[h] - 1);
      points[h] = rollout.points(numbers[std::countr_zero(hands[h])], numbers[std::countr_zero(without_lowest)]);
    }
    return;
  }
  Rollout rollout(hand, board, hands, deck, num_cards);
  rollout.deal(board, num_dealt);
  rollout.store(points);
}

void add_pair_points(const std::int32_t* strengths, const std::int32_t* weights, std::size_t num_boards,
                     std::size_t num_hands, std::int32_t* points) {
  std::vector<std::int32_t> opponents(kBoardsAtOnce * num_hands);
  for (std::size_t first = 0; first < num_boards; first += kBoardsAtOnce) {
    const std::size_t count = std::min(kBoardsAtOnce, num_boards - first);
    const std::int32_t* block = strengths + first * num_hands;
    std::transform(block, block + count * num_hands, opponents.begin(),
                   [](std::int32_t strength) { return strength < 0 ? kUnbeaten : strength; });
    for (std::size_t i = 0; i < num_hands; ++i) {
      std::int32_t* row = points + i * num_hands;
      for (std::size_t b = 0; b < count; ++b) {
        const std::int32_t own = block[b * num_hands + i], weight = weights[first + b];
        if (own < 0) continue;
        const std::int32_t* other = opponents.data() + b * num_hands;
        for (std::size_t j = 0; j < num_hands; ++j) {
          row[j] += (own > other[j] ? weight : 0) + (own >= other[j] ? weight : 0);
        }
      }
    }
  }
}

}  // namespace errai
