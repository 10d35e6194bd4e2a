"""Settings of a table, and its tools."""

from typing import NamedTuple

from msgspec import Struct

from sabot.engine import Price
from sabot.games import Game
from sabot.games.options import TableOptions
from sabot.rounds.codes import Codes, secure_code
from sabot.rounds.shoes import ShoeSource
from sabot.store.kinds import Currency
from sabot.store.store import Store


class TableConfig(Struct, frozen=True, kw_only=True):
    """The game of a table and its settings."""

    name: str
    game: Game
    currency: Currency = "FUN"
    options: TableOptions | None = None
    #: The most a player may bring to one sitting; None for no cap.
    cap: int | None = None
    #: The amount that is suggested to a player who sits down.
    sitting: int = 10_000
    #: The VIP level from which a player may sit down.
    vip: int = 0


class Tools(NamedTuple):
    """Store, shoes, prices and codes that tables use."""

    store: Store
    shoes: ShoeSource
    price: Price | None = None
    codes: Codes = secure_code
