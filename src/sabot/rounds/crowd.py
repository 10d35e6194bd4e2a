"""A live table: many players, one shoe for many rounds.

A shoe is committed to, the players' seeds are mixed in, and then it serves round after round until its cut card is
out; its seed is revealed when it is replaced (ASR-02).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from sqlalchemy import Connection

from sabot.engine.commands import Player
from sabot.fairness.live import seeds_digest
from sabot.fairness.vault import VaultError
from sabot.rounds.loading import cards_dealt, last_shoe
from sabot.rounds.shoes import Chance, KeptShoe
from sabot.rounds.stored import Opening, StoredRound, opening_of
from sabot.rounds.table import Table
from sabot.store.errors import StoreError
from sabot.store.facts import AnyFact, ShoeRevealed, ShoeSeeded
from sabot.store.unit import Body, Unit


class CrowdTable(Table):
    """A table of a live game."""

    #: The shoe in use; it can be dealt from once the players' seeds are mixed in.
    shoe: KeptShoe | None = None
    seeded = False
    #: Cards of the shoe that are dealt.
    dealt = 0

    def shuffle(self, at: int) -> Unit:
        """Replace the shoe: the old one is revealed, the new one is committed to."""
        if self.in_round:
            raise StoreError("round/open")
        facts, secrets = self._replace_shoe()
        return self.stream.unit(at, "shoe-committed", Body(facts=facts), secrets=secrets)

    def seed_shoe(self, seeds: Sequence[str], at: int) -> Unit:
        """Mix the players' seeds in, in the order they came; from now on the order of the cards is fixed."""
        if self.shoe is None or self.seeded:
            raise StoreError("shoe/none")
        self.shoe = self.shoe._replace(client_seed=seeds_digest(seeds), seeds=tuple(seeds))
        self.seeded = True
        root = self.tools.shoes.root(self.rules, self.shoe)
        fact = ShoeSeeded(self.shoe.id, self.shoe.client_seed, self.shoe.seeds, root)
        return self.stream.unit(at, "shoe-seeded", Body(facts=(fact,)))

    def open_round(
        self,
        at: int,
        *,
        golden: Mapping[Player, Mapping[int, int]] | None = None,
        behind_closed: Sequence[int] = (),
    ) -> Unit:
        """Open betting for everyone who sits at the table."""
        if self.in_round:
            raise StoreError("round/open")
        if self.shoe is None or not self.seeded:
            raise StoreError("shoe/none")
        opening = opening_of(
            self.rules,
            self.options,
            {player: sitting.balance for player, sitting in self.sittings.items()},
            self._accounts(self.sittings),
            self.shoe.id,
            start=self.dealt,
            golden=golden,
            behind_closed=behind_closed,
        )
        chance = self._chance(opening)
        code = self.tools.codes(at)
        self.current = StoredRound(code, opening, chance, self.tools.price)
        return self.stream.unit(at, "round-opened", self._opened(opening, Body()), round=code)

    # The shoe

    def _chance(self, opening: Opening) -> Chance:
        if self.shoe is None or self.shoe.id != opening.shoe:
            raise StoreError("shoe/none")
        return self.tools.shoes.open(self.rules, self.shoe, opening.start)

    def _load_shoe(self, connection: Connection) -> None:
        found = last_shoe(connection, self.stream.id)
        if found is not None:
            self.shoe, self.seeded = found
            self.dealt = cards_dealt(connection, self.stream.id) if self.seeded else 0

    def _ready(self, at: int) -> None:
        """Nothing is missing: the presenter shuffles when the table begins."""

    def _round_ended(self, current: StoredRound) -> tuple[tuple[AnyFact, ...], dict[int, object]]:
        """The next round goes on in the same shoe."""
        self.dealt = current.round.shoe.dealt
        return (), {}

    def _replace_shoe(self) -> tuple[tuple[AnyFact, ...], dict[int, object]]:
        """Take a new shoe; one that does not open any more stays unrevealed, and the audit says so."""
        facts: list[AnyFact] = []
        if self.shoe is not None:
            with suppress(VaultError):
                facts.append(ShoeRevealed(self.shoe.id, self.tools.shoes.reveal(self.shoe).hex()))
        self.shoe, committed = self._commit_shoe()
        self.seeded, self.dealt = False, 0
        return (*facts, committed), {self.shoe.id: self.shoe.sealed}
