"""The ways to solve an abstract game, by name."""

from typing import Literal, get_args

Method = Literal["boards", "dense", "sampled", "cfr-br"]
METHODS: tuple[Method, ...] = get_args(Method)
