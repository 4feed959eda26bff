// The strength of a hand of one to seven cards: a number, larger is stronger, equal is a tie.
//
// No tables. A hand is one set of ranks a suit; whether it holds pairs, runs or flushes is bitwise arithmetic on those sets,
// written once and run on one hand (`Mask` = uint16_t) or on sixteen (`Mask` = uint16x16, one hand a lane).
//
// Layout of a strength:   bits 27-30  category, in the order of the ranking
//                         bits 14-26  ranks that make the category: quads, trips, pairs, the top of a straight
//                         bits  0-12  kickers, as many as count; of a full house the pair; of a flush its five ranks
// Sets of equally many ranks compare as numbers the way hands compare card by card from the top.
//
// Rules: five to seven cards are the best five of ordinary poker. Three cards rank straight flush, trips, straight, flush,
// pair, high card. One, two and four cards know neither straights nor flushes. Runs wrap below the lowest rank only in a
// deck of thirteen ranks, where rank 12 is the ace.
#pragma once

#include <cstddef>
#include <cstdint>

namespace errai {

// The cards of a hand or board: bit `16 * suit + rank`.
using CardSet = std::uint64_t;

inline CardSet card_bit(unsigned card, unsigned num_suits) {
  return CardSet{1} << (16 * (card % num_suits) + card / num_suits);
}

// The strengths of `count` sets of `num_cards` cards each.
void strengths_of_sets(const CardSet* sets, std::size_t count, int num_cards, std::int32_t* strengths);

namespace strength_detail {

using uint16x16 = std::uint16_t __attribute__((vector_size(32)));

inline std::uint16_t nonzero(std::uint16_t x) { return x != 0 ? 0xffff : 0; }
inline uint16x16 nonzero(uint16x16 x) { return reinterpret_cast<uint16x16>(x != 0); }

template <class Mask>
Mask select(Mask condition, Mask yes, Mask no) {
  return (condition & yes) | (~condition & no);
}

template <class Mask>
Mask larger(Mask a, Mask b) {
  return a > b ? a : b;
}

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
  const Mask without_lowest = drop_lowest<1>(ranks);
  const Mask are_two = nonzero(drop_lowest<1>(without_lowest));
  return select(are_two, without_lowest, ranks);
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
  return nonzero(drop_lowest<Length - 1>(suit)) & suit;
}

template <class Mask>
struct Halves {
  Mask high, low;
};

template <int NumCards, class Mask>
Halves<Mask> evaluate(Mask a, Mask b, Mask c, Mask d) {
  constexpr int run_length = NumCards >= 5 ? 5 : NumCards == 3 ? 3 : 0;
  constexpr int surplus = NumCards > 5 ? NumCards - 5 : 0;
  constexpr std::uint16_t pair = 1, two_pair = 2, trips = NumCards == 3 ? 5 : 3, straight = 4,
                          flush = NumCards == 3 ? 3 : 5, full_house = 6, quads = 7, straight_flush = 8;

  const Mask once = a | b | c | d;
  const Mask twice = (a & b) | (c & d) | ((a | b) & (c | d));
  const Mask thrice = (a & b & (c | d)) | (c & d & (a | b));
  const Mask four_times = a & b & c & d;
  const Mask has_two = nonzero(drop_lowest<1>(twice));
  const Mask has_trips = nonzero(thrice);
  const Mask has_quads = nonzero(four_times);
  const Mask has_full = has_two & has_trips;

  Mask category = nonzero(twice) & pair;
  category = larger<Mask>(category, has_two & two_pair);
  category = larger<Mask>(category, has_trips & trips);
  category = larger<Mask>(category, has_full & full_house);
  category = larger<Mask>(category, has_quads & quads);

  Mask makers = select<Mask>(has_trips, highest(select(has_quads, four_times, thrice)), highest_two(twice));
  Mask kickers = drop_lowest<surplus, Mask>(once & ~makers);
  const Mask one_kicker = highest<Mask>(select<Mask>(has_full & ~has_quads, twice, once) & ~makers);
  kickers = select<Mask>(has_two | has_quads, one_kicker, kickers);

  // With at most seven cards, whoever has a straight or a flush has neither a full house nor quads.
  if constexpr (run_length > 0) {
    const Mask suited = flush_ranks<run_length>(a) | flush_ranks<run_length>(b) | flush_ranks<run_length>(c) |
                        flush_ranks<run_length>(d);
    const Mask suited_runs = run_tops<run_length>(suited);
    const Mask has_flush = nonzero(suited);
    const Mask has_straight_flush = nonzero(suited_runs);
    const Mask runs = select(has_straight_flush, suited_runs, run_tops<run_length>(once));
    const Mask has_straight = nonzero(runs);

    category = larger<Mask>(category, has_straight & straight);
    category = larger<Mask>(category, has_flush & flush);
    category = larger<Mask>(category, has_straight_flush & straight_flush);

    Mask best_suited = suited;
    Mask beyond = drop_lowest<run_length>(suited);
    for (int i = 0; i < surplus; ++i) {
      best_suited = select(nonzero(beyond), drop_lowest<1>(best_suited), best_suited);
      beyond = drop_lowest<1>(beyond);
    }
    const Mask only_flush = has_flush & ~has_straight_flush;
    makers = select<Mask>(has_straight, highest(runs), makers) & ~only_flush;
    kickers = select<Mask>(only_flush, best_suited, kickers & ~has_straight);
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
