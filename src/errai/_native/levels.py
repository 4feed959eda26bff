"""Which instruction-set levels there are, and which this processor can run."""

import platform
from pathlib import Path

LEVELS = ("v4", "v3", "v2", "plain")

# What each level adds that is not in the one below; every listed flag has to be there (names as in /proc/cpuinfo).
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


def best_level() -> str:
    """The highest level whose instructions this processor has; `v2` where the system does not say."""
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        return "plain"
    flags = _processor_flags()
    if not _FLAGS["v3"] <= flags:
        return "v2"
    return "v4" if _FLAGS["v4"] <= flags else "v3"
