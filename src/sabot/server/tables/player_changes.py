"""What changes for a player reaches the tables and connections: ends of logins, settings, mutes, golden chips."""

from functools import partial

from sabot.engine.commands import Player
from sabot.server.accounts import logins
from sabot.server.accounts.preferences import Settings, at_seats
from sabot.server.cluster import messages
from sabot.server.tables import queries
from sabot.server.tables.registry import TableRegistry
from sabot.store.kinds import Currency
from sabot.tables.live.table import LiveTable


class PlayerChanges:
    """Brings changes of players to the tables of this node, and tells the other nodes."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._house = registry.house

    def logout(self, player: int, token: bytes | None) -> None:
        """A login of the player's ends, or all of them: its connections close, and money at tables goes back (PLT-04).

        A round that has begun can be finished after the next login, or is played out later (ASR-41).
        """
        self._registry.announce(messages.LoggedOut(player, token))
        self.log_out_here(player, token)

    def log_out_here(self, player: int, token: bytes | None) -> None:
        """A login has ended, at this node."""
        for connection in list(self._registry.connections):
            if connection.login.player == player and token in (None, connection.login.token):
                connection.close_for_logout()
        for runtime in self._registry.solo.values():
            if runtime.adapter.owner == player:
                runtime.change(lambda adapter: adapter.log_out(str(player)))
        for live in self._registry.live.values():
            live.change(lambda adapter: adapter.log_out(str(player)))

    async def end_logins(self) -> None:
        """Close the connections of logins that have expired, or were revoked elsewhere (ASR-30)."""
        tokens = {connection.login.token for connection in self._registry.connections}
        if not tokens:
            return
        at = self._house.clock.wall_ms()
        ended = tokens - await self._house.read(lambda connection: logins.holding(connection, tokens, at))
        for connection in list(self._registry.connections):  # some have come meanwhile
            if connection.login.token in ended:
                connection.close_for_logout()

    async def repair(self) -> None:
        """Read what other nodes have told and may have been lost on the way: ends of logins, and mutes."""
        await self.end_logins()
        await self._registry.chat.read_muted()

    def prefer(self, player: int, settings: Settings) -> None:
        """A player has changed the settings."""
        self._registry.announce(messages.Preferred(player, settings))
        self.prefer_here(player, settings)

    def prefer_here(self, player: int, settings: Settings) -> None:
        """A player has changed the settings, at this node."""
        for runtime in self._registry.live.values():
            runtime.change(lambda adapter: adapter.prefer(str(player), at_seats(settings)))

    def mute(self, player: int, minutes: int) -> None:
        """Let a player say nothing for some minutes, at any table; 0 ends it."""
        self._registry.announce(messages.Muted(player, minutes))
        self._registry.chat.mute(player, minutes)

    async def bring_granted(self, player: int, currency: Currency) -> None:
        """Bring golden chips of a player's account to the table where the player sits, for its next round (MAJ-50)."""
        self._registry.announce(messages.Granted(player, currency))
        await self.bring_granted_here(player, currency)

    async def bring_granted_here(self, player: int, currency: Currency) -> None:
        """Bring golden chips to a table of this node."""
        async with self._house.player_locks.turn(player):
            for runtime in list(self._registry.live.values()):
                config = runtime.adapter.base.config
                if config.currency == currency and str(player) in runtime.adapter.base.sittings:
                    look = partial(queries.funds_of, store=self._house.store, config=config, player=player)
                    _, chips = await self._house.read(look)
                    await runtime.order(partial(_grant, player=str(player), chips=chips))


def _grant(live: LiveTable, player: Player, chips: dict[int, int]) -> None:
    live.sittings.grant(player, chips)
