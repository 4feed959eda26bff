// Nearest centroids, for clustering by the L1 distance (the earth mover's distance of cumulative histograms) or by L2.
//
// Centroids belong to groups, and a point is compared with those of its group only. Within a group they are sorted by
// their projection on the diagonal, s(c) = sum of the coordinates, which bounds the distance from below:
//
//   L1:  |x - c|_1 >= |s(x) - s(c)|            L2:  |x - c|_2 >= |s(x) - s(c)| / sqrt(dimensions)
//
// The search begins where the projections meet, goes up and down, and ends on either side when the bound is no smaller
// than the smallest distance found. Eight centroids are compared at once. Where distances are equal, the first centroid
// in the caller's order counts. A distance is always summed dimension by dimension, so that its bits do not depend on
// the width of the processor's vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace errai {

enum class Metric { kL1, kL2 };

// The distance of two points; for L2 its square.
float distance(Metric metric, const float* first, const float* second, std::size_t num_dimensions);

class Centroids {
 public:
  // Rows of `num_dimensions` coordinates; group g has the rows from g * group_size on.
  Centroids(Metric metric, const float* rows, std::size_t num_groups, std::size_t group_size,
            std::size_t num_dimensions);

  std::size_t num_groups() const { return num_groups_; }
  std::size_t size() const { return num_groups_ * group_size_; }
  std::size_t num_dimensions() const { return num_dimensions_; }

  // labels[i] = the row of the centroid that is nearest to point i among those of its group; distances[i] = how far.
  void find(const float* points, const std::uint32_t* groups, std::size_t count, std::uint32_t* labels,
            float* distances) const;

 private:
  static constexpr std::size_t kLanes = 8;
  using Lanes [[gnu::vector_size(kLanes * sizeof(float))]] = float;

  struct Block {
    float lowest, highest;  // projections
    std::uint32_t rows[kLanes];
  };
  struct Best {
    float measured;  // the distance; for L2 its square
    std::uint32_t row;
  };

  float gap(float projection, const Block& block) const;
  void compare(std::size_t block, const float* point, Best& best) const;

  Metric metric_;
  std::size_t num_groups_, group_size_, num_dimensions_, blocks_per_group_;
  float scale_;  // of the projection, so that it bounds the distance
  std::vector<Block> blocks_;
  std::vector<Lanes> coordinates_;  // [block][dimension]
};

// Chooses `count` points by k-means++: the first by weight, each other one by weight times the square of the distance
// to the nearest chosen point. `uniforms` are numbers from [0, 1), one per choice. Fewer are chosen if all other points
// lie on chosen ones.
std::vector<std::uint32_t> choose_seeds(Metric metric, const float* points, const double* weights,
                                        std::size_t num_points, std::size_t num_dimensions,
                                        std::span<const double> uniforms);

// sums[label] += weight * point and totals[label] += weight, in the order of the points.
void add_to_sums(const float* points, const std::uint32_t* labels, const double* weights, std::size_t count,
                 std::size_t num_dimensions, double* sums, double* totals);

}  // namespace errai
