// What the arithmetic needs of a round besides its values: tables for one player, and the scratch space of one thread.
#pragma once

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "lanes/terminals.hpp"
#include "lanes/tiles.hpp"
#include "lanes/tree.hpp"

namespace errai {

// A block of one lane would leave vectors of lanes empty. Its vectors hold this many hands instead or, where hands are
// summed one after the other, this many columns of a hand.
constexpr int kHandsAcross = 8;
constexpr int kColumnsAcross = 16;

// The end of the nodes below a node; nodes are in depth-first order.
inline int end_below(const Round& round, int node) {
  const int last = std::max(round.nodes[node].call_node, round.nodes[node].raise_node);
  return last < 0 ? node + 1 : end_below(round, last);
}

// A column for one player: there is one wherever the hand can end at a node.
struct Column {
  int node;
  ColumnKind kind;
};

inline std::vector<Column> list_columns(const Round& round, int player, int first_node, int end_node) {
  std::vector<Column> columns;
  for (int n = first_node; n < end_node; ++n) {
    const BettingNode& node = round.nodes[n];
    const bool shows = round.is_last && node.call_end >= 0;
    if (node.has_fold && shows)
      columns.push_back({n, node.player == player ? ColumnKind::own : ColumnKind::opponent});
    else if (node.has_fold)
      columns.push_back({n, ColumnKind::fold});
    else if (shows)
      columns.push_back({n, ColumnKind::showdown});
  }
  std::stable_sort(columns.begin(), columns.end(), [](const Column& a, const Column& b) { return a.kind < b.kind; });
  return columns;
}

template <class Real>
struct Aligned {
  static constexpr std::size_t kAlignment = 64;
  Real* data = nullptr;
  explicit Aligned(std::size_t size)
      : data(static_cast<Real*>(::operator new(size * sizeof(Real), std::align_val_t(kAlignment)))) {}
  Aligned(Aligned&& other) noexcept : data(std::exchange(other.data, nullptr)) {}
  ~Aligned() { ::operator delete(data, std::align_val_t(kAlignment)); }
};

// The tables of a round in the type of the arithmetic, for one player.
template <class Real>
struct RoundTables {
  const Round* round;
  int first_node, end_node;  // the nodes that the pass visits
  std::vector<Column> columns;
  std::vector<int> column_of_node;
  std::vector<Real> class_weight, orbit_weight, up_weight;
  int most_hands = 0, most_children = 0;  // hands in whole tiles

  RoundTables(const Round& r, int player, int first)
      : round(&r),
        first_node(first),
        end_node(end_below(r, first)),
        columns(list_columns(r, player, first_node, end_node)),
        column_of_node(r.nodes.size(), -1),
        class_weight(r.class_weight.begin(), r.class_weight.end()),
        orbit_weight(r.orbit_weight.begin(), r.orbit_weight.end()),
        up_weight(r.up_weight.begin(), r.up_weight.end()) {
    for (std::size_t c = 0; c < columns.size(); ++c) column_of_node[columns[c].node] = int(c);
    for (const Board& board : r.boards) {
      most_hands = std::max(most_hands, (board.num_hands + kTile - 1) / kTile * kTile);
      most_children = std::max(most_children, board.num_children);
    }
  }
  // Lanes whose columns have to be kept at the same time: all of them, or one block of the last round.
  int column_lanes() const { return round->is_last ? round->blocks.front().width : round->padded_lanes; }
};

// The scratch space of one thread for one board of a round.
template <class Real>
struct Level {
  Aligned<Real> fold, show, before, across, totals, next_reach, next_value, child_value;
  Aligned<Real> tile;  // [node][hand of a tile][lane of a block]: reach on the way down, values on the way up
  std::vector<const Real*> tile_reach;  // of each node: its own part of `tile`, or that of the node above
  Level(const RoundTables<Real>& tables, const RoundTables<Real>* next)
      : fold(tables.columns.size() * tables.most_hands * tables.column_lanes()),
        show(tables.round->is_last ? tables.columns.size() * tables.most_hands * tables.column_lanes() : 0),
        before(tables.round->is_last ? 2 * std::size_t(tables.most_hands) * tables.column_lanes() : 0),
        across(across_size(tables)),
        totals(tables.round->nodes.size() * (tables.column_lanes() + kHandsAcross)),
        next_reach(next ? std::size_t(tables.most_hands) * next->round->padded_lanes : 0),
        next_value(next ? std::size_t(tables.most_hands) * next->round->padded_lanes : 0),
        child_value(next ? std::size_t(next->most_hands) * next->round->padded_lanes : 0),
        tile(tables.round->nodes.size() * kTile * tables.round->blocks.front().width),
        tile_reach(tables.round->nodes.size()) {
    std::fill_n(across.data, across_size(tables), Real(0));  // unused columns stay zero
  }
  static std::size_t across_size(const RoundTables<Real>& tables) {
    return tables.round->blocks.back().width == 1 ? 3 * std::size_t(tables.most_hands) * kColumnsAcross : 0;
  }
};

}  // namespace errai
