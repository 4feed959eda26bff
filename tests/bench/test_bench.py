"""`errai bench`: what it prints, and that its signature is the same wherever it runs."""

import json
import os
import subprocess
import sys

import pytest

from errai._native import available_levels
from errai.bench import codec
from errai.bench.measurements import MEASUREMENTS

# `errai bench` at the levels v2 and v3. It changes only when a result changes; then the commit says so, and why: last,
# when chunks began to leave out the rows of hands that are like the hand before.
SIGNATURE = "1177e2da53ed7b25"


@pytest.mark.parametrize("name", available_levels())
def test_no_result_has_changed_at_any_level_that_this_processor_runs(name: str) -> None:
    code = "from errai.bench.signature import result_signature; print(result_signature())"
    environment = {**os.environ, "ERRAI_NATIVE_LEVEL": name}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == SIGNATURE


def test_json_holds_the_figures_by_name_and_the_signature() -> None:
    command = [sys.executable, "-m", "errai", "bench", "--only", "lanes", "--only", "index", "--json"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    content = json.loads(told.stdout)
    assert content["lanes"]["infosets_per_second_per_core"] > 0
    assert content["index"]["ratio_to_single_calls"] > 1
    assert content["signature"] == SIGNATURE
    assert "measuring lanes" in told.stderr


def test_the_codec_stands_beside_general_compressors_where_these_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "_ITERATIONS", 3)
    monkeypatch.setitem(sys.modules, "zstandard", None)  # as if it were not installed
    figures = codec.measure_codec()
    assert figures["bits_per_value"] is not None
    assert figures["decode_values_per_second_per_core"] is not None
    assert figures["ratio"] == pytest.approx(32 / figures["bits_per_value"])
    assert figures["decode_values_per_second_per_core"] > 0
    assert figures["ratio"] is not None
    assert figures["fast_ratio"] is not None
    assert 0.5 * figures["ratio"] < figures["fast_ratio"] < figures["ratio"]
    assert figures["zstd_ratio"] is None


def test_an_unknown_measurement_is_refused_with_the_list_of_all() -> None:
    command = [sys.executable, "-m", "errai", "bench", "--only", "speed"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "there is no measurement `speed`" in told.stderr
    assert all(name in told.stderr for name in MEASUREMENTS)
