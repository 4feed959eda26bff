"""What this machine does: rates of the kernels, each beside a plainer form of the same work in the same run."""

from errai.bench.measurements import MEASUREMENTS, Figures
from errai.bench.signature import result_signature

__all__ = ["MEASUREMENTS", "Figures", "result_signature"]
