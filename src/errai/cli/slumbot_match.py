"""`errai match AGENT slumbot`: a match against Slumbot's server, which deals the cards."""

from time import perf_counter

import numpy as np

from errai.agents.playing import check_agent
from errai.agents.starting import choose_start
from errai.cards.hands import number_of_hand
from errai.cli.interrupt import interruptible
from errai.cli.render.progress import step_progress
from errai.errors import InputError
from errai.evaluate.statistics import estimate_mean
from errai.games.library import DEFAULT_GAME, load_game
from errai.games.state import Action, BettingState
from errai.play.schedule import MatchSchedule
from errai.play.slumbot import DEFAULT_URL, SlumbotHand, SlumbotTable
from errai.reports.match import MatchReport

_NAME = "slumbot"


def slumbot_url(agent: str) -> str | None:
    """The address of the server in `slumbot` or `slumbot=URL`; None for any other agent."""
    if agent == _NAME:
        return DEFAULT_URL
    return agent.removeprefix(f"{_NAME}=") if agent.startswith(f"{_NAME}=http") else None


def play_slumbot(agents: tuple[str, ...], *, game: str | None, num_hands: int, seed: int) -> tuple[MatchReport, bool]:
    """The result of the first agent, and whether Ctrl-C ended the match early."""
    (opponent,) = (agent for agent in agents if slumbot_url(agent) is None)
    (server,) = (agent for agent in agents if slumbot_url(agent) is not None)
    definition = load_game(DEFAULT_GAME)
    start = choose_start([opponent], game)
    if start.definition != definition or start.spot is not None:
        raise InputError(f"Slumbot plays `{DEFAULT_GAME}`; got `{start.name}`", hint="leave `--game` out")
    agent = check_agent(opponent, definition)
    schedule = MatchSchedule(num_hands, seed)
    table = SlumbotTable(definition, slumbot_url(server) or DEFAULT_URL)
    hands: list[SlumbotHand] = []
    began = perf_counter()
    with step_progress(f"{opponent} · {_NAME}", "hands") as show, interruptible() as is_interrupted:
        for number in range(num_hands):
            if is_interrupted():
                break
            generator = schedule.generator(number, 0)

            def choose(state: BettingState, board: tuple[int, ...], own: tuple[int, ...]) -> Action:
                answer = agent.played_probabilities(state, board)
                return answer.sample(number_of_hand(own), generator)  # noqa: B023

            hands.append(table.play_hand(choose))
            show(number + 1, num_hands)
        was_interrupted = is_interrupted()
    if not hands:
        raise InputError("interrupted before the first hand was over")
    sign = 1 if agents[0] == opponent else -1
    chips = sign * np.array([hand.winnings_chips for hand in hands], dtype=np.float64)
    # Positions of the first agent, which is perhaps the server.
    positions = np.array([hand.position if sign == 1 else 1 - hand.position for hand in hands])
    mbb = chips * 1000 / definition.unit_chips
    seats = [estimate_mean(mbb[positions == seat]) if np.any(positions == seat) else None for seat in (0, 1)]
    seconds = perf_counter() - began
    names = (agent.name, _NAME) if sign == 1 else (_NAME, agent.name)
    report = MatchReport(
        definition=definition,
        game=definition.name,
        agents=names,
        seed=seed,
        duplicate=False,
        hands=len(hands),
        wins_mbb=estimate_mean(mbb),
        by_seat_mbb=(seats[0], seats[1]),
        plain_mbb=estimate_mean(mbb),
        duplicate_saved=None,
        winnings_chips=(float(chips.sum()), -float(chips.sum())),
        seconds=seconds,
        hands_per_second=len(hands) / seconds,
    )
    return report, was_interrupted
