// The arrays that Python passes to the kernels and receives from them: the only place that names their types, and the
// checks that every binding makes before it takes a pointer.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace errai {

namespace nb = nanobind;

// Contiguous, with one or two dimensions. `const T` is only read.
template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// An argument that is an array is never converted: a copy would hide results from the caller, or cost time unseen.
inline auto array_arg(const char* name) { return nb::arg(name).noconvert(); }

// Each raises a ValueError in Python.
inline void verify(bool is_right, const char* expected) {
  if (!is_right) throw std::invalid_argument(expected);
}

template <class T>
void verify_size(const char* name, const Array<T>& array, std::size_t size) {
  if (array.shape(0) == size) return;
  throw std::invalid_argument("`" + std::string(name) + "` must have " + std::to_string(size) + " entries; got " +
                              std::to_string(array.shape(0)));
}

template <class T>
void verify_shape(const char* name, const Table<T>& table, std::size_t rows, std::size_t columns) {
  if (table.shape(0) == rows && table.shape(1) == columns) return;
  throw std::invalid_argument("`" + std::string(name) + "` must have the shape (" + std::to_string(rows) + ", " +
                              std::to_string(columns) + "); got (" + std::to_string(table.shape(0)) + ", " +
                              std::to_string(table.shape(1)) + ")");
}

// All values are 0 to limit - 1.
template <class T>
void verify_below(const char* name, const T* values, std::size_t count, T limit) {
  T lowest = 0, highest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    lowest = values[i] < lowest ? values[i] : lowest;
    highest = values[i] > highest ? values[i] : highest;
  }
  if (lowest >= 0 && (count == 0 || highest < limit)) return;
  throw std::invalid_argument("`" + std::string(name) + "` must be 0 to " + std::to_string(limit) +
                              ", exclusive; got " + std::to_string(lowest < 0 ? lowest : highest));
}

inline void verify_index(const char* name, int index, std::size_t count) {
  if (index >= 0 && std::size_t(index) < count) return;
  throw std::invalid_argument("`" + std::string(name) + "` must be 0 to " + std::to_string(count) +
                              ", exclusive; got " + std::to_string(index));
}

// An array that owns its values.
template <class T>
Array<T> to_numpy(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array<T>(kept->data(), {kept->size()}, owner);
}

}  // namespace errai
