#include <nanobind/stl/vector.h>

#include <array>
#include <bit>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "cards/equity.hpp"
#include "cards/isomorphism.hpp"
#include "cards/strength.hpp"

namespace errai {
namespace {

using Cards = Table<const std::uint8_t>;

void verify_suits(unsigned num_suits) { verify(num_suits >= 1 && num_suits <= 4, "`num_suits` must be 1 to 4"); }

// The set of each card of a deck.
class DeckBits {
 public:
  DeckBits(unsigned deck_size, unsigned num_suits) : deck_size_(deck_size) {
    verify_suits(num_suits);
    verify(deck_size <= 13 * num_suits, "a deck has at most 13 ranks");
    for (unsigned card = 0; card < deck_size; ++card) bits_[card] = card_bit(card, num_suits);
  }
  unsigned size() const { return deck_size_; }
  CardSet operator[](unsigned card) const { return bits_[card]; }
  CardSet set_of(const char* name, const std::uint8_t* cards, std::size_t count) const {
    verify_below(name, cards, count, std::uint8_t(deck_size_));
    CardSet set = 0;
    for (std::size_t i = 0; i < count; ++i) set |= bits_[cards[i]];
    verify(std::size_t(std::popcount(set)) == count, "the cards of a hand or board must be different");
    return set;
  }

