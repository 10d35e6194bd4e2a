"""A player's client in Python, for bots, tests and load tools."""

from sabot.client.connection import RequestError
from sabot.client.http import demo_token, get, live_tables, post
from sabot.client.player import PlayerClient
from sabot.client.state import TableState

__all__ = ["PlayerClient", "RequestError", "TableState", "demo_token", "get", "live_tables", "post"]
