"""`errai doctor`."""

import importlib
from typing import Any

import pytest

from cli.conftest import Errai
from errai.bench import doctor


def test_the_doctor_reports_the_machine_and_every_part(errai: Errai) -> None:
    outcome = errai("doctor", "--json")
    assert outcome.exit_code == 0, outcome.stderr
    report = outcome.json
    assert report["healthy"]
    assert report["kernels_work"]
    assert report["level"] in report["levels"]
    assert 0 < report["free_memory_bytes"] <= report["memory_bytes"]
    assert report["disk_write_bytes_per_second"] > 0
    assert {"matplotlib", "pyarrow", "open_spiel", "ray"} <= {part["library"] for part in report["parts"]}


def test_a_part_that_is_broken_is_a_fault_and_one_that_is_missing_is_not(
    errai: Errai, monkeypatch: pytest.MonkeyPatch
) -> None:
    def import_module(name: str) -> Any:
        if name == "pyarrow":
            raise ImportError("libarrow.so: cannot open shared object file")
        return importlib.import_module(name)

    monkeypatch.setattr(doctor, "_PARTS", (("pyarrow", "pyarrow", "Parquet", "parquet"), ("no", "no", "nothing", "no")))
    monkeypatch.setattr(doctor, "import_module", import_module)
    outcome = errai("doctor")
    assert outcome.exit_code == 1
    assert "DOES NOT WORK: ImportError: libarrow.so" in outcome.stdout
    assert "pip install 'errai[no]'" in " ".join(outcome.stdout.split())


def test_a_disk_that_cannot_be_written_is_named(errai: Errai) -> None:
    outcome = errai("doctor", "--disk", "/proc")
    assert outcome.exit_code == 1
    assert "`/proc` cannot be written" in outcome.stderr
