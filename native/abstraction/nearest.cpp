#include "abstraction/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace errai {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kFarAway = 1e15f;              // a coordinate of lanes without a centroid
constexpr std::size_t kPointsPerBlock = 256;   // of choose_seeds
constexpr std::size_t kDimensionsAtOnce = 16;  // before a look whether the distance is too large already

// Bounds are computed in a different order than distances; this much covers the rounding of both.
constexpr float kSlack = 1 - 1e-4f;

float projection(const float* point, std::size_t num_dimensions) {
  float sum = 0;
  for (std::size_t d = 0; d < num_dimensions; ++d) sum += point[d];
  return sum;
}

float projection_scale(Metric metric, std::size_t num_dimensions) {
  return metric == Metric::kL1 ? 1.0f : 1.0f / std::sqrt(static_cast<float>(num_dimensions));
}

}  // namespace

float distance(Metric metric, const float* first, const float* second, std::size_t num_dimensions) {
  constexpr std::size_t kLanes = 8;
  using Lanes [[gnu::vector_size(kLanes * sizeof(float))]] = float;
  using Unaligned [[gnu::vector_size(kLanes * sizeof(float)), gnu::aligned(4), gnu::may_alias]] = float;
  Lanes sum{};
  std::size_t d = 0;
  for (; d + kLanes <= num_dimensions; d += kLanes) {
    const Lanes difference =
        *reinterpret_cast<const Unaligned*>(first + d) - *reinterpret_cast<const Unaligned*>(second + d);
    sum += metric == Metric::kL1 ? (difference < 0 ? -difference : difference) : difference * difference;
  }
  float total = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) total += sum[lane];
  for (; d < num_dimensions; ++d) {
    const float difference = first[d] - second[d];
    total += metric == Metric::kL1 ? std::abs(difference) : difference * difference;
  }
  return total;
}

Centroids::Centroids(Metric metric, const float* rows, std::size_t num_groups, std::size_t group_size,
                     std::size_t num_dimensions)
    : metric_(metric),
      num_groups_(num_groups),
      group_size_(group_size),
      num_dimensions_(num_dimensions),
      blocks_per_group_((group_size + kLanes - 1) / kLanes),
      scale_(projection_scale(metric, num_dimensions)),
      blocks_(num_groups * blocks_per_group_),
      coordinates_(blocks_.size() * num_dimensions) {
  std::vector<std::uint32_t> order(group_size);
  std::vector<float> projections(num_groups * group_size);
  for (std::size_t row = 0; row < projections.size(); ++row) {
    projections[row] = scale_ * projection(rows + row * num_dimensions, num_dimensions);
  }
  for (std::size_t group = 0; group < num_groups; ++group) {
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(group * group_size));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return projections[a] < projections[b]; });
    for (std::size_t b = 0; b < blocks_per_group_; ++b) {
      const std::size_t number = group * blocks_per_group_ + b;
      const std::size_t first = b * kLanes, used = std::min(kLanes, group_size - first);
      Block& block = blocks_[number];
      block.lowest = projections[order[first]];
      block.highest = projections[order[first + used - 1]];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        block.rows[lane] = lane < used ? order[first + lane] : std::numeric_limits<std::uint32_t>::max();
        for (std::size_t d = 0; d < num_dimensions; ++d) {
          coordinates_[number * num_dimensions + d][lane] =
              lane < used ? rows[order[first + lane] * num_dimensions + d] : kFarAway;
        }
      }
    }
  }
}

// A lower bound of what `compare` measures.
float Centroids::gap(float projection, const Block& block) const {
  const float between = std::max({0.0f, block.lowest - projection, projection - block.highest}) * kSlack;
  return metric_ == Metric::kL1 ? between : between * between;
}

