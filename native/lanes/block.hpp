// One block of lanes on one board: where its numbers lie, and what does not depend on how values are stored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lanes/pass.hpp"
#include "lanes/round_tables.hpp"

namespace errai {

// The block of lanes that is computed, and with what.
template <class Real>
struct BlockInput {
  const Pass& pass;
  const RoundTables<Real>& tables;
  Place place;
  const Real* reach_rows;  // the opponent's reach on the board above, [hand][padded lane]
  const std::int32_t*
      parent_hand;  // the row of each hand of this board there; null at the root, which has its own rows
  Level<Real>& level;
  Real* action_values;  // of the first node, [action][hand][padded lane]; null where they are not wanted
};

// The block in vectors of a known width: of `Width` lanes, or of hands where it has one lane.
template <class Value, int Width>
struct Block {
  using Real = Value;
  static constexpr bool kAcrossHands = Width == 1;
  static constexpr int W = kAcrossHands ? kHandsAcross : Width;
  static constexpr int kHands = kAcrossHands ? W : 1;  // per vector
  static constexpr int kTileVectors = kTile / kHands;  // per node
  using V = Vector<Real, W>;

  const Pass& pass;
  const Round& round;
  const RoundTables<Real>& round_tables;
  const LaneBlock& block;
  const BettingShape& shape;
  const ShapeTables& tables;
  const BlockTables<Real>& block_tables;
  const Board& board;
  int board_index;
  int first_lock;  // of the block on the board; -1 where nothing is locked
  const Real* reach_rows;
  const std::int32_t* parent_hand;
  Level<Real>& level;
  Real* action_values;
  V* fold;
  V* show;
  V* all_in;
  V* totals;  // of the opponent's reach at our nodes
  V* tile_of_nodes;
  int lanes;  // active lanes of the block
  int own_hands, opponent_hands;
  int column_vectors;  // of a column, from one to the next
  int num_next_lanes;

  explicit Block(const BlockInput<Real>& input)
      : pass(input.pass),
        round(*input.tables.round),
        round_tables(input.tables),
        block(round.blocks[input.place.block]),
        shape(round.shapes[block.shape]),
        tables(input.tables.shapes[block.shape]),
        block_tables(input.tables.blocks[input.place.block]),
        board(round.boards[input.place.board]),
        board_index(input.place.board),
        first_lock(round.first_lock.empty()
                       ? -1
                       : round.first_lock[input.place.board * round.blocks.size() + input.place.block]),
        reach_rows(input.reach_rows),
        parent_hand(input.parent_hand),
        level(input.level),
        action_values(input.action_values),
        fold(reinterpret_cast<V*>(level.fold.data + block_tables.first_column * round_tables.column_hands())),
        show(reinterpret_cast<V*>(level.show.data)),
        all_in(reinterpret_cast<V*>(level.all_in.data + block_tables.first_all_in * round_tables.column_hands())),
        totals(reinterpret_cast<V*>(level.totals.data + block_tables.first_total)),
        tile_of_nodes(reinterpret_cast<V*>(level.tile.data)),
        lanes(block.num_lanes),
        own_hands(board.num_hands[pass.player]),
        opponent_hands(board.num_hands[1 - pass.player]),
        column_vectors(num_vectors(round.has_one_list() ? own_hands : std::max(own_hands, opponent_hands + 1))),
        num_next_lanes(pass.tree->lanes_after(input.place.round)) {}

  static int num_vectors(int num_hands) { return (num_hands + kHands - 1) / kHands; }
  // Active elements of the vector that begins at hand h: lanes, or hands of the single lane. The rest is idle.
  int num_filled(int h, int num_hands) const { return kAcrossHands ? std::min(W, num_hands - h) : lanes; }

  const Real* reach_row(int h) const {
    const std::size_t row = parent_hand ? parent_hand[h] : h;
    return reach_rows + row * round.padded_lanes + block.first_lane;
  }

