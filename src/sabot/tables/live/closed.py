"""What is closed takes nothing new; rounds that have begun are played to their end (OFF-02)."""

from typing import Literal

from sabot.errors import Refusal

#: Why nothing new is taken: the house, the game or the table is closed, or the game is being checked (OFF-12).
WhyClosed = Literal["", "house", "game", "table", "check"]


def check_open(closed: WhyClosed, game: str) -> None:
    """Refuse something new at what is closed; `game` is its title."""
    match closed:
        case "house":
            raise Refusal("closed/house")
        case "game":
            raise Refusal("closed/game", game=game)
        case "table":
            raise Refusal("closed/table")
        case "check":
            raise Refusal("closed/check", game=game)
