"""The texture of a board, on boards that anyone can name."""

import pytest

from errai.cards.deck import Deck
from errai.cards.texture import board_texture

DECK = Deck(num_ranks=13, num_suits=4)


@pytest.mark.parametrize(
    ("board", "dealt", "suits", "pairing", "high"),
    [
        ("Ks8s3d", "Ks8s3d", "two-tone", "unpaired", "K"),
        ("Ks8s3s", "Ks8s3s", "monotone", "unpaired", "K"),
        ("2c2d2h", "2c2d2h", "rainbow", "trips", "2"),
        ("AsAd7h", "AsAd7h", "rainbow", "paired", "A"),
        ("Ks8s3d7s", "7s", "three of a suit", "unpaired", "7"),
        ("Ks8s3dKd", "Kd", "two-tone", "paired", "K"),
        ("Ks8sKd8dKh", "Kh", "two-tone", "full house", "K"),
        ("Ks8sKd8d2h", "2h", "two-tone", "two pair", "2"),
        ("KsKcKdKh2h", "2h", "two-tone", "quads", "2"),
        ("Ts9s8s7s2s", "2s", "five of a suit", "unpaired", "2"),
        ("8c", "8c", "rainbow", "unpaired", "8"),
    ],
)
def test_boards_have_the_names_that_players_give_them(
    board: str, dealt: str, suits: str, pairing: str, high: str
) -> None:
    texture = board_texture(DECK, DECK.parse(board), DECK.parse(dealt))
    assert texture.to_json() == {"suits": suits, "pairing": pairing, "high": high}