void Centroids::compare(std::size_t block, const float* point, Best& best) const {
  const Lanes* coordinates = coordinates_.data() + block * num_dimensions_;
  Lanes sum{};
  for (std::size_t d = 0; d < num_dimensions_;) {
    const std::size_t end = std::min(d + kDimensionsAtOnce, num_dimensions_);
    if (metric_ == Metric::kL1) {
      for (; d < end; ++d) {
        const Lanes difference = coordinates[d] - point[d];
        sum += difference < 0 ? -difference : difference;
      }
    } else {
      for (; d < end; ++d) {
        const Lanes difference = coordinates[d] - point[d];
        sum += difference * difference;
      }
    }
    if (d < num_dimensions_) {
      float smallest = sum[0];
      for (std::size_t lane = 1; lane < kLanes; ++lane) smallest = std::min(smallest, sum[lane]);
      if (smallest > best.measured) return;
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t row = blocks_[block].rows[lane];
    if (sum[lane] < best.measured || (sum[lane] == best.measured && row < best.row)) best = {sum[lane], row};
  }
}

void Centroids::find(const float* points, const std::uint32_t* groups, std::size_t count, std::uint32_t* labels,
                     float* distances) const {
  for (std::size_t i = 0; i < count; ++i) {
    const float* point = points + i * num_dimensions_;
    const float at = scale_ * projection(point, num_dimensions_);
    const std::size_t first = (groups == nullptr ? 0 : groups[i]) * blocks_per_group_, end = first + blocks_per_group_;
    Best best{kInfinity, std::numeric_limits<std::uint32_t>::max()};
    std::size_t up = first;
    {
      const auto begin = blocks_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto found = std::partition_point(begin, begin + static_cast<std::ptrdiff_t>(blocks_per_group_),
                                              [&](const Block& block) { return block.highest < at; });
      up = static_cast<std::size_t>(found - blocks_.begin());
    }
    std::size_t down = up;  // the blocks below it are still to be compared
    while (true) {
      const float above = up < end ? gap(at, blocks_[up]) : kInfinity;
      const float below = down > first ? gap(at, blocks_[down - 1]) : kInfinity;
      if (above <= below) {
        if (up == end || above > best.measured) break;
        compare(up++, point, best);
      } else {
        if (below > best.measured) break;
        compare(--down, point, best);
      }
    }
    labels[i] = best.row;
    distances[i] = metric_ == Metric::kL1 ? best.measured : std::sqrt(best.measured);
  }
}

std::vector<std::uint32_t> choose_seeds(Metric metric, const float* points, const double* weights,
                                        std::size_t num_points, std::size_t num_dimensions,
                                        std::span<const double> uniforms) {
  const float scale = projection_scale(metric, num_dimensions);
  std::vector<float> projections(num_points);
  for (std::size_t i = 0; i < num_points; ++i) {
    projections[i] = scale * projection(points + i * num_dimensions, num_dimensions);
  }
  std::vector<std::uint32_t> order(num_points);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return projections[a] < projections[b]; });
  // Points in the order of their projections, in blocks: a new seed changes only blocks that it may be near to.
  std::vector<float> sorted(num_points * num_dimensions), nearest(num_points, kInfinity);
  std::vector<double> chances(num_points);
  for (std::size_t i = 0; i < num_points; ++i) {
    std::copy_n(points + order[i] * num_dimensions, num_dimensions, sorted.begin() + i * num_dimensions);
    chances[i] = weights[order[i]];
  }
  const std::size_t num_blocks = (num_points + kPointsPerBlock - 1) / kPointsPerBlock;
  std::vector<double> block_chances(num_blocks);
  std::vector<float> block_farthest(num_blocks, kInfinity);
  const auto end_of = [&](std::size_t block) { return std::min((block + 1) * kPointsPerBlock, num_points); };
  const auto sum_up = [&](std::size_t block) {
    block_chances[block] = std::accumulate(chances.begin() + static_cast<std::ptrdiff_t>(block * kPointsPerBlock),
                                           chances.begin() + static_cast<std::ptrdiff_t>(end_of(block)), 0.0);
  };
  for (std::size_t block = 0; block < num_blocks; ++block) sum_up(block);

  std::vector<std::uint32_t> chosen;
  for (const double uniform : uniforms) {
    const double total = std::accumulate(block_chances.begin(), block_chances.end(), 0.0);
    if (!(total > 0)) break;
    double rest = uniform * total;
    std::size_t block = 0;
    while (block + 1 < num_blocks && rest >= block_chances[block]) rest -= block_chances[block++];
    std::size_t seed = block * kPointsPerBlock;
    while (seed + 1 < end_of(block) && rest >= chances[seed]) rest -= chances[seed++];
    while (chances[seed] == 0 && seed > 0) --seed;  // rounding may have led past the last point with a chance
    if (chances[seed] == 0) break;
    chosen.push_back(order[seed]);

    const float* centre = sorted.data() + seed * num_dimensions;
    const float at = projections[order[seed]];
    for (block = 0; block < num_blocks; ++block) {
      const std::size_t first = block * kPointsPerBlock, end = end_of(block);
      const float between = std::max({0.0f, projections[order[first]] - at, at - projections[order[end - 1]]}) * kSlack;
      if ((metric == Metric::kL1 ? between : between * between) > block_farthest[block]) continue;
      float farthest = 0;
      for (std::size_t i = first; i < end; ++i) {
        const float apart = (projections[order[i]] - at) * kSlack;
        if ((metric == Metric::kL1 ? std::abs(apart) : apart * apart) <= nearest[i]) {
          const float measured = distance(metric, sorted.data() + i * num_dimensions, centre, num_dimensions);
          if (measured < nearest[i]) {
            nearest[i] = measured;
            const double squared = metric == Metric::kL1 ? double{measured} * measured : double{measured};
            chances[i] = weights[order[i]] * squared;
          }
        }
        farthest = std::max(farthest, nearest[i]);
      }
      block_farthest[block] = farthest;
      sum_up(block);
    }
  }
  return chosen;
}

void add_to_sums(const float* points, const std::uint32_t* labels, const double* weights, std::size_t count,
                 std::size_t num_dimensions, double* sums, double* totals) {
  for (std::size_t i = 0; i < count; ++i) {
    double* sum = sums + labels[i] * num_dimensions;
    const double weight = weights[i];
    for (std::size_t d = 0; d < num_dimensions; ++d) sum[d] += weight * points[i * num_dimensions + d];
    totals[labels[i]] += weight;
  }
}

}  // namespace errai
