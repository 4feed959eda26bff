"""`python -m errai` is `errai`."""

from errai.cli import main

main()
