"""OpenSpiel itself, which is optional: importing this module without it raises an error with what to install."""

import sys

from errai.errors import InputError

try:
    import pyspiel
    from open_spiel.python.policy import Policy
except ImportError:
    raise InputError(
        "this needs OpenSpiel, which is not installed", hint=f"`{sys.executable} -m pip install open_spiel` installs it"
    ) from None

__all__ = ["Policy", "pyspiel"]
