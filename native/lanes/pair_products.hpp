// Products of a matrix over pairs of hands with columns of reach.
#pragma once

#include <vector>

#include "lanes/pair_weights.hpp"
#include "vectors.hpp"

namespace errai {

// A column: a vector of lanes for each of the opponent's hands, and where the products of our hands go.
template <class Real, int W>
struct PairColumn {
  const Vector<Real, W>* reach;
  Vector<Real, W>* product;
};

// product = matrix * reach, for all columns. Reach is added up in order within a panel, and panels in order, with fused
// multiplication and addition, so that every level of the instruction set gives the same bits. Hands that reach a
// column in no lane cost nothing.
template <class Real, int W>
void multiply_pairs(const PairMatrix<Real>& matrix, const std::vector<PairColumn<Real, W>>& columns);

}  // namespace errai
