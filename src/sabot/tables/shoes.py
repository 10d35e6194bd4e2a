"""The shoes of a table: committed to before bets, revealed when they are done (ASR-02).

A solo table has a fresh shoe for each round: the commitment to the first is out when the table is opened, each further
one with the end of the round before. A live table deals round after round from one shoe until its cut card is out;
where there is a shuffling table the next shoe waits there, committed to, and the two are exchanged (FRB-30).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.fairness.live import seeds_digest
from sabot.fairness.vault import VaultError
from sabot.games.rules import Rules
from sabot.rounds.marks import shoes_now
from sabot.rounds.queries import cards_dealt, last_shoe, shoe_by_id
from sabot.rounds.shoes import KeptShoe
from sabot.store.entry import Body, LogEntry, Stream
from sabot.store.facts import AnyFact, ShoeCommittedFact, ShoeRevealedFact, ShoeSeededFact
from sabot.tables.config import Tools


class ShoeChange(NamedTuple):
    """The facts of a change of shoes, and the sealed seeds that the log must not hold."""

    facts: tuple[AnyFact, ...]
    secrets: dict[int, object]


class TableShoes:
    """The shoe in use and, at a live table with two, the one that waits."""

    def __init__(self, tools: Tools, stream: Stream, rules: Rules, in_round: Callable[[], bool]) -> None:
        self._source = tools.shoes
        self._ids = tools.store.ids
        self._stream = stream
        self._rules = rules
        self._live = rules.backing != "solo"
        self._in_round = in_round
        #: The id of the next shoe, taken in advance; 0 if none is.
        self.reserved = 0
        #: The shoe in use; at a solo table the one of the next round, or of the round being played.
        self.shoe: KeptShoe | None = None
        #: Its cards that are dealt.
        self.dealt = 0
        #: The shoe at the shuffling table: committed to, and in the order of no seeds yet (FRB-30).
        self.waiting: KeptShoe | None = None

    def load(self, connection: Connection) -> None:
        """Read the shoes from the log."""
        if not self._live:
            self.shoe = last_shoe(connection, self._stream.id)
            return
        in_use, waiting = shoes_now(connection, self._stream.id)
        if in_use is not None:
            self.shoe = shoe_by_id(connection, in_use)
            self.dealt = cards_dealt(connection, self._stream.id) if self.seeded else 0
        if waiting is not None:
            self.waiting = shoe_by_id(connection, waiting)

    @property
    def commitment(self) -> str:
        """The commitment to the shoe in use; empty without one."""
        return "" if self.shoe is None else self.shoe.commitment

    @property
    def seeded(self) -> bool:
        """Whether players' seeds are mixed into the shoe in use, which fixes the order of its cards."""
        return self.shoe is not None and bool(self.shoe.client_seed)

    def is_missing(self) -> bool:
        """Whether a solo table has no shoe, or its key is gone; a live table shuffles when it begins."""
        return not self._live and not list(self._reveal(self.shoe))

    def reserve(self) -> None:
        """Take the id of the next shoe now, because that can fail and nothing must change before."""
        self.reserved = self.reserved or self._ids.take("shoe")

    def _commit(self) -> tuple[KeptShoe, ShoeCommittedFact]:
        """A new shoe, and the commitment to it."""
        self.reserve()
        new = self._source.commit()
        kept = KeptShoe(self.reserved, new.commitment, new.sealed, "")
        self.reserved = 0
        return kept, ShoeCommittedFact(kept.id, kept.commitment)

    def _reveal(self, *shoes: KeptShoe | None) -> Iterator[ShoeRevealedFact]:
        """The seeds of shoes; one that does not open stays unrevealed, and the audit says so."""
        for shoe in shoes:
            if shoe is not None:
                with suppress(VaultError):
                    yield ShoeRevealedFact(shoe.id, self._source.reveal(shoe).hex())

    def replace(self) -> ShoeChange:
        """Reveal the shoe, and one that waits, and commit to a new one."""
        revealed = tuple(self._reveal(self.shoe, self.waiting))
        self.shoe, committed = self._commit()
        self.waiting, self.dealt = None, 0
        return ShoeChange((*revealed, committed), {self.shoe.id: self.shoe.sealed})

    def round_ended(self, dealt: int) -> ShoeChange:
        """Change the shoe of a solo table; at a live one, note the cards dealt so far."""
        if not self._live:
            return self.replace()
        self.dealt = dealt
        return ShoeChange((), {})

    # Between the rounds of a live table

    def shuffle(self, at: int) -> LogEntry:
        """Reveal the old shoe and commit to a new one."""
        self._check_between_rounds()
        facts, secrets = self.replace()
        return self._stream.entry(at, "shoe-committed", Body(facts=facts), secrets=secrets)

    def seed_shoe(self, seeds: Sequence[str], at: int) -> LogEntry:
        """Mix in the players' seeds in order, which fixes the order of the cards."""
        if self.shoe is None or self.seeded:
            raise Refusal("shoe/none")
        self.shoe, fact = self._mix(self.shoe, seeds)
        return self._stream.entry(at, "shoe-seeded", Body(facts=(fact,)))

    def commit_next(self, at: int) -> LogEntry:
        """Commit to the shoe that waits at the shuffling table while this one is dealt (FRB-30)."""
        if not self.seeded or self.waiting is not None:
            raise Refusal("shoe/none")
        self.reserve()
        return self._next_with(self._stream.entry(at, "shoe-committed", Body()))

    def exchange(self, seeds: Sequence[str], at: int, *, commit: bool = False) -> LogEntry:
        """Go on with the shoe that waited, the players' seeds in it; the old one is revealed (FRB-30).

        With `commit` the same entry commits to the shoe that waits from now on. If it does not open (`VaultError`),
        nothing has changed. The entry is one of those that fix the order of the cards.
        """
        self._check_between_rounds()
        if self.waiting is None:
            raise Refusal("shoe/none")
        self.reserve()
        shoe, seeded = self._mix(self.waiting, seeds)
        facts: tuple[AnyFact, ...] = (*self._reveal(self.shoe), seeded)
        self.shoe, self.waiting, self.dealt = shoe, None, 0
        entry = self._stream.entry(at, "shoe-seeded", Body(facts=facts))
        return self._next_with(entry) if commit else entry

    def _check_between_rounds(self) -> None:
        if self._in_round():
            raise Refusal("round/open")

    def _mix(self, shoe: KeptShoe, seeds: Sequence[str]) -> tuple[KeptShoe, ShoeSeededFact]:
        """A shoe with the players' seeds, and its promise."""
        mixed = shoe._replace(client_seed=seeds_digest(seeds), seeds=tuple(seeds))
        root = self._source.root(self._rules, mixed)
        return mixed, ShoeSeededFact(mixed.id, mixed.client_seed, mixed.seeds, root)

    def _next_with(self, entry: LogEntry) -> LogEntry:
        """The entry, with the commitment to the next shoe."""
        self.waiting, committed = self._commit()
        facts = (*entry.body.facts, replace(committed, waiting=True))
        secrets = {**entry.secrets, self.waiting.id: self.waiting.sealed}
        return replace(entry, body=replace(entry.body, facts=facts), secrets=secrets)
