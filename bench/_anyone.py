"""A house for measurements: whoever comes is let in, and no rate or limit stands before a request."""

from __future__ import annotations

from aiohttp import web

from sabot.engine.commands import Bet
from sabot.server.accounts.logins import Login
from sabot.server.accounts.player_lock import PlayerLock
from sabot.server.accounts.players import Players
from sabot.server.app import create_app
from sabot.server.config import Rate, ServerConfig
from sabot.server.house import House
from sabot.server.http.services import SERVICES
from sabot.store import schema
from sabot.store.kinds import Currency

#: No rate is ever reached.
FREE = ServerConfig(rate_address=Rate(1, 0), rate_account=Rate(1, 0))
#: When the one login ends that everyone has.
NEVER = 2**53


class Anyone(Players):
    """Players without the work of a login: the token is the player's number."""

    async def find(self, token: str) -> Login:
        """Whoever this is."""
        return Login(int(token), f"#{token}", expires_at=NEVER)

    async def confirm(self, login: Login) -> bool:
        """No login ends."""
        return True

    async def may_bet(
        self,
        login: Login,
        bets: tuple[Bet, ...],
        currency: Currency,
        code: str = "",
        turn: PlayerLock | None = None,
    ) -> int | None:
        """Nobody has limits."""
        return None


def open_to_anyone(house: House) -> web.Application:
    """The application of a house that knows everyone."""
    app = create_app(house)
    app[SERVICES] = app[SERVICES]._replace(players=Anyone(house))

    async def hold(_: web.Application) -> None:
        """Store the one login that everyone has: each minute the house closes the sockets of those without."""
        row = (b"", 0, 0, 0, 0, NEVER, None, "", "")
        await house.write(lambda connection: connection.execute(schema.logins.insert().values(row)))

    app.on_startup.append(hold)
    return app
