"""A spot: the start of a round, the cards on the board, and what each player may hold there.

    Spot(definition, betting="rc/cc/", board="Ks8s3d7h", range_bb="random", range_dealer="22+,A2s+,KTo+")
    Spot(definition, pot=180, stack=910, board="QsJh2h", range_bb="TT+,AQs+", range_dealer="99-22", bets="50%,a / 3x")

A spot is reached by betting, written as the ACPC writes it, under the rules of the game; or, in no-limit games, it is
given by the pot and the effective stack. Then there are no blinds: the smallest bet is one chip and a raise adds at
least the amount to call, and betting counts the chips put in from there on. A no-limit spot has a bet menu
(`errai.games.bet_menu_text`). Decisions can be locked (`errai.games.lock_text`). Ranges are written as players write
them (`errai.cards.ranges`). Player 0 is the big blind, who is out of position after the flop, and player 1 the dealer.
A spot that exists can be played: everything about it was checked when it was made.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from errai.cards.equity import pair_edges
from errai.cards.hands import hands, held_cards, num_hands
from errai.cards.ranges import parse_range
from errai.errors import InputError
from errai.games.acpc import continue_betting, format_betting, parse_betting
from errai.games.bet_menu import BetMenu
from errai.games.bet_menu_text import parse_bet_menu
from errai.games.definition import UNLIMITED, GameDefinition
from errai.games.lock_text import parse_locks
from errai.games.locks import NodeLock, place_lock
from errai.games.menu_sizes import available_actions
from errai.games.rake import Rake, parse_rake
from errai.games.state import Action, BettingState

MAX_CHIPS = 1_000_000_000


def position_names(definition: GameDefinition) -> tuple[str, str]:
    """What players call player 0 and player 1: by the blinds, where there are any."""
    first, second = definition.blinds
    return ("the big blind", "the dealer") if first > second else ("player 0", "player 1")


@dataclass(frozen=True)
class Spot:
    """A value that holds only text and chips, all kept as this program would write them."""

    definition: GameDefinition
    betting: str = ""
    board: str = ""
    range_bb: str = "random"
    range_dealer: str = "random"
    pot: int | None = None
    stack: int | None = None  # of each player, behind the pot
    bets: str = ""  # the menu of a no-limit game
    rake: str = ""
    locks: str = ""  # what players do at some decisions (`errai.games.lock_text`), one per line

    def __post_init__(self) -> None:
        self._verify_options()
        if self.bets:
            object.__setattr__(self, "bets", parse_bet_menu(self.bets).text)
        if self.rake:
            object.__setattr__(self, "rake", parse_rake(self.rake).text)
        if self.pot is None:
            object.__setattr__(self, "betting", self._written_betting())
        object.__setattr__(self, "board", self._written_board())
        self._verify_ranges()
        self._verify_menu()
        if self.locks:
            placed = [place_lock(self, lock) for lock in parse_locks(self.locks)]
            object.__setattr__(self, "locks", "\n".join(text.text for _, text in placed))

    @property
    def name(self) -> str:
        """`holdem.limit.2p Ks8s3d7h rc/cc/`, or `holdem.nolimit.2p QsJh2h pot 180 stack 910`."""
        chips = "" if self.pot is None else f"pot {self.pot} stack {self.stack}"
        locked = "locked" if self.locks else ""
        return " ".join(part for part in (self.definition.name, self.board, self.betting, chips, locked) if part)

    @cached_property
    def node_locks(self) -> tuple[NodeLock, ...]:
        """The decisions that are locked, in the order in which they were written."""
        return tuple(place_lock(self, lock)[0] for lock in parse_locks(self.locks))

    @cached_property
    def rules(self) -> GameDefinition:
        """The definition that hands follow: with the rake, and without blinds where pot and stack are given."""
        if self.pot is None or self.stack is None:
            return replace(self.definition, rake=self.rake_rule) if self.rake else self.definition
        return replace(
            self.definition,
            dead_pot_chips=self.pot,
            rake=self.rake_rule,
            blinds=(0, 0),
            stacks=(self.stack, self.stack),
            first_player=(self.definition.first_player[0], *(0 for _ in self.definition.first_player[1:])),
            max_raises=(UNLIMITED,) * self.definition.num_rounds,
        )

    @cached_property
    def root(self) -> BettingState:
        """Where the betting stands. Of a spot by pot and stack, all earlier rounds were checked through."""
        if self.pot is None:
            return parse_betting(self.rules, self.betting)
        return parse_betting(self.rules, self._checked_through)

    @cached_property
    def _checked_through(self) -> str:
        """The rounds before a spot by pot and stack, as betting."""
        return "cc/" * self._round_of_board()

    def actions(self, state: BettingState) -> tuple[Action, ...]:
        """What can be done at a point of the betting: all of a limit game, what the menu offers of a no-limit one."""
        return available_actions(state, self.menu, dead_pot=self.dead_pot_chips)

    def parse_betting(self, text: str) -> BettingState:
        """The state after the betting `text`: of the whole hand, or where pot and stack are given, from the spot on."""
        return parse_betting(self.rules, text) if self.pot is None else continue_betting(self.root, text)

    def parse_whole_betting(self, text: str) -> BettingState:
        """The state after betting that begins with the game, rounds before the spot included."""
        return parse_betting(self.rules, text)

    def format_betting(self, state: BettingState) -> str:
        """The text that `parse_betting` reads back as `state`."""
        return format_betting(state).removeprefix("" if self.pot is None else self._checked_through)

    @property
    def dead_pot_chips(self) -> int:
        """Chips in the middle that the betting of `root` does not count."""
        return self.pot or 0

    @cached_property
    def menu(self) -> BetMenu | None:
        """The sizes of a no-limit spot."""
        return parse_bet_menu(self.bets) if self.bets else None

    @cached_property
    def rake_rule(self) -> Rake | None:
        return parse_rake(self.rake) if self.rake else None

    @cached_property
    def board_cards(self) -> tuple[int, ...]:
        return self.definition.deck.parse(self.board)

    @cached_property
    def weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The weight of each hand of the deck for player 0 and for player 1; 0 where the board holds a card of it."""
        hand_cards = hands(self.definition.deck, self.definition.num_hole_cards)
        possible = ~np.isin(hand_cards, self.board_cards).any(axis=1)
        first, second = (np.where(possible, self._parse_range(text), 0.0) for text in self._range_texts)
        return first, second

    @property
    def pot_chips(self) -> int:
        return self.dead_pot_chips + sum(self.root.committed)

    @cached_property
    def equity(self) -> tuple[float, float]:
        """Of each range over all ways to deal the rest of the board, a tie counting half."""
        if self.is_whole_game:
            return 0.5, 0.5
        definition = self.definition
        first, second = self.weights
        raw = np.flatnonzero((first > 0) | (second > 0))
        edges = pair_edges(
            definition.deck, raw, self.board_cards, definition.num_hole_cards, sum(definition.num_board_cards)
        )
        held = held_cards(definition.deck, definition.num_hole_cards)[raw]
        pair_weights = np.where(held @ held.T == 0, np.outer(first[raw], second[raw]), 0.0)
        edge = float((pair_weights * edges).sum() / pair_weights.sum())
        return (1 + edge) / 2, (1 - edge) / 2

    @cached_property
    def is_whole_game(self) -> bool:
        """Whether it begins where the game does, with every hand as likely as any other."""
        whole = self.root.round == 0 and not self.board
        return whole and all(bool((weights == weights[0]).all()) for weights in self.weights)

    @property
    def merges_suits(self) -> bool:
        """Whether hands that a relabelling of suits makes equal can be merged everywhere: locks may tell them apart."""
        return self.is_whole_game and not self.locks

    @property
    def _range_texts(self) -> tuple[str, str]:
        return self.range_bb, self.range_dealer

    def _verify_options(self) -> None:
        """The game, and which ways to give a spot go together."""
        name = self.definition.name
        if self.definition.is_limit:
            for option in ("pot", "stack", "bets", "rake"):
                if getattr(self, option) not in (None, ""):
                    raise InputError(
                        f"`{option}` is for no-limit games; `{name}` is a limit game",
                        hint="`holdem.nolimit.2p` and `royal.nolimit` are no-limit games",
                    )
            return
        if not self.bets.strip():
            raise InputError(
                f"`{name}` is no-limit: a spot needs a bet menu",
                hint="`fcpa` (pot or all-in), or sizes as in `50%,100% / 60%`: `--bets fcpa`",
            )
        if (self.pot is None) != (self.stack is None):
            raise InputError("pot and stack must be given together", hint="`--pot 180 --stack 910`")
        if self.pot is not None and self.betting:
            raise InputError(
                f"a spot is given by pot and stack or by the betting; got both, with `{self.betting}`",
                hint="with the betting, the definition has the stacks and the betting makes the pot",
            )
        for option in ("pot", "stack"):
            chips = getattr(self, option)
            if chips is not None and not 1 <= chips <= MAX_CHIPS:
                raise InputError(f"`{option}` must be 1 to {MAX_CHIPS:,} chips; got `{chips}`", hint="`--pot 180`")

    def _verify_menu(self) -> None:
        """Every street to come must have sizes for both players, or `none`."""
        if self.menu is not None:
            for street in range(self.root.round, self.definition.num_rounds):
                for player in (0, 1):
                    self.menu.sizes(street=street, player=player, num_bets=0, is_lead=False)

    def _written_betting(self) -> str:
        example = "rc/cc/" if self.definition.is_limit else "r300c/cc/"
        try:
            state = parse_betting(self.definition, self.betting)
        except InputError as error:
            hint = error.hint or f"actions are `f`, `c` and `r`, and `/` ends a round, as in `{example}`"
            raise type(error)(str(error), hint=hint) from None
        if state.is_terminal:
            raise InputError(
                f"the hand is over after the betting `{self.betting}`",
                hint=f"a spot begins where a round does: `{example.partition('/')[0]}/`",
            )
        if state.history[-1]:
            before = self.betting[: self.betting.rfind("/") + 1]
            raise InputError(
                f"a spot begins at the start of a round; the betting `{self.betting}` is in the middle of one",
                hint=f"`{before}` is the start of that round; `errai show` looks at any point below it",
            )
        return format_betting(state)

    def _written_board(self) -> str:
        cards = self._parse_board()
        expected = sum(self.definition.num_board_cards[: self.root.round + 1])
        if len(cards) != expected:
            raise InputError(
                f"the betting `{self.betting}` leads to round {self.root.round + 1}, which has {expected} cards on the "
                f"board; got {len(cards)}: `{self.board}`",
                hint="board and betting must belong to the same round: `rc/` to a flop, `rc/cc/` to a turn",
            )
        return self.definition.deck.text(cards)

    def _round_of_board(self) -> int:
        """The round that a spot by pot and stack begins."""
        num_cards = len(self._parse_board())
        totals = list(accumulate(self.definition.num_board_cards))
        if num_cards not in totals[1:]:
            expected = " or ".join(map(str, sorted(set(totals[1:])))) or "more"
            raise InputError(
                f"a spot by pot and stack begins after the first round of `{self.definition.name}`, with {expected} "
                f"cards on the board; got {num_cards}: `{self.board}`",
                hint="`--board QsJh2h` is a flop; a spot in the first round is given by `--betting`",
            )
        return totals.index(num_cards, 1)

    def _parse_board(self) -> tuple[int, ...]:
        try:
            return self.definition.deck.parse(self.board)
        except InputError as error:
            raise InputError(f"`board`: {error}", hint=error.hint or "write every card once: `Ks8s3d7h`") from None

    def _parse_range(self, text: str) -> NDArray[np.float64]:
        definition = self.definition
        if definition.num_hole_cards == 2:
            return parse_range(text, definition.deck)
        if text.strip().lower() != "random":
            raise InputError(f"`{definition.name}` deals one hole card; its only range is `random`; got `{text}`")
        return np.ones(num_hands(definition.deck, definition.num_hole_cards))

    def _verify_ranges(self) -> None:
        for position, text, weights in zip(
            position_names(self.definition), self._range_texts, self.weights, strict=True
        ):
            if not weights.any():
                raise InputError(
                    f"the range of {position} is empty: no hand of `{text}` is possible on `{self.board}`",
                    hint="add hands to the range, or `random` for all of them",
                )
        held = held_cards(self.definition.deck, self.definition.num_hole_cards)
        first, second = (held[weights > 0] for weights in self.weights)
        if not np.any(first @ second.T == 0):
            raise InputError(
                f"the ranges conflict: every hand of `{self.range_bb}` shares a card with every hand of "
                f"`{self.range_dealer}`",
                hint="at least one hand of one range must leave the cards of one hand of the other",
            )
