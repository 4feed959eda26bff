"""A short text that changes when any result changes, and with nothing else.

The kernels give the same bits at every level of the instruction set and with any number of threads, so the signature is
the same on every machine. A change of the code that says "no functional change" leaves it as it was.
"""

from hashlib import sha256

import numpy as np

from errai.cards.deck import Deck
from errai.cards.isomorphism import HandIndexer
from errai.cards.strength import hand_strengths
from errai.games.acpc import parse_betting
from errai.games.library import load_game
from errai.solvers.flat_solver import FlatSolver
from errai.solvers.lane_solver import LaneSolver
from errai.solvers.variants import VARIANTS
from errai.storage.codec import ChunkShape, decode_chunk, encode_chunk
from errai.trees.betting_tree import build_betting_tree
from errai.trees.poker_form import build_extensive_form
from errai.trees.public_tree import Precision, build_public_tree


def result_signature() -> str:
    """Sixteen hexadecimal digits over the results of all engines on small work."""
    digest = sha256()
    cards = np.arange(52, dtype=np.uint8)
    generator = np.random.Generator(np.random.PCG64(1))
    hands = np.array([generator.permutation(cards)[:7] for _ in range(2_000)])
    digest.update(hand_strengths(Deck(13, 4), hands).tobytes())
    digest.update(HandIndexer(Deck(13, 4), (2, 3, 1, 1)).index(hands).tobytes())
    for variant in VARIANTS.values():
        flat = FlatSolver(build_extensive_form(load_game("leduc")), variant=variant, planned_iterations=20)
        flat.run(20)
        digest.update(flat.average_strategy().tobytes())
    for precision in ("float64", "float32", "uint16"):
        digest.update(_river_bytes(precision))
    digest.update(_chunk_bytes())
    return digest.hexdigest()[:16]


def _river_bytes(precision: Precision) -> bytes:
    game = load_game("holdem.limit.2p")
    root = parse_betting(game, "rc/cc/cc/")
    tree = build_public_tree(
        game, betting=build_betting_tree(root), board=game.deck.parse("Ks8s3d7h2c"), precision=precision
    )
    solver = LaneSolver(tree, variant=VARIANTS["dcfr+"])
    solver.run(20)
    return b"".join(array.tobytes() for array in solver.state_arrays().values())


def _chunk_bytes() -> bytes:
    """A chunk with residuals of all sizes, encoded and decoded."""
    shape = ChunkShape(num_hands=300, lanes=16, actions=(3,))
    generator = np.random.Generator(np.random.PCG64(2))
    steps = generator.integers(-300, 301, (300, 48))
    values = np.maximum(np.cumsum(steps, axis=0), 0).astype(np.float32).ravel()
    data = encode_chunk(shape, values, scale=0.5)
    return data + decode_chunk(shape, data, scale=0.5).tobytes()
