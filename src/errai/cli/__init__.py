"""The command line: one module a verb. Results go to stdout, everything else to stderr."""

from errai.cli.main import main

__all__ = ["main"]
