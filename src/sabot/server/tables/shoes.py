"""The shoe of a live table while it is in use: its commitment, and a proof of each card turned (ASR-02).

Everything is read from the log, which has no card before it is turned: a hole card's proof comes when it is shown, a
burnt card's never, as long as the shoe is in use (ASR-03).
"""

import threading
from collections.abc import Sequence

from sqlalchemy import Connection

from sabot.fairness.live import CardOpening, LiveShoe
from sabot.fairness.vault import VaultError
from sabot.rounds.marks import KnownShoes, RoundCards, ShoeInUse, round_cards, shoes_of
from sabot.rounds.queries import find_round, shoe_by_id
from sabot.tables.table import Table


class ShoeWatch:
    """The shoes of one table. Many look at once, each in a thread, perhaps while the shoe is changed."""

    def __init__(self, table: Table) -> None:
        self._table = table
        #: Rounds that are over, each read once; and the shoe that was shuffled again last, with its number.
        self._rounds: dict[str, RoundCards] = {}
        self._shuffled: tuple[int, LiveShoe] | None = None
        self._one_at_a_time = threading.Lock()

    def look(self, connection: Connection) -> KnownShoes:
        """The shoe in use, the one before, and what is promised of the next."""
        return shoes_of(connection, self._table.stream.id, self._table.rules.decks)

    def rounds(self, connection: Connection, shoe: ShoeInUse) -> list[RoundCards]:
        """The cards of each round that was dealt from it."""
        known = {code: self._rounds[code] for code in shoe.rounds if code in self._rounds}
        found = []
        for code in shoe.rounds:
            cards = known.get(code) or round_cards(connection, code)
            head = find_round(connection, code) if code not in known else None
            if head is not None and head.state != "open":
                known[code] = cards
            found.append(cards)
        self._rounds = known
        return found

    def openings(self, connection: Connection, shoe: ShoeInUse, places: Sequence[int]) -> list[CardOpening]:
        """The proofs of cards that were turned; none of a shoe that is not sealed card by card, or does not open."""
        with self._one_at_a_time:
            if self._shuffled is None or self._shuffled[0] != shoe.id:
                self._shuffled = self._shuffle(connection, shoe)
            if self._shuffled is None or not places:
                return []
            cards = self._shuffled[1]
            cards.dealt = max(cards.dealt, max(places) + 1)
            return [cards.opening(place) for place in places]

    def _shuffle(self, connection: Connection, shoe: ShoeInUse) -> tuple[int, LiveShoe] | None:
        table = self._table
        try:
            cards = table.tools.shoes.open(table.rules, shoe_by_id(connection, shoe.id), 0).shoe
        except VaultError:
            return None
        return (shoe.id, cards) if isinstance(cards, LiveShoe) else None
