// An interleaved range asymmetric number system (J. Duda, 2013; F. Giesen, "Interleaved entropy coders", 2014): every
// pair of lanes has a state of 32 bits, at least 2^16 between steps, and all pairs share one stream of 16-bit words.
//
// A row is decoded in these steps, each for all pairs at once:
//   symbol    the lowest bits of the state select a slot of the context: state <- frequency * (state >> bits) + offset
//   refill    a state below 2^16 takes a word, pairs in order: state <- state << 16 | word
//   sizes     the bits besides the classes, of the even lane and then of the odd one, are the lowest of the state
//   refill
//   escapes   escaped lanes take their code, one word each, in order
// Encoding undoes these steps from the last row to the first, and writes the words in that order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "codec/chunks.hpp"

namespace errai {

constexpr std::uint32_t kLeastState = 1 << 16;

// The words that remain to be read.
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
  void refill(std::uint32_t& state) {
    if (state < kLeastState) state = state << 16 | take();
  }
};

// The state of all pairs and lanes of an action after some hand.
struct LaneStates {
  alignas(32) std::uint32_t state[kChunkPairs];
  alignas(32) std::int16_t code[kChunkLanes];
  int context[kChunkPairs];

  void begin() {
    std::memset(code, 0, sizeof code);
    std::memset(context, 0, sizeof context);
  }
};

// Decodes a row, pair by pair.
inline void decode_row(LaneStates& lanes, const Slot* slots, WordReader& words) {
  int classes[kChunkLanes];
  for (int pair = 0; pair < kChunkPairs; ++pair) {
    std::uint32_t& state = lanes.state[pair];
    const Slot slot = slots[lanes.context[pair] * kProbabilityTotal + state % kProbabilityTotal];
    state = slot.frequency() * (state >> kProbabilityBits) + slot.offset();
    classes[2 * pair] = slot.symbol() / kClasses;
    classes[2 * pair + 1] = slot.symbol() % kClasses;
    lanes.context[pair] = slot.context();
    words.refill(state);
  }
  bool is_escaped[kChunkLanes];
  for (int lane = 0; lane < kChunkLanes; ++lane) {
    std::uint32_t& state = lanes.state[lane / 2];
    const bool has_sign = classes[lane] > 1 && lanes.code[lane] != 0;
    const int bits = kSizeBits[classes[lane]] + has_sign;
    const std::uint32_t raw = state & ((1u << bits) - 1);
    state >>= bits;
    const int size = kLeastSize[classes[lane]] + int(raw >> has_sign);
    lanes.code[lane] = std::int16_t(classes[lane] ? lanes.code[lane] + (has_sign && raw % 2 ? -size : size) : 0);
    is_escaped[lane] = size == kEscapedSize;
    if (lane % 2) words.refill(state);
  }
  for (int lane = 0; lane < kChunkLanes; ++lane)
    if (is_escaped[lane]) lanes.code[lane] = std::int16_t(words.take());
}

// The words of a stream while it is encoded, from the last to the first.
struct WordWriter {
  std::uint16_t* at;

  void put(std::uint32_t word) { *--at = std::uint16_t(word); }
};

// Encodes the escapes: undoes the last step of a row.
inline void encode_escapes(unsigned escaped, const std::uint16_t* codes, WordWriter& words) {
  for (; escaped; escaped ^= std::bit_floor(escaped)) words.put(codes[std::bit_width(escaped) - 1]);
}

// Undoes the other steps.
inline void encode_row(std::uint32_t* states, const SymbolSlots* symbols, const Item* items, WordWriter& words) {
  for (int pair = kChunkPairs; pair-- > 0;) {
    std::uint32_t& state = states[pair];
    if (std::uint64_t(state) << items[pair].count() >> 32) {
      words.put(state);
      state >>= 16;
    }
    state = state << items[pair].count() | items[pair].raw();
  }
  for (int pair = kChunkPairs; pair-- > 0;) {
    std::uint32_t& state = states[pair];
    const SymbolSlots slots = symbols[items[pair].index()];
    if (state >> (32 - kProbabilityBits) >= slots.frequency()) {
      words.put(state);
      state >>= 16;
    }
    const std::uint32_t quotient = state / slots.frequency();
    state = (quotient << kProbabilityBits) + (state - quotient * slots.frequency()) + slots.start();
  }
}

}  // namespace errai
