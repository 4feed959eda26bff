// Vectors of W values as arrays of the processor's own vectors, so that one source serves every instruction set. (The
// compiler's vector types can be wider than the processor's, but GCC 12 then falls back to scalar code for
// comparisons.)
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace errai {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

// A vector of the processor: N values in one register, and the same type at any address.
template <class T, int N>
struct Register {
  using type [[gnu::vector_size(N * sizeof(T))]] = T;
  using unaligned [[gnu::vector_size(N * sizeof(T)), gnu::aligned(sizeof(T)), gnu::may_alias]] = T;
};

template <class Real, int W>
struct Vector {
  using Scalar = Real;
  static constexpr int kNative = W * int(sizeof(Real)) < kVectorBytes ? W : kVectorBytes / int(sizeof(Real));
  static constexpr int kParts = W / kNative;
  using Native = typename Register<Real, kNative>::type;
  using Unaligned = typename Register<Real, kNative>::unaligned;

  Native part[kParts];

  // Copied part by part: on its own, the compiler copies in halves, and reading a whole vector that was just written in
  // halves stalls the processor.
  Vector() = default;
  [[gnu::always_inline]] Vector(const Vector& other) { *this = other; }
  [[gnu::always_inline]] Vector& operator=(const Vector& other) {
    for (int i = 0; i < kParts; ++i) part[i] = other.part[i];
    return *this;
  }

  static Vector all(Real x) {
    Vector v;
    for (int i = 0; i < kParts; ++i) v.part[i] = Native{} + x;
    return v;
  }
  void set(int lane, Real x) { part[lane / kNative][lane % kNative] = x; }
  Real get(int lane) const { return part[lane / kNative][lane % kNative]; }
};

#define ERRAI_VECTOR_OPERATOR(op)                                                                           \
  template <class Real, int W>                                                                              \
  [[gnu::always_inline]] inline Vector<Real, W> operator op(Vector<Real, W> a, Vector<Real, W> b) {         \
    for (int i = 0; i < a.kParts; ++i) a.part[i] = a.part[i] op b.part[i];                                  \
    return a;                                                                                               \
  }                                                                                                         \
  template <class Real, int W>                                                                              \
  [[gnu::always_inline]] inline Vector<Real, W> operator op(Vector<Real, W> a, Real b) {                    \
    for (int i = 0; i < a.kParts; ++i) a.part[i] = a.part[i] op b;                                          \
    return a;                                                                                               \
  }                                                                                                         \
  template <class Real, int W>                                                                              \
  [[gnu::always_inline]] inline Vector<Real, W> operator op(Real a, Vector<Real, W> b) {                    \
    for (int i = 0; i < b.kParts; ++i) b.part[i] = a op b.part[i];                                          \
    return b;                                                                                               \
  }                                                                                                         \
  template <class Real, int W>                                                                              \
  [[gnu::always_inline]] inline Vector<Real, W>& operator op## = (Vector<Real, W> & a, Vector<Real, W> b) { \
    for (int i = 0; i < a.kParts; ++i) a.part[i] op## = b.part[i];                                          \
    return a;                                                                                               \
  }
ERRAI_VECTOR_OPERATOR(+)
ERRAI_VECTOR_OPERATOR(-)
ERRAI_VECTOR_OPERATOR(*)
ERRAI_VECTOR_OPERATOR(/)
ERRAI_VECTOR_OPERATOR(|)
#undef ERRAI_VECTOR_OPERATOR

template <class Real, int W>
[[gnu::always_inline]] inline Vector<Real, W> operator-(Vector<Real, W> a) {
  for (int i = 0; i < a.kParts; ++i) a.part[i] = -a.part[i];
  return a;
}

template <class V, class Real>
[[gnu::always_inline]] inline V load(const Real* from) {
  V v;
  for (int i = 0; i < V::kParts; ++i)
    v.part[i] = *reinterpret_cast<const typename V::Unaligned*>(from + i * V::kNative);
  return v;
}

template <class Real, int W>
[[gnu::always_inline]] inline void store(Real* to, const Vector<Real, W>& v) {
  using V = Vector<Real, W>;
  for (int i = 0; i < V::kParts; ++i) *reinterpret_cast<typename V::Unaligned*>(to + i * V::kNative) = v.part[i];
}

