"""The payment provider: a port. What ships moves play money, and always agrees (PLT-02)."""

from __future__ import annotations

from typing import Protocol

from sabot.store.kinds import Currency


class PaymentError(Exception):
    """The provider does not agree; its text says why, for the player's eyes."""


class Provider(Protocol):
    """Money from outside and to the outside. An id is a player's own; to repeat it must move nothing again."""

    async def pay_in(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Take money from the player for a deposit; `PaymentError` if it does not come."""
        ...

    async def pay_out(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Pay a withdrawal out to the player; `PaymentError` if it cannot be."""
        ...


class PlayMoney:
    """Play money comes from nowhere and goes nowhere; as a demonstration euros do too."""

    async def pay_in(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Agree."""

    async def pay_out(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Agree."""
