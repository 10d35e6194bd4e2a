"""The inputs of a round in order of use; with its commands, all that a replay needs."""

from __future__ import annotations

from collections.abc import Mapping

from sabot.cards import Card
from sabot.engine.commands import Consent, Player


class Tape:
    """Purses, cards, bonus draws and prices of a round. Secret: it holds face-down cards."""

    __slots__ = ("cards", "consents", "draws", "golden", "most", "prices", "purses", "start")

    def __init__(
        self,
        purses: Mapping[Player, int],
        golden: Mapping[Player, Mapping[int, int]],
        start: int,
        consents: Mapping[Player, Consent],
        most: Mapping[Player, int],
    ) -> None:
        #: The money each player brought.
        self.purses = dict(purses)
        #: The golden chips each player brought, by face value.
        self.golden = {player: dict(chips) for player, chips in golden.items()}
        #: The most each player may stake, by loss limit (ASR-41).
        self.most = dict(most)
        #: Consents from before the round (MAJ-12).
        self.consents = dict(consents)
        #: Cards dealt from the shoe before this round.
        self.start = start
        self.cards: list[Card] = []
        self.draws: list[int] = []
        self.prices: list[int] = []
