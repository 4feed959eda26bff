// A source of values for a pass: arrays with one row per bucket of hands (memory_source.hpp says what a source is).
//
// Layout.  A player has one array per round, that of a tree with a single board whose hands are the buckets:
//
//     array_p[round][ buckets * block.values_before_p + buckets * n * node.first_action
//                     + (bucket * node.num_actions + action) * n + lane ]
//
// What a pass adds to a bucket, be it regrets or an average strategy, is the sum over the hands of the bucket on a
// board, each times its weight (the deals it stands for). It is added to a *target* array once the block is done: to
// the array of regrets itself where every board is an update of its own, else to an array that collects the sums of
// many boards.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "lanes/bucket_tiles.hpp"
#include "lanes/pass.hpp"
#include "lanes/round_tables.hpp"

namespace errai {

// The buckets of one player's hands on all boards of a round, in the order of the round's list of hands.
template <class Real>
struct RoundBuckets {
  std::size_t num_buckets = 0;
  std::vector<std::int32_t> bucket;      // of each hand, and kBucketsAhead more
  std::vector<std::int32_t> row;         // of each hand: the number of its bucket among those of its board
  std::vector<std::int32_t> row_bucket;  // of each row, board after board
  std::vector<std::size_t> first_row;    // of each board, and the end
  std::vector<Real> weight;              // of each hand
  std::size_t most_rows = 0;             // of a board
};

template <class Real>
struct TreeBuckets {
  std::vector<RoundBuckets<Real>> rounds[2];  // of each player
};

// Numbers the rows of every board.
template <class Real>
RoundBuckets<Real> number_rows(const Round& round, int player, std::size_t num_buckets,
                               std::vector<std::int32_t> bucket, std::vector<Real> weight) {
  RoundBuckets<Real> of_round{num_buckets, std::move(bucket), {}, {}, {0}, std::move(weight), 0};
  of_round.row.resize(of_round.bucket.size());
  of_round.bucket.resize(of_round.bucket.size() + kBucketsAhead, 0);
  std::vector<std::int32_t> row_of_bucket(num_buckets, -1);
  for (const Board& board : round.boards) {
    const std::size_t first = of_round.first_row.back();
    for (int h = 0; h < board.num_hands[player]; ++h) {
      const std::int32_t b = of_round.bucket[board.first_hand[player] + h];
      if (row_of_bucket[b] < 0) {
        row_of_bucket[b] = std::int32_t(of_round.row_bucket.size() - first);
        of_round.row_bucket.push_back(b);
      }
      of_round.row[board.first_hand[player] + h] = row_of_bucket[b];
    }
    for (std::size_t r = first; r < of_round.row_bucket.size(); ++r) row_of_bucket[of_round.row_bucket[r]] = -1;
    of_round.first_row.push_back(of_round.row_bucket.size());
    of_round.most_rows = std::max(of_round.most_rows, of_round.row_bucket.size() - first);
  }
  return of_round;
}

// One player's arrays, one per round of the tree; null where there is none.
template <class Real>
struct BucketArrays {
  std::vector<Real*> values;   // weights, in proportion to which the player acts
  std::vector<Real*> targets;  // where the sums of a pass go
  bool floors = false;         // whether targets stop at 0
};

template <class Real>
struct BucketJob {
  const LaneTree* tree;
  const TreeBuckets<Real>* buckets;
  int player;
  BucketArrays<Real> own;       // targets: the regrets
  BucketArrays<Real> opponent;  // targets: the average strategy
  bool keeps_response = false;  // whether `own.values` become a best response
};

template <class Real>
class BucketSource {
 public:
  using Element = Bucketed<Real>;
  static constexpr bool kSharesRows = true;

  explicit BucketSource(const BucketJob<Real>& job) : job_(job) {
    const auto& rounds = job.tree->rounds;
    for (std::size_t r = 0; r < rounds.size(); ++r)
      for (int p = 0; p < 2; ++p) {
        std::vector<std::size_t> before;
        std::size_t all = 0, most = 0;
        for (const LaneBlock& block : rounds[r].blocks) {
          const std::size_t size = std::size_t(block.width) * rounds[r].shapes[block.shape].num_actions[p];
          before.push_back(rounds[r].is_last ? 0 : all);
          all += size;
          most = std::max(most, size);
        }
        sums_before_[p].push_back(std::move(before));
        const bool is_used = !side(p).targets.empty();
        const std::size_t rows = job.buckets->rounds[p][r].most_rows;
        sums_[p].emplace_back(is_used ? rows * (rounds[r].is_last ? most : all) : 0);
      }
  }

  // The source of one thread of several, none of which works on a block of another. Sources are made before the
  // threads.
  BucketSource& for_thread(int thread) {
    if (thread == 0) return *this;
    while (int(others_.size()) < thread) others_.push_back(std::make_unique<BucketSource>(job_));
    return *others_[thread - 1];
  }

  PassViews<Element> load(const Place& place) {
    for (int p = 0; p < 2; ++p) {
      if (side(p).targets.empty()) continue;
      const LaneBlock& block = block_at(place);
      const std::size_t size = std::size_t(block.width) * shape_of(place).num_actions[p] * num_rows(place, p);
      std::fill_n(sums_at(place, p), size, Real(0));
    }
    return loaded(place);
  }

