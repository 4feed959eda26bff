"""What is told of matches and tournaments: as one JSON object, or as tables for a person."""

from math import isfinite
from typing import Any

from rich.console import Console
from rich.table import Table

from errai.cli.match_session import MatchRun
from errai.evaluate.statistics import Estimate
from errai.play.matches import MatchResult
from errai.play.tournaments import Standing, Standings, Tournament


def match_json(run: MatchRun) -> dict[str, Any]:
    """The object that `--json` prints of a match."""
    (result,) = run.results
    estimate, plain = result.estimate_mbb(), result.plain_estimate_mbb()
    return {
        "game": result.definition.name,
        "agents": list(result.names),
        "seed": result.schedule.seed,
        "duplicate": result.schedule.is_duplicate,
        "hands": result.num_hands,
        "mean_mbb": estimate.mean,
        "ci95_mbb": _finite(estimate.half_width),
        "by_seat_mbb": [None if seat is None else seat.mean for seat in result.by_position_mbb()],
        "by_seat_ci95_mbb": [None if seat is None else _finite(seat.half_width) for seat in result.by_position_mbb()],
        "plain_ci95_mbb": _finite(plain.half_width),
        "duplicate_saved": result.saved_by_duplicate(),
        "winnings_chips": [result.total_chips, -result.total_chips],
        "seconds": round(run.seconds, 6),
        "hands_per_second": round(run.hands_per_second, 1),
    }


def print_match(console: Console, run: MatchRun) -> None:
    """A match between two agents, in lines."""
    (result,) = run.results
    first, second = result.names
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    table.add_row("match", f"{first} against {second}, {result.definition.name}, seed {result.schedule.seed}")
    table.add_row("hands", f"{result.num_hands:,}{_describe_deals(result)}, {run.hands_per_second:,.0f} a second")
    table.add_row(f"{first} wins", f"{format_estimate(result.estimate_mbb())} mbb/h (95 %)")
    for what, estimate in zip(_positions(result), result.by_position_mbb(), strict=True):
        if estimate is not None:
            table.add_row(f"  {what}", f"{format_estimate(estimate)} mbb/h")
    saved = result.saved_by_duplicate()
    if saved is not None:
        plain = result.plain_estimate_mbb()
        table.add_row("duplicate", f"±{plain.half_width:,.1f} without it: it saved {saved:.1f} times the hands")
    console.print(table)
    console.print(f"[dim]mbb/h: thousandths of {_unit(result)} a hand[/dim]")


def tournament_json(tournament: Tournament, *, kind: str) -> dict[str, Any]:
    """The object that `--json` prints of a tournament."""
    first = tournament.matches[0]
    return {
        "game": first.definition.name,
        "kind": kind,
        "agents": list(tournament.names),
        "seed": first.schedule.seed,
        "duplicate": first.schedule.is_duplicate,
        "hands_a_match": first.num_hands,
        "matches": [
            {
                "agents": list(match.names),
                "mean_mbb": match.estimate_mbb().mean,
                "ci95_mbb": _finite(match.estimate_mbb().half_width),
            }
            for match in tournament.matches
        ],
        "ranking": _ranking(tournament, kind),
        "rounds": [[_standing_json(standing) for standing in standings] for standings in _rounds(tournament, kind)],
    }


def print_tournament(console: Console, tournament: Tournament, *, kind: str) -> None:
    """The ranking, who went out when, and all results."""
    first = tournament.matches[0]
    console.print(
        f"[bold]{kind.replace('-', ' ')}[/bold], {first.definition.name}, "
        f"{first.num_hands:,} hands{_describe_deals(first)} a match, seed {first.schedule.seed}"
    )
    for number, standings in enumerate(_rounds(tournament, kind), start=1):
        is_runoff = kind == "instant-runoff"
        console.print(f"\nround {number}: `{standings[-1].name}` goes out" if is_runoff else "")
        console.print(_standings_table(standings))
    places = ", ".join(f"{place}. {name}" for place, name in enumerate(_ranking(tournament, kind), start=1))
    console.print(f"\n[bold]ranking[/bold]: {places}")
    console.print("\n[bold]all matches[/bold]: what the row wins against the column")
    console.print(_cross_table(tournament))
    console.print(f"[dim]mbb/h with 95 % intervals: thousandths of {_unit(first)} a hand[/dim]")


def format_estimate(estimate: Estimate) -> str:
    """`-12.3 ± 4.5`."""
    return f"{estimate.mean:,.1f} ± {estimate.half_width:,.1f}"


def _rounds(tournament: Tournament, kind: str) -> tuple[Standings, ...]:
    return tournament.instant_runoff() if kind == "instant-runoff" else (tournament.bankroll(),)


def _ranking(tournament: Tournament, kind: str) -> list[str]:
    """The names, best first: in a runoff, whoever went out later is better."""
    *earlier, last = _rounds(tournament, kind)
    return [standing.name for standing in last] + [standings[-1].name for standings in reversed(earlier)]


def _standing_json(standing: Standing) -> dict[str, Any]:
    lead = standing.lead_mbb
    return {
        "agent": standing.name,
        "mean_mbb": standing.mean_mbb.mean,
        "ci95_mbb": _finite(standing.mean_mbb.half_width),
        "lead_mbb": None if lead is None else lead.mean,
        "lead_ci95_mbb": None if lead is None else _finite(lead.half_width),
    }


def _standings_table(standings: Standings) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("agent", style="bold")
    table.add_column("wins (mbb/h)", justify="right")
    table.add_column("lead over the next", justify="right")
    table.add_column("")
    for place, standing in enumerate(standings, start=1):
        lead = standing.lead_mbb
        is_unsure = lead is not None and lead.mean <= lead.half_width
        table.add_row(
            str(place),
            standing.name,
            format_estimate(standing.mean_mbb),
            "" if lead is None else format_estimate(lead),
            "[dim]not significant[/dim]" if is_unsure else "",
        )
    return table


def _cross_table(tournament: Tournament) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("", style="bold")
    for name in tournament.names:
        table.add_column(name, justify="right")
    for name in tournament.names:
        table.add_row(
            name,
            *(
                "" if name == other else format_estimate(tournament.result_mbb(name, other))
                for other in tournament.names
            ),
        )
    return table


def _positions(result: MatchResult) -> tuple[str, str]:
    blinds = result.definition.blinds
    return ("as big blind", "as dealer") if blinds[0] > blinds[1] else ("as first player", "as second player")


def _describe_deals(result: MatchResult) -> str:
    return f" ({result.schedule.num_deals:,} deals, each twice)" if result.schedule.is_duplicate else ""


def _unit(result: MatchResult) -> str:
    what = "a small bet" if result.definition.is_limit else "a big blind"
    chips = result.definition.unit_chips
    return f"{what}, here of {chips} chip{'s' if chips != 1 else ''},"


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None
