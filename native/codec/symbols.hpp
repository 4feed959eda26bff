// The alphabet in which regrets are coded, and the probability of each symbol.
//
// A code is a regret in fixed point, 15 bits. Its prediction is the code of the hand before (same node, action and
// lane); its class gives the difference, the residual:
//
//     0        the code is zero
//     1        the code is not zero and equals that of the hand before
//     2 ... 7  it differs by a size of 1, 2-3, 4-7, 8-23, 24-87, 88-214; bits besides the class give the size, and one
//              more, the lowest, the sign, unless the code before was zero, so that the residual can only be positive
//     7        with all bits set: escaped; the difference is larger, and the code itself follows
//
// Two neighbouring lanes share a symbol: the classes of both. Lanes resemble each other, so that symbols of pairs with
// a rough context of the hand before take no more space than symbols of single lanes with twice the context, and half
// the time. The sizes are those that take the least space on converged turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace errai {

constexpr int kClasses = 8;
constexpr int kSymbols = kClasses * kClasses;  // class of the even lane * kClasses + that of the odd one
constexpr int kClassLevels = 4;
constexpr int kContexts = kClassLevels * kClassLevels;
constexpr int kProbabilityBits = 10;
constexpr int kProbabilityTotal = 1 << kProbabilityBits;

constexpr std::array<std::uint8_t, kClasses> kLeastSize{0, 0, 1, 2, 4, 8, 24, 88};
constexpr std::array<std::uint8_t, kClasses> kSizeBits{0, 0, 0, 1, 2, 4, 6, 7};
constexpr int kEscapedSize = kLeastSize[kClasses - 1] + (1 << kSizeBits[kClasses - 1]) - 1;

// What the context of the next symbol keeps of a class.
constexpr std::array<std::uint8_t, kClasses> kClassLevel{0, 1, 2, 2, 3, 3, 3, 3};

// The context of the symbol that follows one.
constexpr int following_context(int symbol) {
  return kClassLevel[symbol / kClasses] * kClassLevels + kClassLevel[symbol % kClasses];
}

// A pair of lanes as it is encoded; from the lowest bit: the bits besides the classes (16), their number (5), and
// context * kSymbols + symbol.
struct Item {
  static constexpr int kCountBegin = 16;
  static constexpr int kIndexBegin = kCountBegin + 5;
  std::uint32_t bits;

  std::uint32_t raw() const { return bits & 0xffff; }
  int count() const { return bits >> kCountBegin & 31; }
  int index() const { return bits >> kIndexBegin; }
};

// How often each symbol was seen in each context.
struct SymbolCounts {
  std::array<std::uint64_t, kContexts * kSymbols> seen{};

  void add(const SymbolCounts& other) {
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] += other.seen[i];
  }
  // For a file without a previous version: residuals of any size, each class half as probable as the one before.
  static SymbolCounts of_first_version() {
    SymbolCounts counts;
    for (std::size_t i = 0; i < counts.seen.size(); ++i)
      counts.seen[i] = 1 << (2 * kClasses - i % kSymbols / kClasses - i % kClasses);
    return counts;
  }
};

// A symbol in a context, for the encoder: its frequency, and its first slot.
struct SymbolSlots {
  std::uint32_t bits;

  std::uint32_t frequency() const { return bits & (kProbabilityTotal - 1); }
  std::uint32_t start() const { return bits >> kProbabilityBits; }
};

// A slot of a context, for the decoder; from the lowest bit: slot - start, the context of the next symbol, symbol,
// frequency. The next slot is found by masks alone: its index is the context and the lowest bits of the state side by
// side.
struct Slot {
  static constexpr int kContextBegin = kProbabilityBits;
  static constexpr int kSymbolBegin = 16;
  static constexpr int kFrequencyBegin = 32 - kProbabilityBits;
  std::uint32_t bits;

  std::uint32_t offset() const { return bits & (kProbabilityTotal - 1); }
  int context() const { return bits >> kContextBegin & (kContexts - 1); }
  int symbol() const { return bits >> kSymbolBegin & (kSymbols - 1); }
  std::uint32_t frequency() const { return bits >> kFrequencyBegin; }
};
static_assert(kContexts <= 1 << (Slot::kSymbolBegin - Slot::kContextBegin));
static_assert(kSymbols <= 1 << (Slot::kFrequencyBegin - Slot::kSymbolBegin));

// The tables of one version of a file, made from the counts of the previous version.
class SymbolModel {
 public:
  explicit SymbolModel(const SymbolCounts& counts)
      : slots_(kContexts * kProbabilityTotal), symbols_(kContexts * kSymbols) {
    for (int context = 0; context < kContexts; ++context) set_context(context, counts);
  }

  const Slot* slots() const { return slots_.data(); }             // [context][slot], for the decoder
  const SymbolSlots* symbols() const { return symbols_.data(); }  // [context][symbol], for the encoder

 private:
  void set_context(int context, const SymbolCounts& counts) {
    // Every symbol has at least one slot, so that everything can be coded; the remainder goes to the most frequent.
    const std::uint64_t* seen = &counts.seen[context * kSymbols];
    double total = 0;
    for (int s = 0; s < kSymbols; ++s) total += double(seen[s]);
    int frequency[kSymbols], left = kProbabilityTotal;
    for (int s = 0; s < kSymbols; ++s) {
      frequency[s] = 1 + (total > 0 ? int(double(seen[s]) / total * (kProbabilityTotal - kSymbols)) : 0);
      left -= frequency[s];
    }
    *std::max_element(frequency, frequency + kSymbols) += left;
    int start = 0;
    for (int s = 0; s < kSymbols; ++s) {
      const auto f = std::uint32_t(frequency[s]);
      symbols_[context * kSymbols + s] = {f | std::uint32_t(start) << kProbabilityBits};
      const std::uint32_t all = std::uint32_t(following_context(s)) << Slot::kContextBegin |
                                std::uint32_t(s) << Slot::kSymbolBegin | f << Slot::kFrequencyBegin;
      for (std::uint32_t i = 0; i < f; ++i) slots_[context * kProbabilityTotal + start + i] = {all | i};
      start += frequency[s];
    }
  }

  std::vector<Slot> slots_;
  std::vector<SymbolSlots> symbols_;
};

}  // namespace errai
