"""How exploitable bots of limit flop hold'em are, by the size of their bucket table, by CFR and by CFR-BR.

    .venv/bin/python benchmarks/abstraction_sizes.py --iterations 200 [--ranks 7] [--splits 1,5,5x2]

The tables are nested: each splits the buckets of the one before. `--ranks` plays with a smaller deck, which takes
seconds instead of the better part of an hour.
"""

import argparse
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from time import process_time

from errai.abstraction.card_rounds import CardRounds
from errai.abstraction.recipe import parse_recipe
from errai.abstraction.table_cache import TableCache
from errai.games.library import load_game
from errai.solutions.bot import Bot
from errai.solutions.bot_design import BotDesign, BotRequest
from errai.solutions.bot_method_names import Method
from errai.solutions.stored_strategy import Work

SPLITS = ("1", "5", "5x2", "5x2x2", "5x2x2x2", "5x2x2x2x2")
METHODS: tuple[Method, ...] = ("boards", "cfr-br")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--ranks", type=int, default=13)
    parser.add_argument("--algorithm", default="cfr+")
    parser.add_argument("--splits", default=",".join(SPLITS), help="of the flop, a table each")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "abstraction-sizes")
    options = parser.parse_args()
    definition = replace(load_game("flop-holdem"), num_ranks=options.ranks)
    cards = CardRounds.of(definition)
    num_first = cards.num_hands(cards.unordered(0))
    tables, threads = TableCache(options.cache), os.cpu_count() or 1
    print(f"flop-holdem with {options.ranks} ranks, {options.iterations} iterations of {options.algorithm}; mbb/g")
    print("| buckets on the flop | infosets | in the abstract game | CFR | CFR-BR | seconds of one core |")
    print("|---|---|---|---|---|---|")
    for splits in options.splits.split(","):
        recipe = parse_recipe(f"ir-{num_first}-{splits}-phs", cards)
        table = tables.build(recipe, num_threads=threads)
        began = process_time()
        bots = []
        for method in METHODS:
            request = BotRequest(definition, method=method, algorithm=options.algorithm)
            bot = Bot(BotDesign(request, table), num_threads=threads)
            bot.run(options.iterations)
            bots.append(bot)
        plain, against_best = (bot.exploitability(work=Work(num_threads=threads)).exploitability_mbb for bot in bots)
        print(
            f"| {table.counts[1]:,} | {bots[0].design.layout.num_infosets:,} "
            f"| {bots[0].trace[-1].in_abstraction_mbb:.2f} | {plain:.1f} | {against_best:.1f} "
            f"| {process_time() - began:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
