// A source of values for a pass: whole arrays in memory, in the layout of tree.hpp.
//
// Every source has the same five functions. A block is loaded and then stored, or kept as it is. A round before the
// last asks for a loaded block a second time, on its way up. Threads that share the blocks of a board ask for a source
// each. `kSharesRows` says whether boards share values, so that it pays to go through all boards of a block before the
// next block. (The other sources: encoded_source.hpp decodes every block when it is needed, and is never shared;
// bucket_source.hpp has one row per bucket of hands.)
#pragma once

#include "lanes/pass.hpp"

namespace errai {

template <class Element>
class MemorySource {
 public:
  static constexpr bool kSharesRows = false;

  MemorySource(const LaneTree& tree, int player, const PassViews<Element>& arrays)
      : tree_(tree), player_(player), arrays_(arrays) {}

  PassViews<Element> load(const Place& place) const { return loaded(place); }
  PassViews<Element> loaded(const Place& place) const {
    const Round& round = tree_.rounds[place.round];
    const Board& board = round.boards[place.board];
    const LaneBlock& block = round.blocks[place.block];
    const auto at = [&](LaneView<Element> array, int player) -> LaneView<Element> {
      if (!array) return {};
      const std::size_t hands = board.num_hands[player], tiles = (hands + kTile - 1) / kTile;
      return {array.values + board.base[player] + hands * block.values_before[player],
              array.scales ? array.scales + board.scale_base[player] + tiles * block.nodes_before[player] : nullptr};
    };
    return {at(arrays_.opponent_weights, 1 - player_), at(arrays_.opponent_average, 1 - player_),
            at(arrays_.own_regrets, player_), at(arrays_.own_weights, player_)};
  }
  MemorySource& for_thread(int) { return *this; }
  void store(const Place&) const {}
  void keep(const Place&) const {}

 private:
  const LaneTree& tree_;
  int player_;
  PassViews<Element> arrays_;
};

}  // namespace errai
