#include "lanes/pair_products.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace errai {
namespace {

// sum + a * x, rounded once.
template <class Native, class Real>
[[gnu::always_inline]] inline Native fused(Real a, Native x, Native sum) {
  constexpr int kCount = sizeof(Native) / sizeof(Real);
#if defined(__FMA__)
  if constexpr (sizeof(Native) == 32 && sizeof(Real) == 4) return Native(_mm256_fmadd_ps(_mm256_set1_ps(a), x, sum));
  if constexpr (sizeof(Native) == 32 && sizeof(Real) == 8) return Native(_mm256_fmadd_pd(_mm256_set1_pd(a), x, sum));
#endif
#if defined(__AVX512F__)
  if constexpr (sizeof(Native) == 64 && sizeof(Real) == 4) return Native(_mm512_fmadd_ps(_mm512_set1_ps(a), x, sum));
  if constexpr (sizeof(Native) == 64 && sizeof(Real) == 8) return Native(_mm512_fmadd_pd(_mm512_set1_pd(a), x, sum));
#endif
  for (int i = 0; i < kCount; ++i) sum[i] = std::fma(a, x[i], sum[i]);
  return sum;
}

// As many rows as fill the registers with sums: twelve, with a vector of reach beside them.
template <class Real, int W>
constexpr int kRows = std::max(1, 12 / Vector<Real, W>::kParts);

// The hands of a panel that reach a column.
struct Reaching {
  std::uint16_t hands[PairMatrix<float>::kPanel];
  int count = 0;
};

template <class Real, int W, int Rows>
[[gnu::always_inline]] inline void add_rows(const Real* rows, const Reaching& reaching, const Vector<Real, W>* reach,
                                            Vector<Real, W>* product) {
  using V = Vector<Real, W>;
  typename V::Native sums[Rows][V::kParts] = {};
  for (int i = 0; i < reaching.count; ++i) {
    const std::size_t hand = reaching.hands[i];
    for (int r = 0; r < Rows; ++r)
      for (int part = 0; part < V::kParts; ++part)
        sums[r][part] = fused(rows[r * PairMatrix<Real>::kPanel + hand], reach[hand].part[part], sums[r][part]);
  }
  for (int r = 0; r < Rows; ++r)
    for (int part = 0; part < V::kParts; ++part) product[r].part[part] += sums[r][part];
}

template <class Real, int W>
void find_reaching(const Vector<Real, W>* reach, int count, Reaching& reaching) {
  using V = Vector<Real, W>;
  reaching.count = 0;
  for (int hand = 0; hand < count; ++hand) {
    typename V::Native any = reach[hand].part[0];
    for (int part = 1; part < V::kParts; ++part) any = any > reach[hand].part[part] ? any : reach[hand].part[part];
    Real most = 0;
    for (int i = 0; i < V::kNative; ++i) most = std::max(most, any[i]);
    reaching.hands[reaching.count] = std::uint16_t(hand);
    reaching.count += most > 0;
  }
}

}  // namespace

template <class Real, int W>
void multiply_pairs(const PairMatrix<Real>& matrix, const std::vector<PairColumn<Real, W>>& columns) {
  constexpr int kPanel = PairMatrix<Real>::kPanel;
  const int rows = matrix.num_rows();
  for (const auto& column : columns) std::fill_n(column.product, rows, Vector<Real, W>::all(0));
  std::vector<Reaching> reaching(columns.size());
  for (int panel = 0; panel < matrix.num_panels(); ++panel) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      find_reaching<Real, W>(columns[c].reach + panel * kPanel, matrix.panel_columns(panel), reaching[c]);
    const auto add = [&]<int Rows>(int row) {
      const Real* const first = matrix.panel(panel) + std::size_t(row) * kPanel;
      for (std::size_t c = 0; c < columns.size(); ++c)
        if (reaching[c].count)
          add_rows<Real, W, Rows>(first, reaching[c], columns[c].reach + panel * kPanel, columns[c].product + row);
    };
    int row = 0;
    for (; row + kRows<Real, W> <= rows; row += kRows<Real, W>) add.template operator()<kRows<Real, W>>(row);
    for (; row < rows; ++row) add.template operator()<1>(row);
  }
}

template void multiply_pairs(const PairMatrix<float>&, const std::vector<PairColumn<float, 8>>&);
template void multiply_pairs(const PairMatrix<float>&, const std::vector<PairColumn<float, 16>>&);
template void multiply_pairs(const PairMatrix<double>&, const std::vector<PairColumn<double, 8>>&);
template void multiply_pairs(const PairMatrix<double>&, const std::vector<PairColumn<double, 16>>&);

}  // namespace errai
