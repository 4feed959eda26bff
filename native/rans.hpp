// An interleaved range asymmetric number system (J. Duda, 2013; F. Giesen, "Interleaved entropy coders", 2014): every lane
// has a state of 32 bits, at least 2^16 between two symbols, and all lanes share one stream of 16-bit words.
//
// Decoding a row, all lanes at once:
//   symbol    the state's lowest 10 bits are a slot of the context: state <- frequency * (state >> 10) + slot - start
//   quick     up to 6 bits beside the symbol are the lowest of the state: state <- state >> bits
//   refill    a state below 2^16 takes a word, lanes in order: state <- state << 16 | word
// and then, for the few lanes that have more, one by one: an escaped code as two words, or up to 7 bits more of the state
// and a refill. Encoding undoes all of it from the last row to the first, which writes the words from the last to the first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "codec.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace errai {

constexpr std::uint32_t kLeastState = 1 << 16;

// The words that are left to read.
struct WordReader {
  const std::uint8_t* at;
  const std::uint8_t* end;

  std::ptrdiff_t left() const { return (end - at) / 2; }
  std::uint32_t take() {
    if (left() < 1) throw std::runtime_error("a packed chunk ends too early");
    std::uint16_t word;
    std::memcpy(&word, at, 2);
    at += 2;
    return word;
  }
};

// Where all lanes of an action are, after some hand.
struct LaneStates {
  alignas(32) std::uint32_t state[kChunkLanes];
  alignas(32) std::int32_t code[kChunkLanes];
  alignas(16) std::uint8_t recent[kChunkLanes];
  alignas(16) std::uint8_t before[kChunkLanes];

  void begin_action() {
    std::memset(code, 0, sizeof code);
    std::memset(recent, 0, sizeof recent);
    std::memset(before, 0, sizeof before);
  }
};

// The code that follows `code` when `symbol` came with `raw` beside it.
inline std::int32_t following_code(std::int32_t code, int symbol, bool has_sign, std::uint32_t raw) {
  if (symbol < 2) return symbol ? code : 0;
  const std::uint32_t size = 1u << (symbol - 2) | raw >> has_sign;
  return std::int32_t(std::uint32_t(code) + (has_sign && (raw & 1) ? -size : size));
}

inline void refill(std::uint32_t& state, WordReader& words) {
  if (state < kLeastState) state = state << 16 | words.take();
}

// One lane of a row that has more than quick bits, or an escaped code. `low` are its quick bits.
inline std::int32_t decode_rest(std::uint32_t& state, std::int32_t code, int symbol, bool has_sign, std::uint32_t low,
                                WordReader& words) {
  if (symbol == kEscape) {
    const std::uint32_t half = words.take();
    return std::int32_t(half | words.take() << 16);
  }
  const int bits = raw_bits(symbol, has_sign) - kQuickBits;
  const std::uint32_t high = state & ((1u << bits) - 1);
  state >>= bits;
  refill(state, words);
  return following_code(code, symbol, has_sign, high << kQuickBits | low);
}

// A row, lane by lane. `above`: the symbols of the action before; becomes those of this one.
inline void decode_row_plainly(LaneStates& lanes, int num_lanes, const std::uint32_t* slots, std::uint8_t* above,
                               WordReader& words) {
  std::uint32_t low[kChunkLanes];
  std::int32_t next[kChunkLanes];
  unsigned rare = 0;
  for (int lane = 0; lane < num_lanes; ++lane) {
    std::uint32_t& state = lanes.state[lane];
    const int context =
        kRecentPart[lanes.recent[lane]] + kBeforePart[lanes.before[lane]] + kAbovePart[above[lane]];
    const std::uint32_t slot = slots[context * kProbabilityTotal + (state & (kProbabilityTotal - 1))];
    state = (slot >> 14) * (state >> kProbabilityBits) + (slot & (kProbabilityTotal - 1));
    const int symbol = slot >> 10 & 15;
    const bool has_sign = lanes.recent[lane] != 0;
    const int bits = raw_bits(symbol, has_sign);
    const int quick = bits < kQuickBits ? bits : kQuickBits;
    low[lane] = state & ((1u << quick) - 1);
    state >>= quick;
    refill(state, words);
    if (bits > kQuickBits || symbol == kEscape)
      rare |= 1u << lane;
    else
      next[lane] = following_code(lanes.code[lane], symbol, has_sign, low[lane]);
    above[lane] = std::uint8_t(symbol);
  }
  for (; rare; rare &= rare - 1) {
    const int lane = std::countr_zero(rare);
    next[lane] = decode_rest(lanes.state[lane], lanes.code[lane], above[lane], lanes.recent[lane] != 0, low[lane], words);
  }
  std::memcpy(lanes.code, next, num_lanes * sizeof *next);
  std::memcpy(lanes.before, lanes.recent, kChunkLanes);
  std::memcpy(lanes.recent, above, kChunkLanes);
}

// The words of a chunk while it is encoded, from the last to the first.
struct WordWriter {
  std::uint16_t* at;

  void put(std::uint32_t word) { *--at = std::uint16_t(word); }
};

// Undoes `decode_row_plainly`. An item is (context * kSymbols + symbol) << 6 | quick bits; `rest` ends with what the lanes
// of `rare` have beside them.
inline void encode_row(std::uint32_t* states, int num_lanes, const EncodeEntry* entries, const std::uint16_t* items,
                       unsigned rare, const std::uint32_t*& rest, WordWriter& words) {
  for (; rare; rare &= ~(1u << (31 - std::countl_zero(rare)))) {
    const int lane = 31 - std::countl_zero(rare);
    const int symbol = items[lane] >> kQuickBits & (kSymbols - 1);
    const std::uint32_t value = *--rest;
    if (symbol == kEscape) {
      words.put(value >> 16);
      words.put(value);
      continue;
    }
    const bool has_sign = items[lane] >> kQuickBits >= kRecentPart[1] * kSymbols;
    const int bits = raw_bits(symbol, has_sign) - kQuickBits;
    std::uint32_t& state = states[lane];
    if (state >> (32 - bits)) {
      words.put(state);
      state >>= 16;
    }
    state = state << bits | value;
  }
  for (int lane = num_lanes; lane-- > 0;) {
    const EncodeEntry& entry = entries[items[lane] >> kQuickBits];
    std::uint32_t state = states[lane];
    const bool is_full = state >= entry.limit;
    *(words.at - 1) = std::uint16_t(state);
    words.at -= is_full;
    state = is_full ? state >> 16 : state;
    state = state << entry.quick_bits | (items[lane] & ((1u << kQuickBits) - 1));
    const auto quotient = std::uint32_t(state * entry.reciprocal >> 42);
    states[lane] = state + quotient * (kProbabilityTotal - entry.frequency) + entry.start;
  }
}

}  // namespace errai
