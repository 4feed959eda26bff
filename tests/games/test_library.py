import os
from pathlib import Path

import pytest

from errai.errors import InputError
from errai.games.definition_text import format_definition
from errai.games.library import bundled_games, load_game


def test_the_bundled_games_are_listed_by_name() -> None:
    names = bundled_games()
    assert list(names) == sorted(names)
    assert {"kuhn", "leduc", "rhode-island", "royal", "four-ranks", "holdem.limit.2p", "holdem.nolimit.2p"} <= set(
        names
    )


@pytest.mark.parametrize("name", bundled_games())
def test_every_bundled_game_loads_under_its_own_name(name: str) -> None:
    assert load_game(name).name == name


def test_a_game_loads_from_a_file_and_takes_its_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.game"
    file.write_text(format_definition(load_game("leduc")), encoding="utf-8")
    for path in (file, str(file)):
        game = load_game(path)
        assert (game.name, game.raise_sizes) == ("mine", (2, 4))


def test_an_unknown_name_suggests_the_closest_and_lists_all() -> None:
    with pytest.raises(InputError, match="there is no game `leduk`") as caught:
        load_game("leduk")
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("did you mean `leduc`? bundled games are 2-1, 2-4, flop-holdem, ")


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read the game definition `.*missing\.game`: No such file"):
        load_game(tmp_path / "missing.game")
    binary = tmp_path / "binary.game"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="it is not UTF-8 text"):
        load_game(binary)
    with pytest.raises(InputError, match="Is a directory"):
        load_game(tmp_path)
    with pytest.raises(InputError, match="embedded null byte"):
        load_game("a/\0.game")


def test_a_pipe_or_a_device_is_refused_instead_of_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.game"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(InputError, match="it is not a regular file"):
            load_game(path)


def test_a_file_of_megabytes_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "large.game"
    file.write_text("GAMEDEF\n" + "9" * 10_000_000)
    with pytest.raises(InputError, match="it has more than 100,000 bytes"):
        load_game(file)
