"""A stand-in for Slumbot's server, written from its public protocol: it deals, and always checks or calls.

Betting is kept as text and as chips of its own, apart from the rules of the package; only showdowns use its strengths.
"""

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from errai.cards.deck import Deck
from errai.cards.strength import hand_strengths

DECK = Deck(13, 4)
STACK = 20_000

Change = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass
class Hand:
    """A hand on the server; position 0 is the big blind, 1 the small blind, who acts first before the flop."""

    cards: list[int]
    client: int
    action: str = ""
    street: int = 0
    before: int = 0  # chips of each player of earlier streets
    bets: list[int] = field(default_factory=lambda: [100, 50])
    moves: int = 0  # on this street
    to_act: int = 1
    winnings: int | None = None

    def move(self, text: str) -> None:
        me, other = self.to_act, 1 - self.to_act
        self.action += text
        self.moves += 1
        if text == "f":
            lost = self.before + self.bets[me]
            self.winnings = lost if other == self.client else -lost
            return
        if text[0] == "b":
            self.bets[me] = int(text[1:])
            self.to_act = other
            return
        self.bets[me] = self.bets[other]
        is_all_in = self.before + self.bets[me] >= STACK
        if self.moves == 1 and not is_all_in:
            self.to_act = other
            return
        self.before += self.bets[0]
        self.bets = [0, 0]
        self.moves, self.to_act = 0, 0
        self.street += 1
        if self.street == 4 or is_all_in:
            self.street = 4
            self.show_down()
        else:
            self.action += "/"

    def show_down(self) -> None:
        board = self.cards[4:9]
        hands = np.array([[*self.cards[:2], *board], [*self.cards[2:4], *board]], dtype=np.uint8)
        first, second = hand_strengths(DECK, hands).tolist()
        if first == second:
            self.winnings = 0
        else:
            self.winnings = self.before if (first > second) == (self.client == 0) else -self.before

    def play_server(self) -> None:
        while self.winnings is None and self.to_act != self.client:
            # It opens with a raise now and then, so that hands begin in every way.
            if self.street == 0 and self.moves == 0 and self.cards[0] % 3 == 0:
                self.move("b250")
            elif self.street == 0 and self.moves == 0 and self.cards[0] % 3 == 1:
                self.move("f")
            else:
                self.move("c" if self.bets[self.to_act] < max(self.bets) else "k")

    def reply(self) -> dict[str, Any]:
        cards = [DECK.card_text(card) for card in self.cards]
        num_board = (0, 3, 4, 5, 5)[self.street]
        own = 2 * self.client
        reply: dict[str, Any] = {
            "old_action": "",
            "action": self.action,
            "client_pos": self.client,
            "hole_cards": cards[own : own + 2],
            "board": cards[4 : 4 + num_board],
        }
        if self.winnings is not None:
            reply["winnings"] = self.winnings
            if self.street == 4:
                reply["bot_hole_cards"] = cards[2 - own : 4 - own]
        return reply


class Server(ThreadingHTTPServer):
    """Its hands, and what a test wants to change in the replies."""

    def __init__(self, change: Change) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.change = change
        self.draws = random.Random(5)
        self.hand: Hand | None = None
        self.num_hands = 0
        self.num_requests = 0
        self.total_winnings = 0

    def answer(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        if self.num_requests and content.get("token") != f"token-{self.num_requests}":
            return {"error_msg": "Invalid token"}
        if path == "/api/new_hand":
            cards = self.draws.sample(range(52), 9)
            self.hand = Hand(cards, client=self.num_hands % 2)
            self.num_hands += 1
        elif path == "/api/act" and self.hand is not None and self.hand.winnings is None:
            self.hand.move(content["incr"])
        else:
            return {"error_msg": "No hand"}
        assert self.hand is not None
        self.hand.play_server()
        self.total_winnings += self.hand.winnings or 0
        self.num_requests += 1
        return self.change({**self.hand.reply(), "token": f"token-{self.num_requests}"})


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Server)
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(self.server.answer(self.path, content)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def slumbot_server(change: Change = lambda reply: reply) -> Iterator[tuple[str, Server]]:
    """The address of a server on this machine, and the server."""
    server = Server(change)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