  PassViews<Element> loaded(const Place& place) {
    const int own = job_.player, opponent = 1 - own;
    const bool updates = !job_.own.targets.empty(), averages = !job_.opponent.targets.empty();
    return {view(place, opponent, false), averages ? view(place, opponent, true) : LaneView<Element>{},
            updates ? view(place, own, true) : LaneView<Element>{}, view(place, own, false)};
  }

  void store(const Place& place) {
    for (int p = 0; p < 2; ++p) {
      if (side(p).targets.empty()) continue;
      if (block_at(place).num_lanes == 16)
        add_sums<16>(place, p, 16);
      else
        add_sums<0>(place, p, block_at(place).num_lanes);
    }
  }
  // Where the opponent never comes, every response is a best one: the one that is kept plays evenly there.
  void keep(const Place& place) const {
    if (!job_.keeps_response) return;
    const int p = job_.player;
    const RoundBuckets<Real>& of_round = buckets_of(place, p);
    const LaneBlock& block = block_at(place);
    const Board& board = job_.tree->rounds[place.round].boards[place.board];
    Real* const values = side(p).values[place.round] + of_round.num_buckets * block.values_before[p];
    for (const BettingNode& node : shape_of(place).nodes) {
      if (node.player != p) continue;
      Real* const of_node = values + of_round.num_buckets * block.num_lanes * node.first_action;
      const std::size_t size = std::size_t(node.num_actions) * block.num_lanes;
      for (int h = 0; h < board.num_hands[p]; ++h)
        std::fill_n(of_node + of_round.bucket[board.first_hand[p] + h] * size, size, Real(0));
    }
  }

 private:
  const BucketArrays<Real>& side(int p) const { return p == job_.player ? job_.own : job_.opponent; }
  const LaneBlock& block_at(const Place& place) const { return job_.tree->rounds[place.round].blocks[place.block]; }
  const BettingShape& shape_of(const Place& place) const {
    return job_.tree->rounds[place.round].shapes[block_at(place).shape];
  }
  const RoundBuckets<Real>& buckets_of(const Place& place, int p) const { return job_.buckets->rounds[p][place.round]; }
  std::size_t num_rows(const Place& place, int p) const {
    const auto& first_row = buckets_of(place, p).first_row;
    return first_row[place.board + 1] - first_row[place.board];
  }
  Real* sums_at(const Place& place, int p) {
    return sums_[p][place.round].data + sums_before_[p][place.round][place.block] * buckets_of(place, p).most_rows;
  }

  // With `adds`, what the pass adds is wanted as well.
  LaneView<Element> view(const Place& place, int p, bool adds) {
    const RoundBuckets<Real>& of_round = buckets_of(place, p);
    const std::size_t first = job_.tree->rounds[place.round].boards[place.board].first_hand[p];
    Real* const values = side(p).values.empty() ? nullptr : side(p).values[place.round];
    if (!values && !adds) return {};
    return {values ? values + of_round.num_buckets * block_at(place).values_before[p] : nullptr,
            adds ? sums_at(place, p) : nullptr,
            of_round.bucket.data() + first,
            of_round.row.data() + first,
            of_round.weight.data() + first,
            of_round.num_buckets,
            num_rows(place, p)};
  }

  // `Lanes`: the lanes of the block, if the compiler knows them.
  template <int Lanes>
  void add_sums(const Place& place, int p, int num_lanes) {
    const int lanes = Lanes ? Lanes : num_lanes;
    const RoundBuckets<Real>& of_round = buckets_of(place, p);
    const LaneBlock& block = block_at(place);
    const std::int32_t* const bucket = of_round.row_bucket.data() + of_round.first_row[place.board];
    const std::size_t rows = num_rows(place, p);
    Real* const target = side(p).targets[place.round] + of_round.num_buckets * block.values_before[p];
    const bool floors = side(p).floors;
    for (const BettingNode& node : shape_of(place).nodes) {
      if (node.player != p) continue;
      const Real* from = sums_at(place, p) + rows * block.width * node.first_action;
      Real* const of_node = target + of_round.num_buckets * lanes * node.first_action;
      const auto row_of = [&](std::size_t r) { return of_node + std::size_t(bucket[r]) * node.num_actions * lanes; };
      for (std::size_t r = 0; r < rows; ++r) {
        if (const std::size_t ahead = r + kBucketsAhead; ahead < rows)
          for (int a = 0; a < node.num_actions; ++a) __builtin_prefetch(row_of(ahead) + a * lanes, 1);
        Real* to = row_of(r);
        for (int a = 0; a < node.num_actions; ++a, from += block.width, to += lanes)
          for (int lane = 0; lane < lanes; ++lane) {
            const Real sum = to[lane] + from[lane];
            to[lane] = floors && sum < 0 ? Real(0) : sum;
          }
      }
    }
  }

  const BucketJob<Real>& job_;
  std::vector<std::vector<std::size_t>> sums_before_[2];  // of each round and block, per row
  std::vector<Aligned<Real>> sums_[2];  // of each round: of one block of the last, of a board of others
  std::vector<std::unique_ptr<BucketSource>> others_;
};

}  // namespace errai
