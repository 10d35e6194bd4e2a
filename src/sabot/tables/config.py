"""Settings of a table, and its tools."""

from typing import Literal, NamedTuple

from msgspec import Struct

from sabot.engine import Price
from sabot.games import Game
from sabot.games.options import TableOptions
from sabot.rounds.codes import Codes, secure_code
from sabot.rounds.face_down import CardSeal
from sabot.rounds.shoes import ShoeSource
from sabot.store.kinds import Currency
from sabot.store.store import Store

#: Who deals at a table: the house from a committed shoe, or a person with real cards (STU-01).
Dealing = Literal["house", "studio"]


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
    dealing: Dealing = "house"
    #: Seconds after which a card that a person deals is late (STU-10).
    late: float = 10


class Tools(NamedTuple):
    """Store, shoes, prices, codes and the seal that tables use."""

    store: Store
    shoes: ShoeSource
    price: Price | None = None
    codes: Codes = secure_code
    #: Seals cards that lie face down, where a person deals (STU-06).
    seal: CardSeal | None = None
