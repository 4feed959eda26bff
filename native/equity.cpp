#include "equity.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include <nanobind/ndarray.h>

#include "bindings.hpp"

namespace errai {
namespace {

// No hand beats or ties it: stands for an opponent who cannot have this hand on this board.
constexpr std::int32_t kUnbeaten = std::numeric_limits<std::int32_t>::max();

// Boards whose strengths stay in the second-level cache while a row of points is added up.
constexpr std::size_t kBoardsAtOnce = 16;

class Rollout {
 public:
  Rollout(CardSet hand, CardSet board, const std::vector<CardSet>& hands, const std::vector<CardSet>& deck,
          int num_cards)
      : deck_(deck), num_cards_(num_cards), holders_(deck.size()) {
    std::array<std::size_t, 64> place{};
    for (std::size_t card = 0; card < deck.size(); ++card) place[std::countr_zero(deck[card])] = card;
    for (std::size_t h = 0; h < hands.size(); ++h) {
      if ((hands[h] & (hand | board)) != 0) continue;
      for (CardSet left = hands[h]; left != 0; left &= left - 1) {
        holders_[place[std::countr_zero(left)]].push_back(live_.size());
      }
      live_.push_back(h);
      sets_.push_back(hands[h]);
    }
    sets_.push_back(hand);  // last, so that one call evaluates both sides
    together_.resize(sets_.size());
    strengths_.resize(sets_.size());
    live_points_.resize(live_.size());
  }

  // Adds up every way to deal `num_dealt` cards from number `first` of the deck on.
  void deal(CardSet board, std::size_t first, int num_dealt) {
    if (num_dealt == 0) return show_down(board);
    for (std::size_t card = first; card + num_dealt <= deck_.size(); ++card) {
      dealt_.push_back(card);
      deal(board | deck_[card], card + 1, num_dealt - 1);
      dealt_.pop_back();
    }
  }

  void store(std::int32_t* points) const {
    for (std::size_t i = 0; i < live_.size(); ++i) points[live_[i]] = live_points_[i];
  }

 private:
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
  std::vector<std::vector<std::size_t>> holders_;  // of each card of the deck, as places in `live_`
  std::vector<std::size_t> live_;
  std::vector<CardSet> sets_, together_;
  std::vector<std::int32_t> strengths_, live_points_;
  std::vector<std::size_t> dealt_;
};

}  // namespace

void rollout_points(CardSet hand, CardSet board, const std::vector<CardSet>& hands, const std::vector<CardSet>& deck,
                    int num_dealt, int num_cards, std::int32_t* points) {
  std::fill_n(points, hands.size(), 0);
  Rollout rollout(hand, board, hands, deck, num_cards);
  rollout.deal(board, 0, num_dealt);
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

namespace {

using CardList = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CardTable = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Points = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using PointTable = nb::ndarray<std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using StrengthTable = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

CardSet set_of(const std::uint8_t* cards, std::size_t count, unsigned num_suits) {
  CardSet set = 0;
  for (std::size_t i = 0; i < count; ++i) set |= card_bit(cards[i], num_suits);
  return set;
}

void bound_rollout_points(CardList hand, CardList board, CardTable hands, unsigned deck_size, unsigned num_suits,
                          int num_dealt, Points points) {
  nb::gil_scoped_release release;
  const CardSet own = set_of(hand.data(), hand.size(), num_suits);
  const CardSet on_board = set_of(board.data(), board.size(), num_suits);
  std::vector<CardSet> deck, opponents;
  for (unsigned card = 0; card < deck_size; ++card) {
    const CardSet bit = card_bit(card, num_suits);
    if ((bit & (own | on_board)) == 0) deck.push_back(bit);
  }
  for (std::size_t h = 0; h < hands.shape(0); ++h) {
    opponents.push_back(set_of(hands.data() + h * hands.shape(1), hands.shape(1), num_suits));
  }
  const int num_cards = static_cast<int>(hand.size() + board.size()) + num_dealt;
  rollout_points(own, on_board, opponents, deck, num_dealt, num_cards, points.data());
}

void bound_add_pair_points(StrengthTable strengths, Weights weights, PointTable points) {
  nb::gil_scoped_release release;
  add_pair_points(strengths.data(), weights.data(), strengths.shape(0), strengths.shape(1), points.data());
}

}  // namespace
}  // namespace errai

void bind_equity(nb::module_& m) {
  m.def("rollout_points", &errai::bound_rollout_points, nb::arg("hand"), nb::arg("board"), nb::arg("hands"),
        nb::arg("deck_size"), nb::arg("num_suits"), nb::arg("num_dealt"), nb::arg("points"));
  m.def("add_pair_points", &errai::bound_add_pair_points, nb::arg("strengths"), nb::arg("weights"), nb::arg("points"));
}
