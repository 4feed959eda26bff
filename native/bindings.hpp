// One `bind_` function a concept; each is defined beside the kernels that it binds.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;
