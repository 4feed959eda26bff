#include <nanobind/stl/function.h>

#include <functional>

#include "bindings/bindings.hpp"
#include "threads.hpp"

namespace errai {

void bind_threads(nb::module_& m) {
  m.def(
      "for_each_in_threads",
      [](int count, int num_threads, const std::function<void(int)>& work) {
        nb::gil_scoped_release release;
        for_each_in_threads(count, num_threads, [&](int item, int) {
          nb::gil_scoped_acquire acquire;
          work(item);
        });
      },
      nb::arg("count"), nb::arg("num_threads"), nb::arg("work"),
      "Call `work(item)` for every item in the threads of the kernels. For tests: an error of a thread reaches the "
      "caller.");
}

}  // namespace errai
