"""`python -m sabot` is `sabot`."""

from sabot.cli import main

main()
