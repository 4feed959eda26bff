"""The levels of the instruction set, and which of them this processor can run. The build asks here as well."""

import platform
from pathlib import Path

LEVELS = ("v4", "v3", "v2", "plain")

# What each level adds to the one below; all listed flags are required (names as in /proc/cpuinfo).
_FLAGS = {
    "v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "v3": {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
    "v2": set[str](),
}


def _processor_flags() -> set[str]:
    cpuinfo = Path("/proc/cpuinfo")
    if not cpuinfo.exists():
        return set()
    for line in cpuinfo.read_text().splitlines():
        if line.startswith("flags"):
            return set(line.split(":", 1)[1].split())
    return set()


def architecture_levels() -> tuple[str, ...]:
    """The levels of this kind of processor, the highest first."""
    return LEVELS[:-1] if platform.machine().lower() in {"x86_64", "amd64"} else LEVELS[-1:]


def runnable_levels() -> tuple[str, ...]:
    """The levels whose instructions this processor has, the highest first; `v2` where the system does not say."""
    levels = architecture_levels()
    if levels == LEVELS[-1:]:
        return levels
    flags = _processor_flags()
    if not _FLAGS["v3"] <= flags:
        return ("v2",)
    return levels if _FLAGS["v4"] <= flags else ("v3", "v2")


def best_level() -> str:
    """The highest level that this processor can run."""
    return runnable_levels()[0]
