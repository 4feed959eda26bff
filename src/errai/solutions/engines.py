"""The engines by name, and the one that runs a request.

    lanes   limit games, and spots of all poker games, by any variant of CFR without sampling; any number of threads
    flat    every game whose tree fits in memory: sampling, linear programs, games made in Python; one thread

A new engine is one module with a class like these, and one line here.
"""

from typing import Any

from errai.errors import InputError
from errai.solutions.engine import Engine, Plan
from errai.solutions.flat_engine import FlatEngine
from errai.solutions.lanes_engine import LanesEngine
from errai.solutions.request import SolveRequest

# In the order in which they are tried where none is named.
ENGINES: dict[str, Engine[Any, Any]] = {engine.name: engine for engine in (LanesEngine(), FlatEngine())}


def plan_solve(request: SolveRequest) -> Plan[Any]:
    """The plan of the engine that the method names, or of the first one that can run the request."""
    name = request.method.engine
    if name in ENGINES:
        return ENGINES[name].plan(request)
    if name != "auto":
        raise InputError(f"`engine` must be one of {', '.join(('auto', *ENGINES))}; got `{name}`")
    refusals: list[InputError] = []
    for engine in ENGINES.values():
        try:
            return engine.plan(request)
        except InputError as refusal:
            refusals.append(refusal)
    reasons = "; ".join(str(refusal) for refusal in refusals)
    raise InputError(f"no engine can run this solve: {reasons}", hint=refusals[-1].hint)
