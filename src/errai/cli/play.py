"""`errai play [AGENT]`: a person at the terminal against an agent or a stored strategy.

The table is shown on stderr and the result printed on stdout. All that happens between is a session
(`errai.play.session`); `play_hands` reads what is typed and shows what the session answers.
"""

from pathlib import Path

import click

from errai.cli.hand_options import game_option, history_options
from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console


@click.command()
@click.argument("agent", required=False)
@game_option
@click.option("--hands", type=click.IntRange(min=1), help="Stop after this many. [default: when you quit]")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides the cards and the agent's draws.")
@click.option("--advice", is_flag=True, help="After each decision, show what the strategy does and what yours costs.")
@click.option("--name", default="you", show_default=True, help="Your name in files.")
@history_options
@output_options
def play(
    *,
    agent: str | None,
    game: str | None,
    hands: int | None,
    seed: int,
    advice: bool,
    name: str,
    log: Path | None,
    phh: Path | None,
    as_json: bool,
) -> int:
    """Play against AGENT: a baseline, a bot, or the directory of a saved solution or a run.

    Without AGENT, Leduc is solved in a moment and played. At a saved spot, every hand begins there and the hole cards
    are dealt from its ranges. The result at the end has most of the luck removed (AIVAT). Type `q`, or end the input,
    to stop; a hand that is not over does not count.
    """
    from errai.cli.play_hands import find_opponent, play_hands
    from errai.cli.played_hands import opened_histories
    from errai.cli.render.play_table import print_result
    from errai.play.schedule import MatchSchedule
    from errai.play.session import PlaySession

    start, opponent, advisor = find_opponent(agent, game)
    with opened_histories(start, MatchSchedule(hands or 1, seed), log=log, phh=phh) as files:
        session = PlaySession(start, opponent, player=name, seed=seed, on_hand=files.write_hand)
        play_hands(session, hands, advisor if advice else None)
    report = session.result()
    if as_json:
        print_json(report.to_json())
    else:
        print_result(stdout_console(), report, start.definition)
    return 0
