"""Players' money that is not at a live table, as the table's owner last saw it."""

from __future__ import annotations

from sabot.engine.commands import Player

#: How often a table has moved a player's account, and how often that was durable.
Moves = tuple[int, int]


class Wallets:
    """What each player has beside the table.

    The table moves it when money is brought or taken away, before that is durable; what the books say is believed only
    if the table moved nothing between the look at them and their answer.
    """

    def __init__(self) -> None:
        self._held: dict[Player, int] = {}
        self._begun: dict[Player, int] = {}
        self._durable: dict[Player, int] = {}
        self._moving: list[Player] = []

    def of(self, player: Player) -> int:
        """What a player has."""
        return self._held.get(player, 0)

    def moves(self, player: Player) -> Moves:
        """How often the table has moved the account, and how often that was durable."""
        return self._begun.get(player, 0), self._durable.get(player, 0)

    def read(self, player: Player, amount: int, moves: Moves | None) -> None:
        """What the books said; `moves` is what the table had moved when they were asked."""
        begun, durable = self.moves(player)
        if player not in self._held or (begun == durable and moves == (begun, durable)):
            self._held[player] = amount

    def move(self, player: Player, amount: int) -> None:
        """The table brings money back, or takes it."""
        self._held[player] = self.of(player) + amount
        self._begun[player] = self._begun.get(player, 0) + 1
        self._moving.append(player)

    def take_moving(self) -> tuple[Player, ...]:
        """Those whose account was moved since this was asked last."""
        moving, self._moving = tuple(self._moving), []
        return moving

    def settle(self, moved: tuple[Player, ...]) -> None:
        """What was moved is durable."""
        for player in moved:
            self._durable[player] = self._durable.get(player, 0) + 1
