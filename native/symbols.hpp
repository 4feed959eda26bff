// The alphabet in which regrets are coded, and how probable each symbol is.
//
// A code is a regret in fixed point. It is predicted to be that of the hand before (same node, action and lane); the
// symbol says what came instead:
//
//     0        the code is zero
//     1 + w    it is not, and the residual has w bits (w = 0: no residual); w - 1 bits beside the symbol tell which of
//              these, and one more the sign, unless the code before was zero and the residual can only be positive
//     15       the residual has 14 bits or more: the code follows as it is
//
// The probabilities of a symbol depend on the two symbols before it in the same lane and on that of the same hand in
// the action before: where strength changes from hand to hand, many actions change at once. On a converged turn the
// three together take a tenth less than the symbol before alone. Finer classes of residuals would gain less than 1 %;
// predicting from two hands instead of one would lose a tenth.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace errai {

constexpr int kSymbols = 16;
constexpr int kEscape = 15;
constexpr int kContexts = 54;
constexpr int kProbabilityBits = 10;
constexpr int kProbabilityTotal = 1 << kProbabilityBits;

// A context is the sum of three: what the symbols `recent` (of the hand before), `before` (of the one before that) and
// `above` (of the same hand in the action before) each add.
constexpr std::array<std::uint8_t, kSymbols> kRecentPart{0, 9, 18, 27, 36, 36, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45};
constexpr std::array<std::uint8_t, kSymbols> kBeforePart{0, 3, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};
constexpr std::array<std::uint8_t, kSymbols> kAbovePart{0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};

// Whether a residual has a sign there: the code before was not zero.
constexpr bool has_sign(int context) { return context >= kRecentPart[1]; }

// How many bits go beside a symbol.
constexpr int raw_bits(int symbol, bool with_sign) {
  return symbol < 2 || symbol == kEscape ? 0 : symbol - 2 + with_sign;
}
// Of these, as many as a state can give before it has to be filled up again (rans.hpp).
constexpr int kQuickBits = 6;

// How often each symbol was seen in each context.
struct SymbolCounts {
  std::array<std::uint64_t, kContexts * kSymbols> seen{};

  void add(const SymbolCounts& other) {
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] += other.seen[i];
  }
  // For a file that has no version before it: residuals of any size, each width half as probable as the one before.
  static SymbolCounts of_first_version() {
    SymbolCounts counts;
    for (std::size_t i = 0; i < counts.seen.size(); ++i)
      counts.seen[i] = 1 << std::min(15, kSymbols - int(i % kSymbols));
    return counts;
  }
};

// A symbol in a context, from the lowest bit: frequency (10 bits), start, which is the first of its slots (10), quick
// bits (3).
struct SymbolSlots {
  std::uint32_t bits;

  std::uint32_t frequency() const { return bits & (kProbabilityTotal - 1); }
  std::uint32_t start() const { return bits >> 10 & (kProbabilityTotal - 1); }
  int quick_bits() const { return bits >> 20; }
  // A state at or above it must give 16 bits away before it can take this symbol.
  std::uint32_t limit() const { return frequency() << 22 >> quick_bits(); }
};

// A slot of a context, from the lowest bit: slot - start (10 bits), symbol (4), quick bits (3), frequency (10), and in
// the highest bit whether there is more than quick bits beside the symbol.
struct Slot {
  std::uint32_t bits;

  std::uint32_t offset() const { return bits & (kProbabilityTotal - 1); }
  int symbol() const { return bits >> 10 & 15; }
  int quick_bits() const { return bits >> 14 & 7; }
  std::uint32_t frequency() const { return bits >> 17 & (kProbabilityTotal - 1); }
  bool is_rare() const { return bits >> 31; }
};

// The tables of one version of a file, made from what was counted in the version before.
class SymbolModel {
 public:
  explicit SymbolModel(const SymbolCounts& counts) : slots_(kContexts * kProbabilityTotal) {
    for (int context = 0; context < kContexts; ++context) set_context(context, counts);
  }

  const Slot* slots() const { return slots_.data(); }             // [context][slot], to decode
  const SymbolSlots* symbols() const { return symbols_.data(); }  // [context][symbol], to encode

 private:
  void set_context(int context, const SymbolCounts& counts) {
    // Every symbol keeps at least one slot, so that everything can be coded; what is left over goes to the commonest.
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
      const int quick = std::min(raw_bits(s, has_sign(context)), kQuickBits);
      const auto f = std::uint32_t(frequency[s]);
      symbols_[context * kSymbols + s] = {f | std::uint32_t(start) << 10 | std::uint32_t(quick) << 20};
      const bool is_rare = s == kEscape || raw_bits(s, has_sign(context)) > kQuickBits;
      const std::uint32_t all = s << 10 | quick << 14 | f << 17 | std::uint32_t(is_rare) << 31;
      for (std::uint32_t i = 0; i < f; ++i) slots_[context * kProbabilityTotal + start + i] = {all | i};
      start += frequency[s];
    }
  }

  std::vector<Slot> slots_;
  std::array<SymbolSlots, kContexts * kSymbols> symbols_;
};

}  // namespace errai
