"""A round of limit betting as a small tree, the same for every way in which the betting came to it.

Limit betting has fixed sizes, so what can happen in a round depends neither on the pot nor on the rounds before, as
long as the stacks are deep enough. One table a round therefore serves every *lane*: every betting sequence that reaches
the round. Lanes are numbered in order: lane l that ends the round with ending k becomes lane l * num_ends + k of the
next.
"""

from dataclasses import dataclass

from errai._native import kernels
from errai.errors import InputError
from errai.games.state import Action, BettingState, Call, Fold


@dataclass(frozen=True)
class BettingNode:
    """A decision. Actions come in the order fold, call, raise."""

    text: str  # the betting of this round that leads here, as in `cr`
    player: int
    first_action: int  # counted among this player's actions of the round
    has_fold: bool
    call_node: int | None  # None where the call ends the round
    call_end: int | None  # which ending of the round; None where the betting goes on
    raise_node: int | None
    fold_committed: int  # what whoever folds here has put in since the round began

    @property
    def num_actions(self) -> int:
        return 1 + self.has_fold + (self.raise_node is not None)

    @property
    def actions(self) -> str:
        """The letters of the actions, in order."""
        return ("f" if self.has_fold else "") + "c" + ("r" if self.raise_node is not None else "")


@dataclass(frozen=True)
class RoundBetting:
    """The nodes of a round in depth-first order, and the ways in which it can end without a fold."""

    round: int
    nodes: tuple[BettingNode, ...]
    end_texts: tuple[str, ...]
    end_committed: tuple[int, ...]  # what each player has put in since the round began

    @property
    def num_ends(self) -> int:
        return len(self.end_texts)

    def num_actions(self, player: int) -> int:
        return sum(node.num_actions for node in self.nodes if node.player == player)

    def native_nodes(self) -> list[kernels.BettingNode]:
        """The nodes for the kernels."""
        return [
            kernels.BettingNode(
                player=node.player,
                first_action=node.first_action,
                num_actions=node.num_actions,
                has_fold=node.has_fold,
                call_node=node.call_node,
                call_end=node.call_end,
                raise_node=node.raise_node,
                fold_committed=node.fold_committed,
            )
            for node in self.nodes
        ]


def build_round_betting(start: BettingState) -> tuple[RoundBetting, BettingState | None]:
    """The betting of the round that `start` begins, and a state that begins the next one (None after the last)."""
    if start.history[-1]:
        raise InputError("the betting must stand at the start of a round")
    definition = start.definition
    if not definition.is_limit:
        raise InputError(f"lanes need limit betting; `{definition.name}` is no-limit", hint="use the flat engine")
    round_ = start.round
    # Before the first round the blinds are already in and belong to it.
    before = 0 if round_ == 0 else start.committed[0]
    nodes: list[BettingNode | None] = []
    end_texts: list[str] = []
    end_committed: list[int] = []
    num_actions = [0, 0]
    next_start: BettingState | None = None

    def visit(state: BettingState, text: str) -> int:
        nonlocal next_start
        index = len(nodes)
        nodes.append(None)
        player = state.actor
        assert player is not None
        actions: tuple[Action, ...] = state.legal_actions()
        first_action = num_actions[player]
        num_actions[player] += len(actions)
        has_fold = False
        call_node = call_end = raise_node = None
        for action in actions:
            if isinstance(action, Fold):
                has_fold = True
                continue
            after = state.apply(action)
            letter = "c" if isinstance(action, Call) else "r"
            if after.round == round_ and not after.is_terminal:
                child = visit(after, text + letter)
                if letter == "c":
                    call_node = child
                else:
                    raise_node = child
                continue
            if after.is_terminal and round_ + 1 < definition.num_rounds:
                raise InputError(
                    f"the stacks of `{definition.name}` are too small for lanes: a player can be all-in",
                    hint="use the flat engine",
                )
            call_end = len(end_texts)
            end_texts.append(text + letter)
            end_committed.append(after.committed[0] - before)
            next_start = None if after.is_terminal else after
        nodes[index] = BettingNode(
            text, player, first_action, has_fold, call_node, call_end, raise_node, state.committed[player] - before
        )
        return index

    visit(start, "")
    if max(start.committed) + sum(definition.raise_sizes[r] * definition.max_raises[r] for r in _rounds(start)) > min(
        definition.stacks
    ):
        raise InputError(
            f"the stacks of `{definition.name}` are too small for lanes: a player can be all-in",
            hint="use the flat engine",
        )
    complete = tuple(node for node in nodes if node is not None)
    return RoundBetting(round_, complete, tuple(end_texts), tuple(end_committed)), next_start


def _rounds(state: BettingState) -> range:
    return range(state.round, state.definition.num_rounds)
