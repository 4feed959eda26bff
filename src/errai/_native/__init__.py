"""The compiled kernels, at the best level of the instruction set that this processor runs.

The same sources are compiled once per level (`v4`: AVX-512, `v3`: AVX2, `v2`: SSE4; `plain` on other processors). Every
level gives the same bits. A wheel carries all levels; a build from a clone has only the level of its machine. The
environment variable `ERRAI_NATIVE_LEVEL` picks a level, for measurements and tests.
"""

import importlib
import os
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

from errai._native.levels import LEVELS, runnable_levels
from errai.errors import InputError

__all__ = ["available_levels", "kernels", "level", "load_level"]

_VARIABLE = "ERRAI_NATIVE_LEVEL"


def _module_name(name: str) -> str:
    return f"errai._native._native_{name}"


def available_levels() -> tuple[str, ...]:
    """The compiled levels that this processor can run, the best first."""
    return tuple(name for name in runnable_levels() if find_spec(_module_name(name)) is not None)


def load_level(name: str) -> ModuleType:
    """The module compiled for level `name`."""
    if name not in LEVELS:
        raise InputError(f"`{_VARIABLE}` must be one of {_listed(LEVELS)}; got `{name}`")
    if name not in runnable_levels():
        raise InputError(
            f"this processor cannot run the level `{name}`", hint=f"leave `{_VARIABLE}` unset to use the best level"
        )
    if name not in available_levels():
        raise InputError(
            f"the kernels were not compiled for the level `{name}`; compiled: {_listed(available_levels()) or 'none'}",
            hint="compile all levels with `make build LEVELS=all`",
        )
    return importlib.import_module(_module_name(name))


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _chosen_level() -> str:
    """The level named in the environment, or the best one."""
    if name := os.environ.get(_VARIABLE):
        return name
    return next(iter(available_levels()), runnable_levels()[0])


level = _chosen_level()
if TYPE_CHECKING:  # the build generates `kernels.pyi` from the compiled module
    import errai._native.kernels as kernels
else:
    kernels = load_level(level)
