"""`errai solve GAME`: run a method, show how far it came, save the solution."""

from pathlib import Path
from typing import Any

import click

from errai.cli.menu_options import chip_options, menu_options, rake_options
from errai.cli.options import coding_option, lock_option, output_options, threads_option
from errai.solutions.defaults import FAST_ALGORITHM, FAST_PRECISION, NOLIMIT_ALGORITHM, NOLIMIT_EXPONENTS
from errai.solvers.variants import ALGORITHMS


def _split(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """`--algorithm cfr,cfr+ --algorithm dcfr` as three names."""
    return tuple(name.strip() for value in values for name in value.split(","))


@click.command()
@click.argument("game", required=False)
@click.option("--board", metavar="CARDS", help="Of a spot, as in `Ks8s3d7h`.")
@click.option("--betting", metavar="TEXT", help="That led to the spot, round by round, as in `rc/cc/`.")
@click.option("--range-bb", metavar="RANGE", help="Of the big blind, as in `22+,A2s+,KTo:0.5`. [default: random]")
@click.option("--range-dealer", metavar="RANGE", help="Of the dealer. [default: random]")
@click.option(
    "--reaches",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Of an endgame of Libratus: both ranges as 2,652 reaches, perhaps with its board and pot.",
)
@chip_options
@menu_options
@rake_options
@lock_option
@click.option(
    "--algorithm",
    "algorithms",
    multiple=True,
    callback=_split,
    metavar="NAME[,NAME...]",
    help=f"One of {', '.join(ALGORITHMS)}, or `FILE.py:NAME` for a variant of your own; "
    "several are compared. [default: cfr+; cfr with sampling; "
    f"{FAST_ALGORITHM} for limit spots and limit games of more than a million infosets; {NOLIMIT_ALGORITHM} with "
    f"alpha {NOLIMIT_EXPONENTS.alpha:g}, beta {NOLIMIT_EXPONENTS.beta:g} and gamma {NOLIMIT_EXPONENTS.gamma:g} for "
    "no-limit spots]",
)
@click.option("--iterations", type=int, help="Stop after so many. [default: 1000, unless there is a target]")
@click.option("--target", "target_mbb", type=float, metavar="MBB", help="Stop at this exploitability.")
@click.option("--target-pot", type=float, metavar="PERCENT", help="Stop at this exploitability, in percent of the pot.")
@click.option(
    "--measure",
    type=click.Choice(["average", "current"]),
    default="average",
    show_default=True,
    help="The strategy that the target and the result are about.",
)
@click.option("--every", "measure_every", type=int, metavar="N", help="Measure every N iterations.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "lanes", "flat"]),
    default="auto",
    show_default=True,
    help="`lanes` for limit games and all spots, `flat` for everything.",
)
@click.option(
    "--updates",
    type=click.Choice(["alternating", "simultaneous"]),
    default="alternating",
    show_default=True,
    help="One player's regrets after the other's, or both at once.",
)
@click.option("--averaging-delay", type=int, default=0, help="Leave the first iterations out of the average.")
@click.option("--alpha", type=float, help="Exponent of the discount of positive regrets.")
@click.option("--beta", type=float, help="Exponent of the discount of negative regrets.")
@click.option("--gamma", type=float, help="Exponent of the weight of an iteration in the average.")
@click.option("--sampling", type=click.Choice(["external", "outcome", "public-chance"]), help="Sample, with `--seed`.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sampling.")
@click.option(
    "--precision",
    type=click.Choice(["float32", "float64", "uint16", "fixed", "lossless"]),
    help="Of the numbers of the `lanes` engine; from disk `fixed` or `lossless`. "
    f"[default: float64; {FAST_PRECISION} for spots, and for limit games of more than a million infosets "
    "unless an algorithm is named; fixed from disk]",
)
@click.option("--memory", metavar="BYTES", help="Solve a whole game from disk within this memory, as in `4G`.")
@click.option("--flops", metavar="FLOPS", help="Deal only these, as in `AsKsQs,7h7d2c:2`, or so many, spread out.")
@click.option("--scale", type=float, help="Of fixed point on disk: units for a chip against all hands.")
@coding_option
@click.option("--draw-boards", type=int, metavar="K", help="From disk: visit one in K boards of the last round ...")
@click.option("--draw-until", type=int, metavar="N", help="... in the first N iterations, others each time.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Solve from disk on a cluster of Ray: `auto` or `HOST:PORT`; `--memory` and `--threads` are a node's.",
)
@click.option(
    "--checkpoint-to", type=click.Path(path_type=Path), metavar="DIR", help="Copy the run here every 10 iterations."
)
@threads_option
@click.option("--dry-run", is_flag=True, help="Estimate the infosets, the memory and the time, and stop.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Save the solution in this directory.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="DIR", help="Go on with a saved solution.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE.png", help="Draw the convergence curves.")
@click.option("--show", is_flag=True, help="Print the convergence curve and the strategy, or its first decision.")
@output_options
@click.pass_context
def solve(context: click.Context, /, **_options: Any) -> int:
    """Solve GAME, and report how exploitable the solution is.

    GAME is a bundled game's name (see `errai games`), a `.game` file, or a game of Gambit's, an `.efg` file. With a
    board, the betting so far or a range it is that spot; one of a no-limit game has the sizes of `--bets` and may
    be given by `--pot` and `--stack`. With `--lock`, GAME may also be the directory of a saved spot, which is
    solved again by the same method. With `--memory`, `--flops` or `--cluster` a whole game is solved from
    disk, in the directory `--out`. Ctrl-C stops early with the partial result; with `--out` it is saved, and `errai
    solve --resume DIR` goes on.
    """
    from errai.cli.solve_arguments import SolveArguments
    from errai.cli.solve_in_memory import solve_in_memory
    from errai.cli.whole_solve import is_run, solve_from_disk

    arguments = SolveArguments.of(context)
    if arguments.asks_for_disk or (arguments.resume is not None and is_run(arguments.resume)):
        arguments.verify_from_disk(context)
        return solve_from_disk(arguments)
    arguments.verify_in_memory(context)
    return solve_in_memory(arguments)
