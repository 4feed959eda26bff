"""Memory that is freed stays in the process."""

import subprocess
import sys

import pytest

# The page faults of taking and freeing 24 MB in three pieces, twenty times, after a first time.
FAULTS = """
import resource
import numpy as np
from errai.workers.freed_memory import keep_freed_memory

def take():
    return [np.ones(1 << 20) for _ in range(3)]

if {keeps}:
    keep_freed_memory()
take()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    take()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(*, keeps: bool) -> int:
    script = FAULTS.format(keeps=keeps)
    return int(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="a setting of glibc")
def test_memory_that_was_kept_is_not_mapped_again() -> None:
    assert faults(keeps=True) < faults(keeps=False) / 10
