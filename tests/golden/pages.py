"""What the house tells of each game, returns and a player's limits apart: the client's help is tested with it."""

from __future__ import annotations

import json

import msgspec

from sabot.games import CATALOGUE, Game
from sabot.games.tables import BEST_TABLES
from sabot.server.http.handlers.games import best_by_dealing


def _page(game: Game) -> dict[str, object]:
    head = {"name": game.name, "title": game.title, "live": game.live, "sha256": game.rules.sha256}
    told = {
        "game": head,
        "rules": game.rules,
        "options": game.options,
        "best": BEST_TABLES[game.name],
        "best_by_dealing": best_by_dealing(game),
    }
    found: dict[str, object] = msgspec.json.decode(msgspec.json.encode(told))
    return found


def game_pages() -> str:
    """All of them, by name."""
    pages = {name: _page(game) for name, game in CATALOGUE.items() if not name.startswith("classic")}
    return json.dumps(pages, indent=1) + "\n"
