"""The compiled kernels, at the best instruction-set level that this processor runs.

The same sources are compiled once a level (`v4`: AVX-512, `v3`: AVX2, `v2`: SSE4; `plain` on other processors). Every
level gives the same bits. `ERRAI_NATIVE_LEVEL` in the environment picks one, for measuring and testing.
"""

import importlib
import os
from types import ModuleType

from errai._native.levels import LEVELS, best_level

__all__ = ["LEVELS", "best_level", "kernels", "level", "load_level"]


def load_level(name: str) -> ModuleType:
    """The module compiled for level `name`."""
    return importlib.import_module(f"errai._native._native_{name}")


level: str = os.environ.get("ERRAI_NATIVE_LEVEL") or best_level()
kernels: ModuleType = load_level(level)
