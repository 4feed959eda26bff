#include "strength.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <nanobind/ndarray.h>

#include "bindings.hpp"

namespace errai {
namespace {

using strength_detail::uint16x16;
constexpr std::size_t kBlock = 16;

// Sixteen sets in, sixteen strengths out: the sets are transposed into one vector a suit.
template <int NumCards>
void strengths_of_block(const CardSet* sets, std::int32_t* strengths) {
  uint16x16 rows[4];
  std::memcpy(rows, sets, sizeof rows);
  // Neighbours of two rows, then of two pairs of rows: a 4 x 4 transposition of 16-bit lanes.
  const auto evens = [](uint16x16 x, uint16x16 y) {
    return __builtin_shufflevector(x, y, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  };
  const auto odds = [](uint16x16 x, uint16x16 y) {
    return __builtin_shufflevector(x, y, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  };
  const uint16x16 ac_low = evens(rows[0], rows[1]), ac_high = evens(rows[2], rows[3]);
  const uint16x16 bd_low = odds(rows[0], rows[1]), bd_high = odds(rows[2], rows[3]);
  const auto [high, low] = strength_detail::evaluate<NumCards, uint16x16>(evens(ac_low, ac_high), evens(bd_low, bd_high),
                                                                          odds(ac_low, ac_high), odds(bd_low, bd_high));
  const uint16x16 interleaved[2] = {
      __builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
      __builtin_shufflevector(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)};
  std::memcpy(strengths, interleaved, sizeof interleaved);
}

// Calls `kernel.operator()<NumCards>()` for the run-time number of cards.
template <class Kernel>
void with_num_cards(int num_cards, Kernel kernel) {
  switch (num_cards) {
    case 1: return kernel.template operator()<1>();
    case 2: return kernel.template operator()<2>();
    case 3: return kernel.template operator()<3>();
    case 4: return kernel.template operator()<4>();
    case 5: return kernel.template operator()<5>();
    case 6: return kernel.template operator()<6>();
    case 7: return kernel.template operator()<7>();
  }
}

// Runs blocks of sixteen hands; `make_set(i)` gives the set of hand i. The last block is padded with empty sets.
template <int NumCards, class MakeSet>
void strengths_of_all(std::size_t count, MakeSet make_set, std::int32_t* strengths) {
  CardSet sets[kBlock];
  std::size_t first = 0;
  for (; first + kBlock <= count; first += kBlock) {
    for (std::size_t i = 0; i < kBlock; ++i) sets[i] = make_set(first + i);
    strengths_of_block<NumCards>(sets, strengths + first);
  }
  if (first == count) return;
  std::int32_t last[kBlock];
  std::fill(sets, sets + kBlock, CardSet{0});
  for (std::size_t i = first; i < count; ++i) sets[i - first] = make_set(i);
  strengths_of_block<NumCards>(sets, last);
  std::copy(last, last + (count - first), strengths + first);
}

std::array<CardSet, 256> card_bits(unsigned num_suits) {
  std::array<CardSet, 256> bits{};
  for (unsigned card = 0; card < 13 * num_suits; ++card) bits[card] = card_bit(card, num_suits);
  return bits;
}

using Cards = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Board = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Strengths = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// strengths[i] = strength of the cards in row i.
void hand_strengths(Cards cards, unsigned num_suits, Strengths strengths) {
  const std::uint8_t* rows = cards.data();
  const std::size_t count = cards.shape(0);
  std::int32_t* out = strengths.data();
  const auto bits = card_bits(num_suits);
  const int num_cards = static_cast<int>(cards.shape(1));
  nb::gil_scoped_release release;
  with_num_cards(num_cards, [&]<int NumCards>() {
    strengths_of_all<NumCards>(
        count,
        [&](std::size_t i) {
          CardSet set = 0;
          for (int j = 0; j < NumCards; ++j) set |= bits[rows[i * NumCards + j]];
          return set;
        },
        out);
  });
}

// strengths[i] = strength of the hand in row i together with the board; -1 where they share a card.
void board_strengths(Board board, Cards hands, unsigned num_suits, Strengths strengths) {
  const std::uint8_t* rows = hands.data();
  const std::size_t count = hands.shape(0), hole = hands.shape(1);
  std::int32_t* out = strengths.data();
  const auto bits = card_bits(num_suits);
  CardSet on_board = 0;
  for (std::size_t j = 0; j < board.shape(0); ++j) on_board |= bits[board.data()[j]];
  const int num_cards = static_cast<int>(board.shape(0) + hole);
  nb::gil_scoped_release release;
  const auto hand = [&](std::size_t i) {
    CardSet set = 0;
    for (std::size_t j = 0; j < hole; ++j) set |= bits[rows[i * hole + j]];
    return set;
  };
  with_num_cards(num_cards, [&]<int NumCards>() {
    strengths_of_all<NumCards>(count, [&](std::size_t i) { return on_board | hand(i); }, out);
  });
  for (std::size_t i = 0; i < count; ++i)
    if (hand(i) & on_board) out[i] = -1;
}

}  // namespace

void strengths_of_sets(const CardSet* sets, std::size_t count, int num_cards, std::int32_t* strengths) {
  with_num_cards(num_cards, [&]<int NumCards>() {
    strengths_of_all<NumCards>(count, [sets](std::size_t i) { return sets[i]; }, strengths);
  });
}

}  // namespace errai

void bind_strength(nb::module_& m) {
  m.def("hand_strengths", &errai::hand_strengths, nb::arg("cards"), nb::arg("num_suits"), nb::arg("strengths"));
  m.def("board_strengths", &errai::board_strengths, nb::arg("board"), nb::arg("hands"), nb::arg("num_suits"),
        nb::arg("strengths"));
}
