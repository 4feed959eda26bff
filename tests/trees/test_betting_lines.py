from errai.games.acpc import parse_betting
from errai.games.action_text import describe_action
from errai.games.bet_menu_text import parse_bet_menu
from errai.games.library import load_game
from errai.games.spot import Spot
from errai.games.state import CALL, FOLD, Action, Raise, initial_state
from errai.trees.betting_lines import BettingLine, betting_lines
from errai.trees.betting_tree import build_betting_tree

NO_LIMIT = load_game("holdem.nolimit.2p")


def test_actions_are_in_the_words_of_players() -> None:
    def words(betting: str, *actions: Raise) -> list[str]:
        state = parse_betting(NO_LIMIT, betting)
        folds: list[Action] = [FOLD] if state.can_fold() else []
        return [describe_action(state, action) for action in (*folds, CALL, *actions)]

    assert words("", Raise(250), Raise(20000)) == ["fold", "call", "raise 250", "all-in"]
    assert words("c", Raise(300)) == ["check", "raise 300"]
    assert words("r300c/", Raise(600)) == ["check", "bet 300"]
    assert words("r300c/r600", Raise(1200)) == ["fold", "call", "raise 900"]


def test_an_ante_is_no_bet() -> None:
    state = initial_state(load_game("leduc"))
    assert describe_action(state, Raise(3)) == "bet 2"


def test_every_decision_of_a_river_is_a_line() -> None:
    spot = Spot(NO_LIMIT, pot=100, stack=150, board="2s3h4d6c7c", bets="50% / a")
    tree = build_betting_tree(spot.root, spot.menu, dead_pot=spot.dead_pot_chips)
    assert list(betting_lines(tree)) == [
        BettingLine("river", "", "bb", 100, 0, ("check", "bet 50")),
        BettingLine("river", "check", "dealer", 100, 0, ("check", "bet 50")),
        BettingLine("river", "check, bet 50", "bb", 150, 50, ("fold", "call", "all-in")),
        BettingLine("river", "check, bet 50, all-in", "dealer", 300, 100, ("fold", "call")),
        BettingLine("river", "bet 50", "dealer", 150, 50, ("fold", "call", "all-in")),
        BettingLine("river", "bet 50, all-in", "bb", 300, 100, ("fold", "call")),
    ]


def test_lines_of_later_streets_name_the_earlier_ones() -> None:
    tree = build_betting_tree(
        Spot(NO_LIMIT, pot=100, stack=150, board="2s3h4d6c", bets="a").root, parse_bet_menu("a"), dead_pot=100
    )
    lines = list(betting_lines(tree))
    assert len(lines) == tree.num_nodes == 8
    assert [line.line for line in lines if line.street == "river"] == [
        "check, check / ",
        "check, check / check",
        "check, check / check, all-in",
        "check, check / all-in",
    ]