// Exchanges the values of two rows whose place has the bit `Step`: the one row's where it is set for the other's where
// it is not.
template <int Step, class Row, std::size_t... Place>
[[gnu::always_inline]] inline void exchange(Row& a, Row& b, std::index_sequence<Place...>) {
  constexpr int kCount = sizeof...(Place);
  const Row first = __builtin_shufflevector(a, b, (Place & Step ? kCount + int(Place) - Step : int(Place))...);
  b = __builtin_shufflevector(a, b, (Place & Step ? kCount + int(Place) : int(Place) + Step)...);
  a = first;
}

// Transposes a square of values in registers: first its quarters, then those of the quarters, and so on.
template <int Count, int Step = Count / 2, class Row>
[[gnu::always_inline]] inline void transpose(Row (&rows)[Count]) {
  if constexpr (Step > 0) {
    for (int i = 0; i < Count; ++i)
      if (!(i & Step)) exchange<Step>(rows[i], rows[i + Step], std::make_index_sequence<Count>());
    transpose<Count, Step / 2>(rows);
  }
}

// `a` where `condition` > 0, else `b`.
template <class Real, int W>
[[gnu::always_inline]] inline Vector<Real, W> where_positive(Vector<Real, W> condition, Vector<Real, W> a,
                                                             Vector<Real, W> b) {
  for (int i = 0; i < a.kParts; ++i) a.part[i] = condition.part[i] > 0 ? a.part[i] : b.part[i];
  return a;
}

template <class Real, int W>
[[gnu::always_inline]] inline Vector<Real, W> positive(Vector<Real, W> a) {
  for (int i = 0; i < a.kParts; ++i) a.part[i] = a.part[i] > 0 ? a.part[i] : typename Vector<Real, W>::Native{};
  return a;
}

template <class Real, int W>
[[gnu::always_inline]] inline Vector<Real, W> maximum(Vector<Real, W> a, Vector<Real, W> b) {
  for (int i = 0; i < a.kParts; ++i) a.part[i] = a.part[i] > b.part[i] ? a.part[i] : b.part[i];
  return a;
}

// The largest value, in every place.
template <int Step, class Row, std::size_t... Place>
[[gnu::always_inline]] inline Row largest_of_row(Row row, std::index_sequence<Place...> places) {
  if constexpr (Step > 0) {
    const Row other = __builtin_shufflevector(row, row, (int(Place) ^ Step)...);
    return largest_of_row<Step / 2>(row > other ? row : other, places);
  } else {
    return row;
  }
}
template <class Real, int W>
[[gnu::always_inline]] inline typename Vector<Real, W>::Native largest_of(const Vector<Real, W>& a) {
  constexpr int kCount = Vector<Real, W>::kNative;
  auto row = a.part[0];
  for (int i = 1; i < a.kParts; ++i) row = row > a.part[i] ? row : a.part[i];
  return largest_of_row<kCount / 2>(row, std::make_index_sequence<kCount>());
}

// Without the sign, which is the highest bit.
template <class Real, int W>
[[gnu::always_inline]] inline Vector<Real, W> magnitude(Vector<Real, W> a) {
  using Integer = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
  using Bits = typename Register<Integer, Vector<Real, W>::kNative>::type;
  for (auto& part : a.part)
    part = std::bit_cast<typename Vector<Real, W>::Native>(std::bit_cast<Bits>(part) &
                                                           std::numeric_limits<Integer>::max());
  return a;
}

// The first `count` values of `a`, and 0 in the other places.
template <class Real, int W>
[[gnu::always_inline]] inline Vector<Real, W> first_values(Vector<Real, W> a, int count) {
  using V = Vector<Real, W>;
  const auto place = []<std::size_t... Place>(std::index_sequence<Place...>) {
    return typename V::Native{Real(Place)...};
  }(std::make_index_sequence<V::kNative>());
  for (int i = 0; i < a.kParts; ++i)
    a.part[i] = place < Real(count - i * V::kNative) ? a.part[i] : typename V::Native{};
  return a;
}

// `a` where its magnitude is above `bound`, else 0.
template <class Real, int W>
[[gnu::always_inline]] inline Vector<Real, W> beyond(Vector<Real, W> a, Vector<Real, W> bound) {
  const Vector<Real, W> size = magnitude(a);
  for (int i = 0; i < a.kParts; ++i)
    a.part[i] = size.part[i] > bound.part[i] ? a.part[i] : typename Vector<Real, W>::Native{};
  return a;
}

}  // namespace errai
