// The arrays that Python hands to the kernels: contiguous, of one or two dimensions.
#pragma once

#include <nanobind/ndarray.h>

namespace errai {

template <class T>
using Array = nanobind::ndarray<T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Table = nanobind::ndarray<T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

}  // namespace errai
