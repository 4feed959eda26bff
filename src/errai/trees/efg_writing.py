"""A game tree as the text of Gambit's extensive games, `.efg`, with exact rational numbers.

    EFG 2 R "leduc" { "player 0" "player 1" }
    "unit_chips = 2"
    c "" 1 "" { "1" 1/30 "2" 1/15 ... } 0              chance: its infoset, outcomes with their probabilities
    p "" 1 3 "K:r" { "f" "c" "r" } 0                   a decision: player, infoset and its label, actions
    t "" 7 "" { 3, -3 }                                an end: a number of its own, and what both players win

Nodes follow in the order of a depth-first walk. A tree holds floats, which are the rounded quotients of counts. A float
has one fraction with a denominator below 2**26, if any, so the rational that was rounded is found again; where the
probabilities of a chance node would not sum to exactly 1 with it, the floats are taken as they are, over their sum.

The first deal is written from its last outcome to its first, the best cards before the worst. Gambit's linear program
in floating point (version 17.0.0b2) compares with absolute tolerances, and where it ends depends on such an order: from
Leduc in this one it finds the equilibrium, in the other it stops at a profile with a regret of three chips.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from errai.trees.extensive_form import ExtensiveForm, NodeKind

_LARGEST_DENOMINATOR = 2**26
_ROUNDING = Fraction(1, 2**50)  # relative; what a product or a quotient of a few floats may be off by


def format_efg(form: ExtensiveForm) -> Iterator[str]:
    """The lines of the file, each with its end."""
    yield f'EFG 2 R {_quoted(form.name)} {{ "player 0" "player 1" }}\n'
    yield f'"unit_chips = {_rational(form.unit_chips)}"\n'
    first_of_second = int((form.infoset_player == 0).sum())
    texts: dict[float, str] = {}
    num_chances = num_ends = 0
    waiting = [0]
    while waiting:
        node = waiting.pop()
        kind = form.kind[node]
        children = range(int(form.first_child[node]), int(form.first_child[node] + form.num_children[node]))
        if kind == NodeKind.CHANCE and node == 0:
            children = children[::-1]
        waiting.extend(reversed(children))
        if kind == NodeKind.TERMINAL:
            num_ends += 1
            payoff = float(form.payoff_chips[node])
            if payoff not in texts:
                texts[payoff] = f"{_rational(payoff)}, {-_rational(payoff)}"
            yield f't "" {num_ends} "" {{ {texts[payoff]} }}\n'
        elif kind == NodeKind.CHANCE:
            num_chances += 1
            shares = _shares([float(form.probability[child]) for child in children])
            outcomes = " ".join(f'"{number}" {share}' for number, share in enumerate(shares, start=1))
            yield f'c "" {num_chances} "" {{ {outcomes} }} 0\n'
        else:
            infoset = int(form.infoset[node])
            number = infoset + 1 - (first_of_second if kind == NodeKind.PLAYER_1 else 0)
            actions = " ".join(map(_quoted, form.action_labels[form.actions_of(infoset)]))
            yield f'p "" {kind + 1} {number} {_quoted(form.infoset_labels[infoset])} {{ {actions} }} 0\n'


def _rational(number: float) -> Fraction:
    exact = Fraction(number)
    short = exact.limit_denominator(_LARGEST_DENOMINATOR)
    return short if abs(short - exact) <= _ROUNDING * abs(exact) else exact


def _shares(probabilities: Sequence[float]) -> list[Fraction]:
    shares = [_rational(probability) for probability in probabilities]
    if sum(shares) == 1:
        return shares
    exact = [Fraction(probability) for probability in probabilities]
    total = sum(exact)
    return [probability / total for probability in exact]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
