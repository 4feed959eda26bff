// Which boards of the last round an iteration visits, where it visits a part of them: one in `one_in` below each board
// of the round before, and every board once in so many iterations. The values of those that are visited count `one_in`
// times, so that over these iterations every board counts as often as its chance says.
#pragma once

#include <cstdint>

namespace errai {

struct BoardDraw {
  int one_in = 1;          // 1: every board is visited
  int part = 0;            // of a cycle of `one_in` iterations, from 0
  std::uint64_t seed = 0;  // of the cycle

  bool is_all() const { return one_in == 1; }

  // Whether child number `child` of a board is visited. Neighbours resemble each other, so a cycle deals out every
  // `one_in` of them to its iterations, in an order of their own.
  bool visits(int board, int child) const {
    return is_all() || (key(board, child / one_in) + child) % one_in == std::uint64_t(part);
  }

 private:
  // SplitMix64 (G. Steele, D. Lea, C. Flood, 2014), without its lowest bits, so that a child can be added.
  std::uint64_t key(int board, int neighbours) const {
    std::uint64_t x =
        seed + (std::uint64_t(std::uint32_t(board)) << 32 | std::uint32_t(neighbours)) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return (x ^ x >> 31) >> 8;
  }
};

}  // namespace errai
