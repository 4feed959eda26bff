// One `bind_` function per topic.
#pragma once

#include <nanobind/nanobind.h>

namespace errai {

namespace nb = nanobind;

void bind_abstraction(nb::module_& m);
void bind_cards(nb::module_& m);
void bind_codec(nb::module_& m);
void bind_solvers(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_lanes(nb::module_& m);
void bind_buckets(nb::module_& m);
void bind_encoded(nb::module_& m);
void bind_judge(nb::module_& m);
void bind_threads(nb::module_& m);

}  // namespace errai
