#include "cards/strength.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

namespace errai {
namespace {

#if defined(__AVX512BW__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

// A block of hands fills one vector with one set of ranks per hand, or four vectors with the sets of all suits.
constexpr int kBlock = kVectorBytes / 2;
constexpr int kSetsPerVector = kVectorBytes / 8;
using Ranks [[gnu::vector_size(kVectorBytes)]] = std::uint16_t;
using Sets [[gnu::vector_size(kVectorBytes)]] = CardSet;

// Vector `row` of four holds hands 8q + 2 row and 8q + 2 row + 1 in its 128-bit lane q: in this order the transpose
// below stays within those lanes, which measured 1.8 times as fast as crossing them.
constexpr int hand_at(int row, int place) { return place / 2 * 8 + 2 * row + place % 2; }

// The even (or odd) elements of x, then of y, lane by lane of eight.
template <int First, int... I>
Ranks every_second(Ranks x, Ranks y, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(x, y, (I / 8 * 8 + I % 4 * 2 + First + (I % 8 < 4 ? 0 : kBlock))...);
}

// Elements of x and y in turn: those of the first (or second) half of each lane of eight.
template <int First, int... I>
Ranks in_turn(Ranks x, Ranks y, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(x, y, (I / 8 * 8 + I % 8 / 2 + First + (I % 2 ? kBlock : 0))...);
}

template <int NumCards>
void strengths_of_block(const Sets (&sets)[4], std::int32_t* strengths) {
  constexpr std::make_integer_sequence<int, kBlock> all;
  const auto row = [&](int r) { return reinterpret_cast<Ranks>(sets[r]); };
  const Ranks ac_low = every_second<0>(row(0), row(1), all), ac_high = every_second<0>(row(2), row(3), all);
  const Ranks bd_low = every_second<1>(row(0), row(1), all), bd_high = every_second<1>(row(2), row(3), all);
  const auto [high, low] = strength_detail::evaluate<NumCards, Ranks>(
      every_second<0>(ac_low, ac_high, all), every_second<0>(bd_low, bd_high, all),
      every_second<1>(ac_low, ac_high, all), every_second<1>(bd_low, bd_high, all));
  const Ranks halves[2] = {in_turn<0>(low, high, all), in_turn<4>(low, high, all)};
  for (int lane = 0; lane < kBlock / 8; ++lane) {
    for (int half = 0; half < 2; ++half) {
      std::memcpy(strengths + 8 * lane + 4 * half, reinterpret_cast<const char*>(&halves[half]) + 16 * lane, 16);
    }
  }
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
    default: throw std::invalid_argument("a hand has 1 to 7 cards");
  }
}

// One block of hands from rows of cards of a four-suit deck. Reads up to 8 bytes from the start of each row.
template <int NumCards>
void strengths_of_card_block(const std::uint8_t* cards, std::int32_t* strengths) {
  constexpr CardSet in_each_byte = 0x0101010101010101;
  Sets sets[4];
  for (int r = 0; r < 4; ++r) {
    Sets packed;
    for (int i = 0; i < kSetsPerVector; ++i) {
      CardSet row;
      std::memcpy(&row, cards + NumCards * hand_at(r, i), sizeof row);
      packed[i] = row;
    }
    // card = 4 rank + suit becomes the place of its bit, 16 suit + rank, in all bytes at once.
    const Sets places = ((packed >> 2) & (15 * in_each_byte)) | ((packed & (3 * in_each_byte)) << 4);
    sets[r] = Sets{};
    for (int j = 0; j < NumCards; ++j) sets[r] |= (Sets{} + CardSet{1}) << ((places >> (8 * j)) & 63);
  }
  strengths_of_block<NumCards>(sets, strengths);
}

// The number in a deck with four suits of each card of a deck with `num_suits` suits.
std::array<std::uint8_t, 256> four_suit_cards(unsigned num_suits) {
  std::array<std::uint8_t, 256> numbers{};
  for (unsigned card = 0; card < 13 * num_suits; ++card) {
    numbers[card] = static_cast<std::uint8_t>(4 * (card / num_suits) + card % num_suits);
  }
  return numbers;
}

template <int NumCards>
void strengths_of_cards(const std::uint8_t* cards, std::size_t count, unsigned num_suits, std::int32_t* strengths) {
  std::size_t first = 0;
  if (num_suits == 4) {
    // At least eight more hands follow every block that is read in place, so that eight bytes of its last row can be
    // read.
    for (; first + kBlock + 8 <= count; first += kBlock) {
      strengths_of_card_block<NumCards>(cards + first * NumCards, strengths + first);
    }
  }
  const auto numbers = four_suit_cards(num_suits);
  std::uint8_t block_cards[kBlock * NumCards + 8] = {};
  std::int32_t block_strengths[kBlock];
  for (; first < count; first += kBlock) {
    const std::size_t size = std::min<std::size_t>(kBlock, count - first);
    for (std::size_t i = 0; i < size * NumCards; ++i) block_cards[i] = numbers[cards[first * NumCards + i]];
    strengths_of_card_block<NumCards>(block_cards, block_strengths);
    std::copy_n(block_strengths, size, strengths + first);
  }
}

}  // namespace

void hand_strengths(const std::uint8_t* cards, std::size_t count, int num_cards, unsigned num_suits,
                    std::int32_t* strengths) {
  with_num_cards(num_cards, [&]<int NumCards>() { strengths_of_cards<NumCards>(cards, count, num_suits, strengths); });
}

void strengths_of_sets(const CardSet* sets, std::size_t count, int num_cards, std::int32_t* strengths) {
  with_num_cards(num_cards, [&]<int NumCards>() {
    const auto run_block = [](const CardSet* block, std::int32_t* out) {
      Sets vectors[4];
      for (int r = 0; r < 4; ++r) {
        for (int i = 0; i < kSetsPerVector; ++i) vectors[r][i] = block[hand_at(r, i)];
      }
      strengths_of_block<NumCards>(vectors, out);
    };
    std::size_t first = 0;
    for (; first + kBlock <= count; first += kBlock) run_block(sets + first, strengths + first);
    if (first == count) return;
    CardSet last_sets[kBlock] = {};
    std::int32_t last_strengths[kBlock];
    std::copy(sets + first, sets + count, last_sets);
    run_block(last_sets, last_strengths);
    std::copy_n(last_strengths, count - first, strengths + first);
  });
}

}  // namespace errai
