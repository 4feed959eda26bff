// The strength of a hand of one to seven cards: a number, larger is stronger, equal is a tie.
//
// There are no tables. A hand is one set of ranks per suit; pairs, runs and flushes are found by bitwise arithmetic on
// those sets, written once and run on one hand (`Mask` = uint16_t) or on one hand per lane (`Mask` = a vector of
// uint16_t).
//
// Layout of a strength:   bits 27-30  category, in the order of the ranking
//                         bits 14-26  ranks that make the category: quads, trips, pairs, the top of a straight
//                         bits  0-12  the kickers that count; of a full house the pair; of a flush its five ranks
// As numbers, sets of the same size compare like hands do card by card from the top.
//
// Rules: five to seven cards count as their best five by the rules of poker. Three cards rank straight flush, trips,
// straight, flush, pair, high card. With one, two or four cards there are neither straights nor flushes. Runs wrap
// below the lowest rank only in a deck of thirteen ranks, where rank 12 is the ace.
#pragma once

#include <cstddef>
#include <cstdint>

namespace errai {

// The cards of a hand or board: bit `16 * suit + rank`.
using CardSet = std::uint64_t;

inline CardSet card_bit(unsigned card, unsigned num_suits) {
  return CardSet{1} << (16 * (card % num_suits) + card / num_suits);
}

// The strengths of `count` hands: rows of `num_cards` different cards of a deck with `num_suits` suits.
void hand_strengths(const std::uint8_t* cards, std::size_t count, int num_cards, unsigned num_suits,
                    std::int32_t* strengths);

// The strengths of `count` sets of `num_cards` cards each.
void strengths_of_sets(const CardSet* sets, std::size_t count, int num_cards, std::int32_t* strengths);

namespace strength_detail {

// Expressions of `Mask` are the same for integers and for vectors: a comparison of vectors is a vector, and `?:`
// accepts it.

template <int Count, class Mask>
Mask drop_lowest(Mask ranks) {
  for (int i = 0; i < Count; ++i) ranks = ranks & (ranks - 1);
  return ranks;
}

template <class Mask>
Mask highest(Mask ranks) {
  ranks |= ranks >> 1;
  ranks |= ranks >> 2;
  ranks |= ranks >> 4;
  ranks |= ranks >> 8;
  return ranks ^ (ranks >> 1);
}

// The two highest of at most three ranks.
template <class Mask>
Mask highest_two(Mask ranks) {
  const Mask without_lowest = drop_lowest<1, Mask>(ranks);
  return drop_lowest<1, Mask>(without_lowest) == 0 ? ranks : without_lowest;
}

// The top ranks of all runs of `Length` ranks.
template <int Length, class Mask>
Mask run_tops(Mask ranks) {
  const Mask from_low_ace = (ranks << 1) | (ranks >> 12);
  Mask tops = from_low_ace;
  for (int i = 1; i < Length; ++i) tops &= from_low_ace << i;
  return tops >> 1;
}

// The ranks of a suit that holds at least `Length` cards, else none.
template <int Length, class Mask>
Mask flush_ranks(Mask suit) {
  return drop_lowest<Length - 1, Mask>(suit) == 0 ? Mask{} : suit;
}

// `category` where `ranks` is not empty and the category is higher than `so_far`.
template <class Mask>
Mask raise_category(Mask so_far, Mask ranks, std::uint16_t category) {
  const Mask candidate = ranks == 0 ? Mask{} : static_cast<Mask>(Mask{} + category);
  return candidate > so_far ? candidate : so_far;
}

template <class Mask>
struct Halves {
  Mask high, low;
};

template <int NumCards, class Mask>
[[gnu::always_inline]] inline Halves<Mask> evaluate(Mask a, Mask b, Mask c, Mask d) {
  constexpr int run_length = NumCards >= 5 ? 5 : NumCards == 3 ? 3 : 0;
  constexpr int surplus = NumCards > 5 ? NumCards - 5 : 0;
  constexpr std::uint16_t pair = 1, two_pair = 2, trips = NumCards == 3 ? 5 : 3, straight = 4,
                          flush = NumCards == 3 ? 3 : 5, full_house = 6, quads = 7, straight_flush = 8;
  const Mask none{};

  const Mask once = a | b | c | d;
  const Mask twice = (a & b) | (c & d) | ((a | b) & (c | d));
  const Mask thrice = (a & b & (c | d)) | (c & d & (a | b));
  const Mask four_times = a & b & c & d;
  const Mask second_pair = drop_lowest<1, Mask>(twice);
  const Mask full = thrice == 0 ? none : second_pair;

  Mask category = raise_category<Mask>(none, twice, pair);
  category = raise_category<Mask>(category, second_pair, two_pair);
  category = raise_category<Mask>(category, thrice, trips);
  category = raise_category<Mask>(category, full, full_house);
  category = raise_category<Mask>(category, four_times, quads);

  Mask makers = thrice == 0 ? highest_two<Mask>(twice) : highest<Mask>(four_times == 0 ? thrice : four_times);
  const Mask several_kickers = drop_lowest<surplus, Mask>(once & ~makers);
  const Mask kicker_source = four_times == 0 ? (full == 0 ? once : twice) : once;
  const Mask one_kicker = highest<Mask>(kicker_source & ~makers);
  Mask kickers = (second_pair | four_times) == 0 ? several_kickers : one_kicker;

  // With at most seven cards, a hand with a straight or a flush has neither a full house nor quads.
  if constexpr (run_length > 0) {
    const Mask suited = flush_ranks<run_length, Mask>(a) | flush_ranks<run_length, Mask>(b) |
                        flush_ranks<run_length, Mask>(c) | flush_ranks<run_length, Mask>(d);
    const Mask suited_runs = run_tops<run_length, Mask>(suited);
    const Mask runs = suited == 0 ? run_tops<run_length, Mask>(once) : suited_runs;
    category = raise_category<Mask>(category, runs, straight);
    category = raise_category<Mask>(category, suited, flush);
    category = raise_category<Mask>(category, suited_runs, straight_flush);

    Mask best_suited = suited;
    Mask beyond = drop_lowest<run_length, Mask>(suited);
    for (int i = 0; i < surplus; ++i) {
      best_suited = beyond == 0 ? best_suited : drop_lowest<1, Mask>(best_suited);
      beyond = drop_lowest<1, Mask>(beyond);
    }
    makers = runs == 0 ? (suited == 0 ? makers : none) : highest<Mask>(runs);
    kickers = runs == 0 ? (suited == 0 ? kickers : best_suited) : none;
  }
  return {static_cast<Mask>((category << 11) | (makers >> 2)), static_cast<Mask>((makers << 14) | kickers)};
}

}  // namespace strength_detail

// The strength of one set of `NumCards` cards.
template <int NumCards>
std::int32_t strength(CardSet set) {
  const auto halves = strength_detail::evaluate<NumCards, std::uint16_t>(
      static_cast<std::uint16_t>(set), static_cast<std::uint16_t>(set >> 16), static_cast<std::uint16_t>(set >> 32),
      static_cast<std::uint16_t>(set >> 48));
  return static_cast<std::int32_t>(halves.high) << 16 | halves.low;
}

}  // namespace errai
