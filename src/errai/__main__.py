"""`python -m errai` is `errai`."""

from errai.cli.main import main

main()