 private:
  unsigned deck_size_;
  std::array<CardSet, 64> bits_{};
};

void bound_hand_strengths(Cards cards, unsigned num_suits, Array<std::int32_t> strengths) {
  verify_suits(num_suits);
  verify_size("strengths", strengths, cards.shape(0));
  verify(cards.shape(1) >= 1 && cards.shape(1) <= 7, "`cards` must have 1 to 7 columns");
  nb::gil_scoped_release release;
  hand_strengths(cards.data(), cards.shape(0), static_cast<int>(cards.shape(1)), num_suits, strengths.data());
}

void bound_board_strengths(Cards boards, Cards hands, unsigned num_suits, Table<std::int32_t> strengths) {
  const DeckBits bits(13 * num_suits, num_suits);
  const std::size_t num_hands = hands.shape(0);
  verify_shape("strengths", strengths, boards.shape(0), num_hands);
  const int num_cards = static_cast<int>(boards.shape(1) + hands.shape(1));
  nb::gil_scoped_release release;
  const auto set_of = [&](const char* name, const Cards& cards, std::size_t row) {
    return bits.set_of(name, cards.data() + row * cards.shape(1), cards.shape(1));
  };
  std::vector<CardSet> hand_sets(num_hands), together(num_hands);
  for (std::size_t h = 0; h < num_hands; ++h) hand_sets[h] = set_of("hands", hands, h);
  for (std::size_t b = 0; b < boards.shape(0); ++b) {
    const CardSet board = set_of("boards", boards, b);
    std::int32_t* out = strengths.data() + b * num_hands;
    for (std::size_t h = 0; h < num_hands; ++h) together[h] = board | hand_sets[h];
    strengths_of_sets(together.data(), num_hands, num_cards, out);
    for (std::size_t h = 0; h < num_hands; ++h) out[h] = (hand_sets[h] & board) != 0 ? -1 : out[h];
  }
}

void bound_rollout_points(Array<const std::uint8_t> hand, Array<const std::uint8_t> board, Cards hands,
                          unsigned deck_size, unsigned num_suits, int num_dealt, Array<std::int32_t> points) {
  const DeckBits bits(deck_size, num_suits);
  verify_size("points", points, hands.shape(0));
  verify(hand.size() == 1 || hand.size() == 2, "`hand` must hold one or two cards");
  verify(hands.shape(1) == hand.size(), "`hands` must have as many columns as `hand` has cards");
  const std::size_t num_cards = hand.size() + board.size() + num_dealt;
  verify(num_dealt >= 0 && num_cards <= 7, "hand and board must have at most 7 cards");
  nb::gil_scoped_release release;
  const CardSet own = bits.set_of("hand", hand.data(), hand.size());
  const CardSet on_board = bits.set_of("board", board.data(), board.size());
  std::vector<CardSet> deck, opponents(hands.shape(0));
  for (unsigned card = 0; card < deck_size; ++card) {
    if ((bits[card] & (own | on_board)) == 0) deck.push_back(bits[card]);
  }
  for (std::size_t h = 0; h < opponents.size(); ++h) {
    opponents[h] = bits.set_of("hands", hands.data() + h * hands.shape(1), hands.shape(1));
  }
  rollout_points(own, on_board, opponents, deck, num_dealt, static_cast<int>(num_cards), points.data());
}

void bound_add_pair_points(Table<const std::int32_t> strengths, Array<const std::int32_t> weights,
                           Table<std::int32_t> points) {
  verify_size("weights", weights, strengths.shape(0));
  verify_shape("points", points, strengths.shape(1), strengths.shape(1));
  nb::gil_scoped_release release;
  add_pair_points(strengths.data(), weights.data(), strengths.shape(0), strengths.shape(1), points.data());
}

void index_all(const HandIndexer& indexer, Cards cards, int round, Array<std::uint64_t> indices) {
  verify_index("round", round, indexer.num_rounds());
  verify_size("indices", indices, cards.shape(0));
  const std::size_t count = cards.shape(0), columns = cards.shape(1);
  verify(columns == std::size_t(indexer.num_cards(round)), "`cards` must have a column for each card of the rounds");
  nb::gil_scoped_release release;
  verify_below("cards", cards.data(), cards.size(), std::uint8_t(indexer.deck_size()));
  const std::uint8_t* row = cards.data();
  std::uint64_t* out = indices.data();
  for (std::size_t i = 0; i < count; ++i, row += columns) out[i] = indexer.index(row, round);
}

void unindex_all(const HandIndexer& indexer, Array<const std::uint64_t> indices, int round, Table<std::uint8_t> cards) {
  verify_index("round", round, indexer.num_rounds());
  verify_shape("cards", cards, indices.size(), indexer.num_cards(round));
  nb::gil_scoped_release release;
  verify_below("indices", indices.data(), indices.size(), indexer.size(round));
  const std::uint64_t* next = indices.data();
  std::uint8_t* row = cards.data();
  for (std::size_t i = 0; i < indices.size(); ++i, row += cards.shape(1)) indexer.unindex(next[i], round, row);
}

std::uint64_t size_of_round(const HandIndexer& indexer, int round) {
  verify_index("round", round, indexer.num_rounds());
  return indexer.size(round);
}

}  // namespace

void bind_cards(nb::module_& m) {
  m.def("hand_strengths", &bound_hand_strengths, array_arg("cards"), nb::arg("num_suits"), array_arg("strengths"),
        "strengths[i] = the strength of the cards in row i.");
  m.def("board_strengths", &bound_board_strengths, array_arg("boards"), array_arg("hands"), nb::arg("num_suits"),
        array_arg("strengths"), "strengths[b, h] = the strength of hand h with board b; -1 where they share a card.");
  m.def("rollout_points", &bound_rollout_points, array_arg("hand"), array_arg("board"), array_arg("hands"),
        nb::arg("deck_size"), nb::arg("num_suits"), nb::arg("num_dealt"), array_arg("points"),
        "points[h] = the points of `hand` against hand h over all ways to deal `num_dealt` more cards; -1 where they "
        "share a card.");
  m.def("add_pair_points", &bound_add_pair_points, array_arg("strengths"), array_arg("weights"), array_arg("points"),
        "points[i, j] += the weighted points of hand i against hand j, over all boards.");
  nb::class_<HandIndexer>(m, "HandIndexer")
      .def(nb::init<int, int, const std::vector<int>&>(), nb::arg("num_ranks"), nb::arg("num_suits"),
           nb::arg("cards_per_round"))
      .def("size", &size_of_round, nb::arg("round"))
      .def("index", &index_all, array_arg("cards"), nb::arg("round"), array_arg("indices"))
      .def("unindex", &unindex_all, array_arg("indices"), nb::arg("round"), array_arg("cards"));
}

}  // namespace errai
