#include "codec/checksum.hpp"

#include <algorithm>
#include <cstring>

namespace errai {

std::uint64_t checksum(const std::uint8_t* data, std::size_t size) {
  // Four sums side by side, because a multiplication takes several cycles. Each is a bijection of every word that it
  // takes.
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  const auto step = [](std::uint64_t sum, std::uint64_t word) {
    sum = (sum ^ word) * kOdd;
    return sum ^ sum >> 29;
  };
  std::uint64_t sums[4] = {1, 2, 3, 4};
  const auto word_at = [&](std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, std::min<std::size_t>(8, size - at));
    return word;
  };
  std::size_t at = 0;
  for (; at + 32 <= size; at += 32)
    for (int i = 0; i < 4; ++i) {
      std::uint64_t word;
      std::memcpy(&word, data + at + 8 * i, 8);
      sums[i] = step(sums[i], word);
    }
  std::uint64_t sum = step(kOdd, size);
  for (; at < size; at += 8) sum = step(sum, word_at(at));
  for (const std::uint64_t part : sums) sum = step(sum, part);
  return sum;
}

}  // namespace errai
