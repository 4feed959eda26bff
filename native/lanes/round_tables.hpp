// What the arithmetic needs of a round besides its values: tables for one player, and the scratch space of one thread.
#pragma once

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lanes/terminals.hpp"
#include "lanes/tiles.hpp"
#include "lanes/tree.hpp"

namespace errai {

// A block of one lane would leave vectors of lanes empty. Its vectors hold this many hands instead or, where hands are
// summed one after the other, this many columns of a hand; kFewColumns where no more are left.
constexpr int kHandsAcross = 8;
constexpr int kColumnsAcross = 16;
constexpr int kFewColumns = 8;

// The end of the nodes below a node; nodes are in depth-first order.
inline int end_below(const BettingShape& shape, int node) {
  int last = shape.nodes[node].call_node;
  for (const int raise_node : shape.nodes[node].raise_nodes) last = std::max(last, raise_node);
  return last < 0 ? node + 1 : end_below(shape, last);
}

// A column for one player: there is one wherever the hand can end at a node.
struct Column {
  int node;
  ColumnKind kind;
};

// One shape as one player's pass sees it.
struct ShapeTables {
  const BettingShape* shape;
  int first_node, end_node;  // the nodes that the pass visits
  std::vector<Column> columns;
  std::vector<int> column_of_node;  // -1 where there is none
  std::vector<int> all_in_nodes;    // whose call is all-in before the last round
  std::vector<int> all_in_of_node;  // -1 where there is none

  ShapeTables(const BettingShape& s, bool is_last, int player, int first)
      : shape(&s),
        first_node(first),
        end_node(end_below(s, first)),
        column_of_node(s.nodes.size(), -1),
        all_in_of_node(s.nodes.size(), -1) {
    for (int n = first_node; n < end_node; ++n) {
      const BettingNode& node = s.nodes[n];
      const bool shows = is_last && node.call_end >= 0;
      if (node.has_fold && shows)
        columns.push_back({n, node.player == player ? ColumnKind::own : ColumnKind::opponent});
      else if (node.has_fold)
        columns.push_back({n, ColumnKind::fold});
      else if (shows)
        columns.push_back({n, ColumnKind::showdown});
      if (!is_last && node.call_end >= 0 && s.end_is_all_in[node.call_end]) {
        all_in_of_node[n] = int(all_in_nodes.size());
        all_in_nodes.push_back(n);
      }
    }
    std::stable_sort(columns.begin(), columns.end(), [](const Column& a, const Column& b) { return a.kind < b.kind; });
    for (std::size_t c = 0; c < columns.size(); ++c) column_of_node[columns[c].node] = int(c);
  }
};

template <class Real>
struct Aligned {
  static constexpr std::size_t kAlignment = 64;
  Real* data = nullptr;
  explicit Aligned(std::size_t size)
      : data(static_cast<Real*>(::operator new(size * sizeof(Real), std::align_val_t(kAlignment)))) {}
  Aligned(Aligned&& other) noexcept : data(std::exchange(other.data, nullptr)) {}
  ~Aligned() { ::operator delete(data, std::align_val_t(kAlignment)); }
};

// The chips of a block in the type of the arithmetic, and where its columns begin among those that are kept.
template <class Real>
struct BlockTables {
  std::vector<Real> fold_chips, won_chips, end_chips, half_rake;  // [node or ending][width]
  std::size_t first_column = 0;                                   // in units of hands x lanes
  std::size_t first_all_in = 0;
  std::size_t first_total = 0;  // in units of lanes
};

// The tables of a round in the type of the arithmetic, for one player.
template <class Real>
struct RoundTables {
  const Round* round;
  std::vector<ShapeTables> shapes;
  std::vector<BlockTables<Real>> blocks;
  const HandList* own;
  const HandList* opponent;
  std::vector<Real> class_weight, orbit_weight;  // of the opponent's hands
  std::vector<Real> up_weight;                   // of the player's hands
  int most_own = 0, most_opponent = 0;           // hands of a board, in whole tiles
  int most_children = 0;
  std::size_t num_columns = 0, num_all_in = 0, num_totals = 0;  // that have to be kept at the same time
  std::size_t num_products = 0;                                 // of a block, where pairs of hands have weights
  std::size_t most_nodes = 0;
  bool has_single_lane = false;

