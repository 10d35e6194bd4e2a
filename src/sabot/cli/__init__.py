"""The command `sabot`: the house in a terminal."""

from sabot.cli.app import app, main

__all__ = ["app", "main"]
