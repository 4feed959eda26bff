// An interleaved range asymmetric number system (J. Duda, 2013; F. Giesen, "Interleaved entropy coders", 2014): every
// lane has a state of 32 bits, at least 2^16 between two symbols, and all lanes share one stream of 16-bit words.
//
// Decoding a row, all lanes at once:
//   symbol    the state's lowest 10 bits are a slot of the context: state <- frequency * (state >> 10) + slot - start
//   quick     up to 6 bits beside the symbol are the lowest of the state: state <- state >> bits
//   refill    a state below 2^16 takes a word, lanes in order: state <- state << 16 | word
// and then, for the few lanes that have more, one by one: an escaped code as two words, or up to 7 bits more of the
// state and a refill. Encoding undoes all of it from the last row to the first, and writes the words in that order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "codec.hpp"

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

// The code that follows `code` when `symbol` came with `raw` beside it. A sign is there unless `code` is zero.
inline std::int32_t following_code(std::int32_t code, int symbol, std::uint32_t raw) {
  if (symbol < 2) return symbol ? code : 0;
  const std::uint32_t size = (1u << (symbol - 2)) + (raw >> (code != 0));
  return std::int32_t(std::uint32_t(code) + (code && (raw & 1) ? -size : size));
}

inline void refill(std::uint32_t& state, WordReader& words) {
  if (state < kLeastState) state = state << 16 | words.take();
}

// The lanes of a row that have more than quick bits. `low` are the quick bits; `next` takes the codes.
inline void decode_rests(unsigned rare, LaneStates& lanes, const std::uint8_t* symbols, const std::uint32_t* low,
                         std::int32_t* next, WordReader& words) {
  for (; rare; rare &= rare - 1) {
    const int lane = std::countr_zero(rare);
    if (symbols[lane] == kEscape) {
      const std::uint32_t half = words.take();
      next[lane] = std::int32_t(half | words.take() << 16);
      continue;
    }
    std::uint32_t& state = lanes.state[lane];
    const int bits = raw_bits(symbols[lane], lanes.recent[lane] != 0) - kQuickBits;
    const std::uint32_t high = state & ((1u << bits) - 1);
    state >>= bits;
    refill(state, words);
    next[lane] = following_code(lanes.code[lane], symbols[lane], high << kQuickBits | low[lane]);
  }
}

// A row, lane by lane. `above`: the symbols of the action before; becomes those of this one.
inline void decode_row(LaneStates& lanes, int num_lanes, const Slot* slots, std::uint8_t* above, WordReader& words) {
  std::uint32_t low[kChunkLanes];
  std::int32_t next[kChunkLanes];
  unsigned rare = 0;
  for (int lane = 0; lane < num_lanes; ++lane) {
    std::uint32_t& state = lanes.state[lane];
    const int context =
        kRecentPart[lanes.recent[lane]] + kBeforePart[lanes.before[lane]] + kAbovePart[above[lane]];
    const Slot slot = slots[context * kProbabilityTotal + state % kProbabilityTotal];
    state = slot.frequency() * (state >> kProbabilityBits) + slot.offset();
    low[lane] = state & ((1u << slot.quick_bits()) - 1);
    state >>= slot.quick_bits();
    refill(state, words);
    next[lane] = following_code(lanes.code[lane], slot.symbol(), low[lane]);
    rare |= unsigned(slot.is_rare()) << lane;
    above[lane] = std::uint8_t(slot.symbol());
  }
  decode_rests(rare, lanes, above, low, next, words);
  std::memcpy(lanes.code, next, num_lanes * sizeof *next);
  std::memcpy(lanes.before, lanes.recent, kChunkLanes);
  std::memcpy(lanes.recent, above, kChunkLanes);
}

// The words of a chunk while it is encoded, from the last to the first.
struct WordWriter {
  std::uint16_t* at;

  void put(std::uint32_t word) { *--at = std::uint16_t(word); }
};

// Rows as they are encoded, the last at the end.
struct CodedRows {
  const std::uint16_t* items;  // 16 a row: (context * kSymbols + symbol) << kQuickBits | quick bits
  const std::uint16_t* rare;   // a bit for each lane of a row with more than quick bits
  const std::uint32_t* rest;   // 16 a row that has such lanes: what there is beside the quick bits, or the escaped code
};

// Undoes `decode_rests`.
inline void encode_rests(unsigned rare, std::uint32_t* states, const std::uint16_t* items, const std::uint32_t* rest,
                         WordWriter& words) {
  while (rare) {
    const int lane = std::bit_width(rare) - 1;
    rare ^= 1u << lane;
    const int index = items[lane] >> kQuickBits, symbol = index % kSymbols;
    const std::uint32_t value = rest[lane];
    if (symbol == kEscape) {
      words.put(value >> 16);
      words.put(value);
      continue;
    }
    const int bits = raw_bits(symbol, has_sign(index / kSymbols)) - kQuickBits;
    std::uint32_t& state = states[lane];
    if (state >> (32 - bits)) {
      words.put(state);
      state >>= 16;
    }
    state = state << bits | value;
  }
}

// Undoes `decode_row`, but for the rests.
inline void encode_row(std::uint32_t* states, int num_lanes, const SymbolSlots* symbols, const std::uint16_t* items,
                       WordWriter& words) {
  for (int lane = num_lanes; lane-- > 0;) {
    const SymbolSlots slots = symbols[items[lane] >> kQuickBits];
    std::uint32_t state = states[lane];
    if (state >= slots.limit()) {
      words.put(state);
      state >>= 16;
    }
    state = state << slots.quick_bits() | (items[lane] & ((1u << kQuickBits) - 1));
    const std::uint32_t quotient = state / slots.frequency();
    states[lane] = (quotient << kProbabilityBits) + (state - quotient * slots.frequency()) + slots.start();
  }
}

}  // namespace errai
