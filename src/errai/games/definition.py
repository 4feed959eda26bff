"""Game definitions in the format of the Annual Computer Poker Competition (ACPC).

    GAMEDEF
    limit
    numPlayers = 2
    numRounds = 4
    blind = 10 5
    raiseSize = 10 10 20 20
    firstPlayer = 2 1 1 1
    maxRaises = 3 4 4 4
    numSuits = 4
    numRanks = 13
    numHoleCards = 2
    numBoardCards = 0 3 1 1
    END GAMEDEF

Players are numbered from 1 in the file and from 0 everywhere else. Lines that start with `#` are comments. A no-limit
game has `nolimit` and `stack = 20000 20000`, and no raise sizes.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from errai.cards.deck import Deck
from errai.errors import DefinitionError
from errai.games.rake import Rake

NUM_PLAYERS = 2
MAX_ROUNDS = 4
MAX_SHOWDOWN_CARDS = 7
UNLIMITED = 2**31 - 1  # what the ACPC takes for "no limit on the raises" or "no limit on the stack"
MOST_CHIPS = 2**31 - 1  # the ACPC's largest number


@dataclass(frozen=True)
class GameDefinition:
    """The rules of a two-player poker game. Amounts are chips, players are 0 and 1, rounds start at 0."""

    name: str
    is_limit: bool
    blinds: tuple[int, int]
    first_player: tuple[int, ...]
    num_suits: int
    num_ranks: int
    num_hole_cards: int
    num_board_cards: tuple[int, ...]  # dealt at the start of each round
    raise_sizes: tuple[int, ...] = ()  # limit games only
    max_raises: tuple[int, ...] = ()
    stacks: tuple[int, int] = (UNLIMITED, UNLIMITED)
    # Of the rules at a spot only (`errai.games.spot`); the format above has no place for them.
    dead_pot_chips: int = 0  # in the middle before the first chip, half from each player
    rake: Rake | None = None

    def __post_init__(self) -> None:
        rounds = len(self.num_board_cards)
        if not 1 <= rounds <= MAX_ROUNDS:
            raise DefinitionError(f"`numRounds` must be 1 to {MAX_ROUNDS}; got `{rounds}`")
        if not self.max_raises:
            object.__setattr__(self, "max_raises", (UNLIMITED,) * rounds)
        for name, values in (("firstPlayer", self.first_player), ("maxRaises", self.max_raises)):
            if len(values) != rounds:
                raise DefinitionError(f"`{name}` needs {rounds} values, one per round; got {len(values)}")
        if self.is_limit and len(self.raise_sizes) != rounds:
            raise DefinitionError(f"`raiseSize` needs {rounds} values, one per round; got {len(self.raise_sizes)}")
        if self.is_limit and any(size <= 0 for size in self.raise_sizes):
            raise DefinitionError(f"`raiseSize` must be positive; got `{self.raise_sizes}`")
        if any(raises < 0 for raises in self.max_raises):
            raise DefinitionError(f"`maxRaises` must not be negative; got `{self.max_raises}`")
        if any(player not in (0, 1) for player in self.first_player):
            numbers = tuple(player + 1 for player in self.first_player)
            raise DefinitionError(f"`firstPlayer` must be 1 or 2 in every round; got `{numbers}`")
        if any(blind < 0 for blind in self.blinds):
            raise DefinitionError(f"`blind` must not be negative; got `{self.blinds}`")
        for name, values in (("blind", self.blinds), ("stack", self.stacks), ("raiseSize", self.raise_sizes)):
            if any(chips > MOST_CHIPS for chips in values):
                raise DefinitionError(f"`{name}` must be at most {MOST_CHIPS} chips; got `{values}`")
        if any(stack <= 0 or stack < blind for stack, blind in zip(self.stacks, self.blinds, strict=True)):
            raise DefinitionError(f"`stack` must cover the blinds `{self.blinds}`; got `{self.stacks}`")
        if self.num_hole_cards not in (1, 2):
            raise DefinitionError(f"`numHoleCards` must be 1 or 2; got `{self.num_hole_cards}`")
        if any(cards < 0 for cards in self.num_board_cards):
            raise DefinitionError(f"`numBoardCards` must not be negative; got `{self.num_board_cards}`")
        if not 1 <= self.num_suits <= 4:
            raise DefinitionError(f"`numSuits` must be 1 to 4; got `{self.num_suits}`")
        if not 1 <= self.num_ranks <= 13:
            raise DefinitionError(f"`numRanks` must be 1 to 13; got `{self.num_ranks}`")
        needed = NUM_PLAYERS * self.num_hole_cards + sum(self.num_board_cards)
        if needed > self.deck.size:
            raise DefinitionError(
                f"`numBoardCards` must leave enough cards: a hand takes {needed}; the deck has {self.deck.size}"
            )
        if (shown := self.num_hole_cards + sum(self.num_board_cards)) > MAX_SHOWDOWN_CARDS:
            raise DefinitionError(
                f"`numBoardCards` and the hole cards must be at most {MAX_SHOWDOWN_CARDS} at a showdown; got {shown}"
            )

    @cached_property
    def deck(self) -> Deck:
        return Deck(self.num_ranks, self.num_suits)

    @property
    def num_rounds(self) -> int:
        return len(self.num_board_cards)

    @property
    def unit_chips(self) -> int:
        """The unit of `mbb`, in chips: the first raise size of a limit game, the big blind of a no-limit game."""
        return self.raise_sizes[0] if self.is_limit else max(max(self.blinds), 1)


def first_rounds(definition: GameDefinition, count: int) -> GameDefinition:
    """The game that ends with a showdown after its first `count` rounds."""
    if not 1 <= count <= definition.num_rounds:
        raise DefinitionError(
            f"`{definition.name}` has rounds 1 to {definition.num_rounds}; got `{count}` for the last one",
            hint=f"`--last-round {definition.num_rounds}` is the whole game",
        )
    if count == definition.num_rounds:
        return definition
    return replace(
        definition,
        name=f"{definition.name}.rounds-1-{count}" if count > 1 else f"{definition.name}.round-1",
        first_player=definition.first_player[:count],
        num_board_cards=definition.num_board_cards[:count],
        raise_sizes=definition.raise_sizes[:count],
        max_raises=definition.max_raises[:count],
    )
