"""The salts of cards that are turned, and of no other (ASR-03)."""

from __future__ import annotations

from collections.abc import Iterable

from sabot.engine.events import Event
from sabot.engine.places import Places
from sabot.engine.shoe import Shoe
from sabot.fairness.live import LiveShoe
from sabot.tables.live.events import CardProof


def proofs(shoe: Shoe, places: Places, events: Iterable[Event]) -> tuple[CardProof, ...]:
    """The proofs of the cards these events turn; a shoe that is not sealed card by card has none."""
    turned = list(places.turned(events))
    if not isinstance(shoe, LiveShoe):
        return ()
    return tuple(CardProof(place, card, shoe.salt(place)) for place, card in turned)
