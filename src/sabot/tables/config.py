"""Settings of a table, and its tools."""

from typing import NamedTuple

from msgspec import UNSET, Struct, UnsetType

from sabot.engine import Price
from sabot.games import Game
from sabot.games.options import TableOptions
from sabot.rounds.codes import Codes, secure_code
from sabot.rounds.shoes import ShoeSource
from sabot.store.kinds import Currency
from sabot.store.store import Store

#: The most a player may bring to one sitting if the operator sets nothing else (PLT-04).
DEFAULT_CAP = 100_000


class TableConfig(Struct, frozen=True, kw_only=True):
    """The game of a table and its settings."""

    name: str
    game: Game
    currency: Currency = "FUN"
    options: TableOptions | None = None
    #: The most a player may bring to one sitting; None for no cap.
    cap: int | UnsetType | None = UNSET
    #: The amount that is suggested to a player who sits down.
    sitting: int = 10_000
    #: The VIP level from which a player may sit down.
    vip: int = 0

    @property
    def most_brought(self) -> int | None:
        """The cap in force: 1,000.00 by default, none for play money (PLT-04)."""
        if isinstance(self.cap, UnsetType):
            return None if self.currency == "FUN" else DEFAULT_CAP
        return self.cap


class Tools(NamedTuple):
    """Store, shoes, prices and codes that tables use."""

    store: Store
    shoes: ShoeSource
    price: Price | None = None
    codes: Codes = secure_code
