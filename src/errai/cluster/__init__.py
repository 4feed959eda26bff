"""Independent pieces of work: in this process, on all cores, or on a cluster; the results are the same bits."""

from errai.cluster.local import LocalRunner
from errai.cluster.ray_runner import RayRunner
from errai.cluster.runner import Runner

__all__ = ["LocalRunner", "RayRunner", "Runner"]
