"""A player's client in Python: what tests, bots and load tools use."""

from sabot.client.http import demo_token, post
from sabot.client.player import AskError, PlayerClient

__all__ = ["AskError", "PlayerClient", "demo_token", "post"]
