// Vectors of lanes: the compiler's own vector types, so that one source serves every instruction set.
#pragma once

#include <cstring>

namespace errai {

template <class Real, int W>
struct VectorOf {
  using type [[gnu::vector_size(sizeof(Real) * W)]] = Real;
};
template <class Real, int W>
using Vector = typename VectorOf<Real, W>::type;

template <class V, class Real>
inline V load(const Real* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class V, class Real>
inline void store(Real* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

template <class V>
inline V positive(V v) {
  return v > 0 ? v : V{};
}

template <class V>
inline V maximum(V a, V b) {
  return a > b ? a : b;
}

}  // namespace errai
