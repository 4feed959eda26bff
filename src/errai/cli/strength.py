"""`errai strength HAND`: how strong a hand is, exactly."""

import os
from collections.abc import Sequence

import click

from errai.cli.options import output_options
from errai.cli.output import print_json, stdout_console


@click.command()
@click.argument("hands", metavar="HAND [HAND]", nargs=-1, required=True)
@click.option("--board", default="", metavar="CARDS", help="The board so far, as in `7h9hQh`. [default: none]")
@click.option("--game", default="holdem.limit.2p", show_default=True, help="Whose cards: see `errai games`.")
@click.option("--bars", "num_bars", type=int, default=50, show_default=True, help="Of the histogram.")
@click.option(
    "--cluster",
    "cluster_ranges",
    metavar="RANGE",
    multiple=True,
    help="A cluster of opponents for OCHS, as in `QQ+,AKs`; once per cluster. [default: the eight of AAMAS 2013]",
)
@output_options
def strength(
    *, hands: Sequence[str], board: str, game: str, num_bars: int, cluster_ranges: Sequence[str], as_json: bool
) -> None:
    """Show how strong HAND is: E[HS], E[HS^2], the histogram of its strength at the showdown, and OCHS.

    HAND is `44`, `AKs` or `T9o`, or two cards, as in `TcQd`. Every way to deal the rest of the board is counted. With
    two hands, their distance is shown as well: the earth mover's distance of the histograms, in bars.
    """
    from errai.abstraction.card_rounds import CardRounds
    from errai.abstraction.hand_strength import hand_strength
    from errai.abstraction.hand_text import parse_hand
    from errai.abstraction.opponent_clusters import clusters_of_ranges, default_clusters
    from errai.abstraction.strength_scale import earth_movers_distance, verify_bars
    from errai.errors import InputError
    from errai.games.library import load_game
    from errai.reports.strength_report import StrengthComparison, StrengthReport

    if len(hands) > 2:
        raise InputError(f"`errai strength` takes one or two hands; got {len(hands)}")
    verify_bars(num_bars)
    cards = CardRounds.of(load_game(game))
    board_cards = cards.parse_board(board)
    clusters = clusters_of_ranges(cards, cluster_ranges) if cluster_ranges else default_clusters(cards)
    found = [
        hand_strength(
            cards,
            parse_hand(cards, hand, board_cards),
            board_cards,
            num_bars=num_bars,
            clusters=clusters,
            num_threads=os.cpu_count() or 1,
        )
        for hand in hands
    ]
    reports = [
        StrengthReport(
            hand=text,
            board=cards.deck.text(board_cards),
            ehs=features.ehs,
            ehs2=features.ehs2,
            histogram=tuple(features.histogram.tolist()),
            ochs=tuple(features.ochs.tolist()),
        )
        for text, features in zip(hands, found, strict=True)
    ]
    if len(reports) == 1:
        if as_json:
            print_json(reports[0].to_json())
            return
    else:
        distance = earth_movers_distance(found[0].histogram, found[1].histogram)
        comparison = StrengthComparison((reports[0], reports[1]), distance)
        if as_json:
            print_json(comparison.to_json())
            return
    from errai.cli.render.strength_table import print_strengths

    print_strengths(stdout_console(), reports, comparison.emd if len(reports) == 2 else None)
