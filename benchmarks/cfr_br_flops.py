"""How fast CFR-BR gets less exploitable than CFR, with all flops and with drawn ones, on a game of four rounds.

    .venv/bin/python benchmarks/cfr_br_flops.py --iterations 64,256,512 [--flops 0,1,4]

The game is `four-ranks` with one raise per round, 16 cards and 48 flops, so that it can be judged exactly. `--flops 0`
is CFR-BR of the whole game. Every table and every figure is that of a bot: `errai bot build` gives the same.
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
from errai.solutions.stored_strategy import Work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", default="64,256,512", help="at which bots are judged")
    parser.add_argument("--flops", default="0,1,4", help="that an iteration of CFR-BR draws; 0 for all")
    parser.add_argument("--table", default="ir-16-5-5-5-phs")
    parser.add_argument("--algorithm", default="lcfr")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "cfr-br-flops")
    options = parser.parse_args()
    definition = replace(load_game("four-ranks"), max_raises=(1, 1, 1, 1))
    threads = os.cpu_count() or 1
    recipe = parse_recipe(options.table, CardRounds.of(definition))
    table = TableCache(options.cache).build(recipe, num_threads=threads)
    requests = {"CFR": BotRequest(definition, method="boards", algorithm=options.algorithm)}
    for flops in map(int, options.flops.split(",")):
        name = f"CFR-BR, {flops} flop{'' if flops == 1 else 's'}" if flops else "CFR-BR, all flops"
        requests[name] = BotRequest(
            definition, method="cfr-br", algorithm=options.algorithm, flops_per_iteration=flops or None
        )
    print(f"{definition.name} with one raise per round, {options.table}, {options.algorithm}; mbb/g")
    print("| | iterations | exploitability | seconds of one core per iteration |")
    print("|---|---|---|---|")
    for name, request in requests.items():
        bot = Bot(BotDesign(request, table), num_threads=threads)
        solver = bot.solver
        for iterations in map(int, options.iterations.split(",")):
            began, done = process_time(), bot.iteration
            solver.run(iterations - done)
            seconds = (process_time() - began) / (iterations - done)
            judged = bot.exploitability(work=Work(num_threads=threads)).exploitability_mbb
            print(f"| {name} | {iterations:,} | {judged:.1f} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
