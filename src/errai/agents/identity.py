"""What an agent is made of, so that a run of it is never continued with another one of the same name."""

from hashlib import sha256
from pathlib import Path

from errai.agents.loading import find_stored
from errai.agents.python_file import file_digests, split_bot
from errai.play.acpc_program import find_program
from errai.runs.run import WholeRun
from errai.storage.ledger import LEDGER_FILE
from errai.storage.solution_directory import DESCRIPTION_FILE, read_solution


def agent_files(text: str) -> dict[str, str]:
    """A digest of every file that decides the answers of the agent that `text` names; none for a baseline.

    A bot is its Python files; data that it reads is not known here. A saved solution is its description, which holds
    the checksums of its arrays. A program is its executable file. A run is its identity and how far it is.
    """
    if (bot := split_bot(text)) is not None:
        return file_digests(bot[0])
    if (command := find_program(text)) is not None:
        return {command[0]: sha256(Path(command[0]).read_bytes()).hexdigest()}
    stored = find_stored(text)
    if stored is None:
        return {}
    path = Path(stored.path)
    if (path / LEDGER_FILE).exists():
        run = WholeRun.open(path)
        return {LEDGER_FILE: f"run {run.identity.run_id}, {run.ledger.passes_done} passes"}
    description = read_solution(path).directory / DESCRIPTION_FILE
    return {DESCRIPTION_FILE: sha256(description.read_bytes()).hexdigest()}
