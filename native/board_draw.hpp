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

  // Whether child number `child` of the `num_children` boards below a board is visited. A cycle puts the children of
  // every board into an order of its own and deals them out to its iterations.
  bool visits(int board, int child, int num_children) const {
    if (is_all()) return true;
    const std::uint64_t own = key(board, child);
    int place = 0;
    for (int other = 0; other < num_children; ++other) place += key(board, other) < own;
    return (place + board) % one_in == part;
  }

 private:
  // SplitMix64 (G. Steele, D. Lea, C. Flood, 2014). Keys of different children differ: every step can be undone.
  std::uint64_t key(int board, int child) const {
    std::uint64_t x = seed + (std::uint64_t(std::uint32_t(board)) << 32 | std::uint32_t(child)) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
  }
};

}  // namespace errai