  V load_reach(int h) const {
    if constexpr (!kAcrossHands) return load<V>(reach_row(h));
    alignas(V) Real of_hand[W] = {};
    for (int i = 0; i < num_filled(h, opponent_hands); ++i) of_hand[i] = *reach_row(h + i);
    return load<V>(of_hand);
  }

  void store_value(Real* value, int h, const V& v) const {
    Real* to = value + std::size_t(h) * round.padded_lanes + block.first_lane;
    if constexpr (!kAcrossHands) return store(to, v);
    for (int i = 0; i < num_filled(h, own_hands); ++i) to[i * round.padded_lanes] = v.get(i);
  }

  V* column_from(V* columns, int node, int hand) const {
    return columns + std::size_t(tables.column_of_node[node]) * column_vectors + hand / kHands;
  }
  V* fold_column(int node, int hand = 0) const { return column_from(fold, node, hand); }
  V* show_column(int node, int hand = 0) const { return column_from(show, node, hand); }

  V* all_in_column(int node, int hand = 0) const {
    return all_in + std::size_t(tables.all_in_of_node[node]) * column_vectors + hand / kHands;
  }

  // What a player loses by folding at a node and the other wins; what each has put in where its call ends the round.
  V fold_chips(int n) const { return chips(block_tables.fold_chips, n); }
  V won_chips(int n) const { return chips(block_tables.won_chips, n); }
  V half_rake(const BettingNode& node) const { return chips(block_tables.half_rake, node.call_end); }
  V end_chips(const BettingNode& node) const { return chips(block_tables.end_chips, node.call_end); }
  V chips(const std::vector<Real>& table, int row) const {
    if constexpr (kAcrossHands) return V::all(table[row]);
    return load<V>(table.data() + row * W);
  }

  bool is_all_in(const BettingNode& node) const { return !round.is_last && shape.end_is_all_in[node.call_end]; }

  // Where the next round has element i of the vector that begins at hand h, after the ending `end`.
  std::size_t next_place(int h, int i, int end) const {
    const std::size_t hand = kAcrossHands ? h + i : h;
    return hand * num_next_lanes + block.next_lane[end * block.width + (kAcrossHands ? 0 : i)];
  }

  void put_next_reach(int h, int end, const V& reach) const {
    for (int i = 0; i < num_filled(h, opponent_hands); ++i) level.next_reach.data[next_place(h, i, end)] = reach.get(i);
  }

  V get_next_value(int h, int end) const {
    V value{};
    for (int i = 0; i < num_filled(h, own_hands); ++i) value.set(i, level.next_value.data[next_place(h, i, end)]);
    return value;
  }

  // A node's part of the tile, and the reach at a node.
  V* node_tile(int n) const { return tile_of_nodes + std::size_t(n) * kTileVectors; }
  const V* reach_at(int n) const { return reinterpret_cast<const V*>(level.tile_reach[n]); }
  void set_reach(int n, const V* reach) const { level.tile_reach[n] = reinterpret_cast<const Real*>(reach); }
};

// Calls act(Block) with the width of the block.
template <class Real, class Act>
auto with_width(const BlockInput<Real>& input, Act&& act) {
  switch (input.tables.round->blocks[input.place.block].width) {
    case 16: return act(Block<Real, 16>(input));
    case 8: return act(Block<Real, 8>(input));
    default: return act(Block<Real, 1>(input));
  }
}

// Whether the opponent reaches none of the block's lanes, so that nothing changes there. (Always false in an update
// that discounts, because then everything changes.)
template <class Real>
bool is_dead(const BlockInput<Real>& input);

// The values of a dead block.
template <class Real>
void write_zero(const BlockInput<Real>& input, Real* value);

// The values of the block's endings, in place of the opponent's reach there.
template <class Real, int Width>
void evaluate_terminals(const Block<Real, Width>& block);

}  // namespace errai
