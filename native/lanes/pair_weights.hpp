// Weights of pairs of hands, for rounds whose hands are buckets of hands: two buckets do not compare one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace errai {

// A matrix [own hand][opponent's hand], stored in panels of `kPanel` columns so that a product reads it in order:
//
//     values[(panel * rows + row) * kPanel + column of the panel], zeros after the last column
template <class Real>
class PairMatrix {
 public:
  static constexpr int kPanel = 512;  // of so many columns, the columns of reach of a block fit into a level 2 cache

  PairMatrix(const Real* table, int rows, int columns)
      : rows_(rows), columns_(columns), values_(std::size_t(num_panels()) * rows * kPanel) {
    for (int p = 0; p < num_panels(); ++p)
      for (int r = 0; r < rows; ++r)
        std::copy_n(table + std::size_t(r) * columns + p * kPanel, panel_columns(p),
                    values_.data() + (std::size_t(p) * rows + r) * kPanel);
  }

  int num_rows() const { return rows_; }
  int num_panels() const { return (columns_ + kPanel - 1) / kPanel; }
  int panel_columns(int panel) const { return std::min(kPanel, columns_ - panel * kPanel); }
  const Real* panel(int number) const { return values_.data() + std::size_t(number) * rows_ * kPanel; }

 private:
  int rows_, columns_;
  std::vector<Real> values_;
};

// For our hand h and the opponent's o: how often both are dealt, given h (times a constant of the round), and the same
// with the sign of a showdown.
//
//     fold:      A(h) = sum over o of weight(h, o) * x(o)
//     showdown:  D(h) = sum over o of edge(h, o) * x(o)
template <class Real>
struct PairWeights {
  PairMatrix<Real> weight, edge;
};

}  // namespace errai
