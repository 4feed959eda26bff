"""What `errai bench` measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Figures = dict[str, float | None]  # None: a program to compare with is not installed


@dataclass(frozen=True)
class BenchReport:
    """The figures of each measurement, the signature of the results, and the machine."""

    figures: Mapping[str, Figures]
    signature: str
    processor: str
    native_level: str

    def to_json(self) -> dict[str, Any]:
        machine = {"processor": self.processor, "native_level": self.native_level}
        return {**self.figures, "signature": self.signature, "machine": machine}
