"""The parts of a house that routes and sockets use, put together by `sabot.server.app`."""

from typing import NamedTuple

from aiohttp import web

from sabot.server.accounts.operators import Operators
from sabot.server.accounts.payments import Provider
from sabot.server.accounts.players import Players
from sabot.server.accounts.rate_limit import RateLimiter
from sabot.server.house import House
from sabot.server.http.connections import Connections
from sabot.server.http.policy import RequestPolicy
from sabot.server.office.checking import SelfCheck
from sabot.server.office.in_force import SettingsInForce
from sabot.server.office.proposals import Proposals
from sabot.server.studio.codes import CodeTable
from sabot.server.tables.player_changes import PlayerChanges
from sabot.server.tables.registry import TableRegistry
from sabot.server.video_tokens import VideoTokens


class Services(NamedTuple):
    """The parts of a running house."""

    house: House
    players: Players
    operators: Operators
    registry: TableRegistry
    changes: PlayerChanges
    provider: Provider
    rates: RateLimiter
    policy: RequestPolicy
    connections: Connections
    settings: SettingsInForce
    proposals: Proposals
    self_check: SelfCheck
    codes: CodeTable
    #: Without a key of the house there are none.
    video_tokens: VideoTokens | None


SERVICES = web.AppKey("services", Services)
