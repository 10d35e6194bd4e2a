"""A solo table: one player, a fresh shoe for each round.

The commitment to a round's seed is out before its bets are: the first when the table is opened, each further one with
the end of the round before. `deal` brings the player's part, and the seed is revealed with the settlement (ASR-02).
"""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import Connection

from sabot.engine import Bet
from sabot.engine.commands import Deal, PlaceBets
from sabot.engine.parts import Chance
from sabot.errors import Refusal
from sabot.fairness.vault import VaultError
from sabot.rounds.queries import last_shoe
from sabot.rounds.shoes import KeptShoe
from sabot.rounds.stored import Opening, StoredRound, opening_of
from sabot.store.entry import Body, RequestKey
from sabot.store.facts import AnyFact, ShoeRevealed, ShoeSeeded
from sabot.tables.table import Step, Table


class SoloTable(Table):
    """One player's table of a solo game."""

    #: The shoe of the next round, or of the round being played.
    shoe: KeptShoe | None = None

    @property
    def commitment(self) -> str:
        """What the house has committed to for the next round."""
        return self._shoe().commitment

    def deal(
        self,
        player: int,
        bets: tuple[Bet, ...],
        client_seed: str,
        at: int,
        request: RequestKey | None = None,
        *,
        insurance: bool = True,
        most: int | None = None,
    ) -> Step:
        """Stake and deal: a round begins. What the rules refuse leaves the table as it was.

        `most` is what the player's own loss limit lets be staked in it, doubles, splits and insurance included (ASR-41).
        """
        if self.in_round:
            raise Refusal("round/open")
        self._prepare_shoe()
        name, shoe = str(player), self._shoe()
        purses = {name: self._sitting(name).balance}
        bounds = {} if most is None else {name: most}
        opening = opening_of(self.rules, self.options, purses, self._accounts(purses), shoe.id, most=bounds)
        self.shoe = shoe._replace(client_seed=client_seed)
        try:
            current = StoredRound(self.tools.codes(at), opening, self._chance(opening), self.tools.price)
            placed, first = current.apply(PlaceBets(name, bets), facts=(ShoeSeeded(shoe.id, client_seed),))
            dealt, second = current.apply(Deal(insurance=insurance))
        except (Refusal, ValueError):
            self.shoe = shoe
            raise
        self.current = current
        body = self._opened(opening, first)
        opened = self.stream.unit(at, "place-bets", body, round=current.code, guard=request)
        return Step(placed + dealt, (opened, self._unit(current, "deal", second, at, request)))

    # The shoe

    def _shoe(self) -> KeptShoe:
        assert self.shoe is not None, "a table is opened with a shoe"
        return self.shoe

    def _chance(self, opening: Opening) -> Chance:
        return self.tools.shoes.open(self.rules, self._shoe(), opening.start)

    def _load_shoe(self, connection: Connection) -> None:
        found = last_shoe(connection, self.stream.id)
        self.shoe = None if found is None else found[0]

    def _ready(self, at: int) -> None:
        """The first commitment, or a new one for a seed that does not open; what was staked and not dealt goes back."""
        store = self.tools.store
        if self.shoe is None or not self._opens(self.shoe):
            facts, secrets = self._replace_shoe()
            store.store(self.stream.unit(at, "shoe-committed", Body(facts=facts), secrets=secrets))
        elif self.current is not None and self.current.round.phase == "betting":
            for unit in self.void("interrupted", at).units:
                store.store(unit)

    def _opens(self, shoe: KeptShoe) -> bool:
        """Whether the vault has the key of a shoe."""
        try:
            self.tools.shoes.reveal(shoe)
        except VaultError:
            return False
        return True

    def _round_ended(self, current: StoredRound) -> tuple[tuple[AnyFact, ...], dict[int, object]]:
        """The seed is revealed, and the house commits to the next."""
        shoe = self._shoe()
        revealed = ShoeRevealed(shoe.id, self.tools.shoes.reveal(shoe).hex())
        self.shoe, committed = self._commit_shoe()
        return (revealed, committed), {self.shoe.id: self.shoe.sealed}

    def _replace_shoe(self) -> tuple[tuple[AnyFact, ...], dict[int, object]]:
        """The shoe before is revealed, if it still can be."""
        facts: list[AnyFact] = []
        if self.shoe is not None:
            # Sealed with a key that is gone, it stays unrevealed, and the audit says so.
            with suppress(VaultError):
                facts.append(ShoeRevealed(self.shoe.id, self.tools.shoes.reveal(self.shoe).hex()))
        self.shoe, committed = self._commit_shoe()
        return (*facts, committed), {self.shoe.id: self.shoe.sealed}
