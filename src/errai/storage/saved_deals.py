"""Work that is done over several sessions, such as many deals: the directory where it is kept between them.

The directory is that of a solution (`errai.storage.solution_directory`), with everything that decides the result, apart
from the number of deals, as its description: the settings, the definition of the game, and a digest of every file that
the agents are made of. Deals of another description are never added to those that are there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from errai.errors import InputError
from errai.storage.solution_directory import StoredArrays, is_saved, read_solution, verify_can_write, write_solution

_HINT = "name another directory for this run, or repeat the old one to continue it"


@dataclass(frozen=True)
class SavedDeals:
    """A directory, and what its deals must have been played with."""

    directory: Path
    settings: Mapping[str, Any]  # as JSON, with the `kind` of work and the `game`
    definition: str  # of the game
    agent_files: Mapping[str, Mapping[str, str]]  # by agent: a digest of each file that it is made of

    def load(self) -> StoredArrays | None:
        """The deals so far, also if a crash left them under their previous name; None if there are none."""
        if not is_saved(self.directory):
            verify_can_write(self.directory)
            return None
        stored = read_solution(self.directory)
        self._verify_same(stored.description)
        return stored.arrays

    def save(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Replace the deals by those of `arrays`, all of them or none."""
        write_solution(self.directory, description=self._description(), arrays=arrays)

    def _description(self) -> dict[str, Any]:
        return {**self.settings, "definition": self.definition, "agent_files": self.agent_files}

    def _verify_same(self, found: Mapping[str, Any]) -> None:
        if found.get("kind") == self.settings["kind"] and not {"definition", "agent_files"} <= found.keys():
            raise InputError(
                f"`{self.directory}` was saved by an older version, which did not record the agents' files and the "
                "game's definition; it cannot be continued",
                hint="name another directory for this run",
            )
        for name, value in self.settings.items():
            if found.get(name) != value:
                raise InputError(
                    f"`{self.directory}` holds a run with `{name}` {found.get(name)!r}; got {value!r}", hint=_HINT
                )
        if found.get("definition") != self.definition:
            raise InputError(
                f"`{self.directory}` holds a run of another game, also named `{self.settings['game']}`", hint=_HINT
            )
        known = found["agent_files"]
        for agent, files in self.agent_files.items():
            changed = sorted(name for name in {*files, *known[agent]} if files.get(name) != known[agent].get(name))
            if changed:
                raise InputError(
                    f"`{self.directory}` holds a run of another `{agent}`: `{changed[0]}` has changed since", hint=_HINT
                )
