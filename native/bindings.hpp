// One `bind_` function a concept; each is defined beside the kernels that it binds.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_flat(nb::module_& m);
void bind_sampled(nb::module_& m);
void bind_isomorphism(nb::module_& m);
void bind_strength(nb::module_& m);
void bind_equity(nb::module_& m);
void bind_card_blind(nb::module_& m);
void bind_codec(nb::module_& m);
namespace errai {
void bind_lanes(nb::module_& m);
void bind_streamed(nb::module_& m);
}