  RoundTables(const Round& r, int player, int start_shape, int start_node)
      : round(&r),
        own(r.hands[player].get()),
        opponent(r.hands[1 - player].get()),
        class_weight(opponent->class_weight.begin(), opponent->class_weight.end()),
        orbit_weight(opponent->orbit_weight.begin(), opponent->orbit_weight.end()),
        up_weight(own->up_weight.begin(), own->up_weight.end()) {
    if (r.has_pairs() && !r.pairs<Real>())
      throw std::invalid_argument("the weights of pairs must be of the type of the arithmetic");
    for (int s = 0; s < int(r.shapes.size()); ++s) {
      shapes.emplace_back(r.shapes[s], r.is_last, player, s == start_shape ? start_node : 0);
      most_nodes = std::max(most_nodes, r.shapes[s].nodes.size());
    }
    for (const LaneBlock& block : r.blocks) {
      const ShapeTables& shape = shapes[block.shape];
      // The last round is done with a block before it begins the next one. The others come back to all of them.
      BlockTables<Real> tables{{block.fold_chips.begin(), block.fold_chips.end()},
                               {block.won_chips.begin(), block.won_chips.end()},
                               {block.end_chips.begin(), block.end_chips.end()},
                               {block.half_rake.begin(), block.half_rake.end()}};
      const std::size_t columns = shape.columns.size() * block.width;
      const std::size_t all_in = shape.all_in_nodes.size() * block.width;
      const std::size_t totals = shape.shape->nodes.size() * kSpare;  // so that every block's vectors are aligned
      if (r.is_last) {
        num_columns = std::max(num_columns, columns);
        num_totals = std::max(num_totals, totals);
      } else {
        tables.first_column = num_columns;
        tables.first_all_in = num_all_in;
        tables.first_total = num_totals;
        num_columns += columns;
        num_all_in += all_in;
        num_totals += totals;
      }
      if (r.has_pairs()) num_products = std::max(num_products, 2 * columns + all_in);
      has_single_lane |= block.width == 1;
      blocks.push_back(std::move(tables));
    }
    for (const Board& board : r.boards) {
      most_own = std::max(most_own, whole_tiles(board.num_hands[player]));
      most_opponent = std::max(most_opponent, whole_tiles(board.num_hands[1 - player]));
      most_children = std::max(most_children, board.num_children);
    }
  }

  static int whole_tiles(int num_hands) { return (num_hands + kTile - 1) / kTile * kTile; }
  // Columns hold the opponent's hands, then a hand that nobody holds, and become those of the player's hands in place.
  int column_hands() const { return round->has_one_list() ? most_own : std::max(most_own, most_opponent + kTile); }
};

// The scratch space of one thread for one board of a round.
template <class Real>
struct Level {
  Aligned<Real> fold, show, all_in, before, results, across, totals, next_reach, next_value, child_value;
  Aligned<Real> products;
  Aligned<Real> tile;  // [node][hand of a tile][lane of a block]: reach on the way down, values on the way up
  std::vector<const Real*> tile_reach;  // of each node: its own part of `tile`, or that of the node above
  Level(const RoundTables<Real>& tables, const RoundTables<Real>* next)
      : fold(tables.num_columns * tables.column_hands()),
        show(tables.round->is_last ? tables.num_columns * tables.column_hands() : 0),
        all_in(tables.num_all_in * tables.column_hands()),
        before(2 * std::size_t(tables.most_own) * tables.round->widest),
        results(tables.round->has_one_list() && !tables.num_all_in
                    ? 0
                    : 4 * std::size_t(tables.most_own) * std::max(tables.round->widest, kHandsAcross)),
        across(across_size(tables)),
        totals(tables.num_totals),
        next_reach(next ? std::size_t(tables.most_opponent) * next->round->padded_lanes : 0),
        next_value(next ? std::size_t(tables.most_own) * next->round->padded_lanes : 0),
        child_value(next ? std::size_t(next->most_own) * next->round->padded_lanes : 0),
        products(tables.num_products * tables.column_hands()),
        tile(tables.most_nodes * kTile * tables.round->widest),
        tile_reach(tables.most_nodes) {}
  static std::size_t across_size(const RoundTables<Real>& tables) {
    return tables.has_single_lane ? 5 * std::size_t(tables.column_hands()) * kColumnsAcross : 0;
  }
};

}  // namespace errai
