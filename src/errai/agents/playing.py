"""Matches and local best response between agents that are named or given as objects: `errai.match` and `errai.lbr`."""

from collections.abc import Sequence
from functools import partial

from errai.agents.agent import Agent, AgentPlayer, CheckedAgent
from errai.agents.loading import load_agent
from errai.agents.starting import choose_start
from errai.errors import InputError
from errai.games.definition import GameDefinition
from errai.play.acpc_program import Program, find_program
from errai.play.lbr_estimators import Estimator
from errai.play.lbr_run import RunGoal, run_local_best_response
from errai.play.lbr_settings import LbrSettings
from errai.play.match_limits import ANSWER_SECONDS
from errai.play.match_run import RoundRobin, run_round_robin
from errai.play.matches import Competitor
from errai.play.rounds import parse_rounds
from errai.play.schedule import MatchSchedule
from errai.reports.local_best_response import LbrReport
from errai.reports.match import MatchReport
from errai.workers.local_runner import LocalRunner

AgentOrName = str | Agent


def match(
    agents: Sequence[AgentOrName],
    *,
    game: str | GameDefinition | None = None,
    hands: int = 2000,
    duplicate: bool = True,
    seed: int = 0,
    num_workers: int = 1,
) -> MatchReport:
    """Play two agents against each other.

    An agent is an object with a method `action_probabilities(state, board)`, or a text that names one as for `errai
    match`. The game is that of a saved solution among them, otherwise no-limit hold'em. With `duplicate`, every deal is
    played twice, the second time with the seats swapped; `hands` counts both. Several workers need agents that are
    named, not objects.
    """
    if len(agents) != 2:
        raise InputError(
            f"a match is between two agents; got {len(agents)}", hint="`errai match A B C` plays a tournament"
        )
    _verify_can_share(agents, num_workers)
    start = choose_start([agent for agent in agents if isinstance(agent, str)], game)
    make_competitors = partial(load_competitors, tuple(agents), start.definition)
    first, second = make_competitors()
    schedule = MatchSchedule(hands, seed, is_duplicate=duplicate)
    games = RoundRobin(start.definition, schedule, (first.name, second.name), start.spot)
    (result,) = games.results(run_round_robin(games, make_competitors, run=LocalRunner(num_workers).run))
    return result.report(game=start.name)


def lbr(
    agent: AgentOrName,
    *,
    game: str | GameDefinition | None = None,
    bets: str = "fcpa",
    rounds: str | None = None,
    hands: int = 2000,
    seed: int = 0,
    num_workers: int = 1,
) -> LbrReport:
    """Play a local best response against an agent: a lower bound on how much it can lose.

    Agents, games and workers are those of `match`. `bets` names the actions that LBR considers (`fc`, `fcpa`, `56bets`,
    `on-tree`, or pot fractions as in `0.5,1,all-in`) and `rounds` the rounds in which it acts (`3-4`; by default all).
    Every deal is played twice, with LBR in each seat; `hands` counts both.
    """
    if hands < 2 or hands % 2:
        raise InputError(f"every deal is played twice, so `hands` must be even; got {hands}")
    _verify_can_share([agent], num_workers)
    start = choose_start([agent] if isinstance(agent, str) else [], game)
    make_agent = partial(check_agent, agent, start.definition)
    active = (
        frozenset(range(start.state.round, start.definition.num_rounds)) if rounds is None else parse_rounds(rounds)
    )
    settings = LbrSettings(make_agent().name, start, bets, active, seed, Estimator.AIVAT)
    goal = RunGoal(hands // 2, seed=seed, estimator=settings.estimator)
    observations = run_local_best_response(settings.response, make_agent, goal, run=LocalRunner(num_workers).run)
    return settings.report(observations)


def load_competitors(
    agents: Sequence[AgentOrName], definition: GameDefinition, *, answer_seconds: float = ANSWER_SECONDS
) -> list[Competitor]:
    """The agents as competitors of a match; a program has `answer_seconds` for an action."""
    return [_load_competitor(agent, definition, answer_seconds) for agent in agents]


def _load_competitor(agent: AgentOrName, definition: GameDefinition, answer_seconds: float) -> Competitor:
    command = find_program(agent) if isinstance(agent, str) else None
    if command is None:
        loaded = check_agent(agent, definition)
        return Competitor(loaded.name, partial(AgentPlayer, loaded))
    program = Program(command, definition, name=str(agent), answer_seconds=answer_seconds)
    return Competitor(program.name, program.sit_down)


def check_agent(agent: AgentOrName, definition: GameDefinition) -> CheckedAgent:
    """An agent whose every answer is verified."""
    if isinstance(agent, str):
        return load_agent(agent, definition)
    return CheckedAgent(agent, name=type(agent).__name__)


def _verify_can_share(agents: Sequence[AgentOrName], num_workers: int) -> None:
    if num_workers < 1:
        raise InputError(f"`num_workers` must be at least 1; got {num_workers}")
    if num_workers > 1 and not all(isinstance(agent, str) for agent in agents):
        raise InputError(
            "an agent that is an object plays in this process alone", hint="put its class into a file: `mybot.py:MyBot`"
        )
