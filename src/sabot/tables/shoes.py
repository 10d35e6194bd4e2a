"""The shoes of a table: committed to before bets, revealed when they are done (ASR-02).

A solo table has a fresh shoe for each round: the commitment to the first is out when the table is opened, each further
one with the end of the round before. A live table deals round after round from one shoe until its cut card is out;
where there is a shuffling table the next shoe waits there, committed to, and the two are exchanged (FRB-30).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.fairness.live import seeds_digest
from sabot.fairness.vault import VaultError
from sabot.games.rules import Rules
from sabot.rounds.marks import shoes_now
from sabot.rounds.queries import cards_dealt, last_shoe, shoe_by_id
from sabot.rounds.shoes import KeptShoe, ShoeSource
from sabot.store.entry import Body, LogEntry, Stream
from sabot.store.facts import AnyFact, ShoeCommittedFact, ShoeRevealedFact, ShoeSeededFact
from sabot.store.ids import Ids


class ShoeMaker:
    """Commits to new shoes and reveals old ones."""

    def __init__(self, ids: Ids, source: ShoeSource) -> None:
        self.source = source
        self._ids = ids
        self._next = 0

    def prepare(self) -> None:
        """Reserve the id of the next shoe, because that can fail and nothing must change before."""
        self._next = self._next or self._ids.take("shoe")

    def commit(self) -> tuple[KeptShoe, ShoeCommittedFact]:
        """A new shoe, and the commitment to it."""
        self.prepare()
        new = self.source.commit()
        kept = KeptShoe(self._next, new.commitment, new.sealed, "")
        self._next = 0
        return kept, ShoeCommittedFact(kept.id, kept.commitment)

    def reveal(self, *shoes: KeptShoe | None) -> Iterator[ShoeRevealedFact]:
        """The seeds of shoes; one that does not open stays unrevealed, and the audit says so."""
        for shoe in shoes:
            if shoe is not None:
                with suppress(VaultError):
                    yield ShoeRevealedFact(shoe.id, self.source.reveal(shoe).hex())


class ShoeChange(NamedTuple):
    """The facts of a change of shoes, and the sealed seeds that the log must not hold."""

    facts: tuple[AnyFact, ...]
    secrets: dict[int, object]


class TableShoes(Protocol):
    """The shoes of a table."""

    #: The shoe in use.
    shoe: KeptShoe | None
    #: Its cards that are dealt.
    dealt: int

    def load(self, connection: Connection) -> None:
        """Read the shoes from the log."""
        ...

    def is_missing(self) -> bool:
        """Whether a new shoe is needed first."""
        ...

    def replace(self) -> ShoeChange:
        """Reveal the shoe and commit to a new one."""
        ...

    def round_ended(self, dealt: int) -> ShoeChange:
        """Note the end of a round and the cards dealt so far."""
        ...


class SoloShoes:
    """A fresh shoe for each round."""

    def __init__(self, maker: ShoeMaker, stream: Stream) -> None:
        self._maker = maker
        self._stream = stream
        #: The shoe of the next round, or of the round being played.
        self.shoe: KeptShoe | None = None
        self.dealt = 0

    @property
    def commitment(self) -> str:
        """The commitment for the next round."""
        assert self.shoe is not None, "a solo table is opened with a shoe"
        return self.shoe.commitment

    def load(self, connection: Connection) -> None:
        found = last_shoe(connection, self._stream.id)
        self.shoe = None if found is None else found[0]

    def is_missing(self) -> bool:
        """Whether there is none, or its key is gone."""
        return not list(self._maker.reveal(self.shoe))

    def replace(self) -> ShoeChange:
        revealed = self._maker.reveal(self.shoe)
        self.shoe, committed = self._maker.commit()
        return ShoeChange((*revealed, committed), {self.shoe.id: self.shoe.sealed})

    def round_ended(self, dealt: int) -> ShoeChange:
        return self.replace()


class LiveShoes:
    """One shoe for many rounds, dealt once the players' seeds are mixed in."""

    def __init__(self, maker: ShoeMaker, stream: Stream, rules: Rules, in_round: Callable[[], bool]) -> None:
        self._maker = maker
        self._stream = stream
        self._rules = rules
        self._in_round = in_round
        self.shoe: KeptShoe | None = None
        self.seeded = False
        self.dealt = 0
        #: The shoe at the shuffling table: committed to, and in the order of no seeds yet (FRB-30).
        self.waiting: KeptShoe | None = None

    def load(self, connection: Connection) -> None:
        in_use, waiting = shoes_now(connection, self._stream.id)
        if in_use is not None:
            self.shoe = shoe_by_id(connection, in_use)
            self.seeded = bool(self.shoe.client_seed)
            self.dealt = cards_dealt(connection, self._stream.id) if self.seeded else 0
        if waiting is not None:
            self.waiting = shoe_by_id(connection, waiting)

    def is_missing(self) -> bool:
        """No: the presenter shuffles when the table begins."""
        return False

    def replace(self) -> ShoeChange:
        """Take a new shoe, also in place of one that waits."""
        revealed = tuple(self._maker.reveal(self.shoe, self.waiting))
        self.shoe, committed = self._maker.commit()
        self.waiting, self.seeded, self.dealt = None, False, 0
        return ShoeChange((*revealed, committed), {self.shoe.id: self.shoe.sealed})

    def round_ended(self, dealt: int) -> ShoeChange:
        self.dealt = dealt
        return ShoeChange((), {})

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
        self.seeded = True
        return self._stream.entry(at, "shoe-seeded", Body(facts=(fact,)))

    def commit_next(self, at: int) -> LogEntry:
        """Commit to the shoe that waits at the shuffling table while this one is dealt (FRB-30)."""
        if not self.seeded or self.waiting is not None:
            raise Refusal("shoe/none")
        self._maker.prepare()
        return self._next_with(self._stream.entry(at, "shoe-committed", Body()))

    def exchange(self, seeds: Sequence[str], at: int, *, commit: bool = False) -> LogEntry:
        """Go on with the shoe that waited, the players' seeds in it; the old one is revealed (FRB-30).

        With `commit` the same entry commits to the shoe that waits from now on. If it does not open (`VaultError`),
        nothing has changed. The entry is one of those that fix the order of the cards.
        """
        self._check_between_rounds()
        if self.waiting is None:
            raise Refusal("shoe/none")
        self._maker.prepare()
        shoe, seeded = self._mix(self.waiting, seeds)
        facts: tuple[AnyFact, ...] = (*self._maker.reveal(self.shoe), seeded)
        self.shoe, self.waiting, self.seeded, self.dealt = shoe, None, True, 0
        entry = self._stream.entry(at, "shoe-seeded", Body(facts=facts))
        return self._next_with(entry) if commit else entry

    def _check_between_rounds(self) -> None:
        if self._in_round():
            raise Refusal("round/open")

    def _mix(self, shoe: KeptShoe, seeds: Sequence[str]) -> tuple[KeptShoe, ShoeSeededFact]:
        """A shoe with the players' seeds, and its promise."""
        mixed = shoe._replace(client_seed=seeds_digest(seeds), seeds=tuple(seeds))
        root = self._maker.source.root(self._rules, mixed)
        return mixed, ShoeSeededFact(mixed.id, mixed.client_seed, mixed.seeds, root)

    def _next_with(self, entry: LogEntry) -> LogEntry:
        """The entry, with the commitment to the next shoe."""
        self.waiting, committed = self._maker.commit()
        facts = (*entry.body.facts, replace(committed, waiting=True))
        secrets = {**entry.secrets, self.waiting.id: self.waiting.sealed}
        return replace(entry, body=replace(entry.body, facts=facts), secrets=secrets)
