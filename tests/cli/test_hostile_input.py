"""Bad input on the command line ends in a sentence, never in an "unexpected" error."""

import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import Errai

NUMBERS = st.sampled_from(
    ["0", "1", "-1", "1e308", "-1e308", "nan", "inf", "1e-320", "\u00b2", "\uff11", "1_0", "", "9" * 30, "1e400", "-0"]
)
TEXTS = st.sampled_from(
    [
        *("", "AA", "AK\u017f", "A\u212as", "\u00df", "\u0130", "\x1b[0m", "AA:1e-320", "AA:nan", "random:0", "AsAs"),
        *("AA" * 500, ",", ":", "22-AA", "\udcff", "rc/", "r" * 500, "/" * 50, "Ks8s3d", "Ks8s3d7h2c"),
    ]
)
PATHS = st.sampled_from(
    ["folder", "file", "pipe", "loop", "dangling", "/dev/null", "/dev/zero", "/", "", ".", "a" * 300, "no/no", "\udcff"]
)
GAMES = st.sampled_from(["kuhn", "leduc", "leduk", "", "bad.game", "pipe", "folder", "/dev/zero", "\x1b", "a" * 500])


def options(**values: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    """Up to three of these options with their values."""
    each = [st.tuples(st.just(f"--{name.replace('_', '-')}"), value) for name, value in values.items()]
    return st.lists(st.one_of(each), max_size=3).map(lambda pairs: [word for pair in pairs for word in pair])


SOLVE = options(
    board=TEXTS,
    betting=TEXTS,
    range_bb=TEXTS,
    range_dealer=TEXTS,
    algorithm=TEXTS,
    every=NUMBERS,
    averaging_delay=NUMBERS,
    alpha=NUMBERS,
    beta=NUMBERS,
    gamma=NUMBERS,
    seed=NUMBERS,
    scale=NUMBERS,
    threads=NUMBERS,
    resume=PATHS,
)
COMMANDS = st.one_of(
    st.tuples(st.just(["count"]), GAMES.map(lambda game: [game])),
    st.tuples(st.just(["plan", "kuhn"]), options(**{"from": PATHS}, disk=NUMBERS, nodes=NUMBERS, threads=NUMBERS)),
    st.tuples(st.just(["bench"]), TEXTS.map(lambda text: ["--only", text])),
    st.tuples(st.sampled_from([["status"], ["verify"], ["exploit"]]), PATHS.map(lambda path: [path])),
    st.tuples(st.just(["show", "--hands", "AA"]), PATHS.map(lambda path: [path])),
    st.tuples(st.just(["solve", "leduc", "--iterations", "2"]), SOLVE),
).map(lambda words: words[0] + words[1])


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(arguments=COMMANDS)
def test_bad_input_ends_in_a_sentence(errai: Errai, arguments: list[str]) -> None:
    _make_hostile_files()
    outcome = errai(*arguments)
    assert outcome.exit_code in (0, 1, 2)
    assert "unexpected" not in outcome.stderr
    assert "Traceback" not in outcome.stderr


def _make_hostile_files() -> None:
    if not Path("pipe").exists():
        os.mkfifo("pipe")
        Path("folder").mkdir()
        Path("file").write_text("hello")
        Path("bad.game").write_text("GAMEDEF\nlimit\n\0\n")
        Path("loop").symlink_to("loop")
        Path("dangling").symlink_to("nowhere")
