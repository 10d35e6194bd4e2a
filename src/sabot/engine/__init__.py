"""The engine: a `Round` of any game takes commands and gives events."""

from sabot.engine.commands import DEALER, AnyCommand, Bet
from sabot.engine.events import AnyEvent, Stake
from sabot.engine.inputs import Price
from sabot.engine.round import Round
from sabot.engine.shoe import HandShoe, Shoe, StackedShoe

__all__ = [
    "DEALER",
    "AnyCommand",
    "AnyEvent",
    "Bet",
    "HandShoe",
    "Price",
    "Round",
    "Shoe",
    "StackedShoe",
    "Stake",
]
