"""What the tests of the explorer look at: three small solutions, made once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from errai.games.library import load_game
from errai.games.spot import Spot
from errai.serve.app import build_app
from errai.serve.shelf import Shelf
from errai.solutions.solve import solve
from reference.small_holdem import small_holdem

RANGES: dict[str, Any] = {"range_bb": "AA,KQs,T9s,76s,A5o", "range_dealer": "QQ,JTs,A5s,AKo"}


@pytest.fixture(scope="session")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with `leduc`, `small/flop` (a whole game of two rounds), `turn` (limit) and `menu` (no-limit)."""
    directory = tmp_path_factory.mktemp("solutions")
    solve("leduc", iterations=50).save(directory / "leduc")
    (directory / "small").mkdir()
    solve(small_holdem(num_rounds=2, max_raises=(2, 2)), iterations=30).save(directory / "small" / "flop")
    limit, nolimit = load_game("holdem.limit.2p"), load_game("holdem.nolimit.2p")
    solve(Spot(limit, betting="rc/cc/", board="Ks8s3d7h", **RANGES), iterations=30).save(directory / "turn")
    spot = Spot(nolimit, pot=100, stack=200, board="QsJh2h8c3d", bets="50%,a / 3x", **RANGES)
    solve(spot, iterations=50).save(directory / "menu")
    return directory


@pytest.fixture(scope="session")
def client(solutions: Path) -> Iterator[TestClient]:
    with TestClient(build_app(Shelf([solutions])), base_url="http://127.0.0.1") as client:
        yield client
