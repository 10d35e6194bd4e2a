"""Games and tables in the back office: what is open, with which limits, and proposals to change it (OFF-02, OFF-10)."""

from msgspec import Struct

from sabot.games import CATALOGUE, Game
from sabot.games.options import TableOptions
from sabot.protocol.fields import Form, Reason
from sabot.server.config import OfficeConfig, TableSection
from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.orders import Order
from sabot.server.office.changes import AnyChange
from sabot.server.office.proposals import Proposal, ProposalId, ProposalsPage, ProposalsQuery
from sabot.server.office.settings import LimitsLine, limited, lines_of
from sabot.server.office.switches import ALL, Switches
from sabot.server.tables.limits import choices_of
from sabot.server.tables.opening import LIVE, table_config
from sabot.store.kinds import Currency
from sabot.tables.live.closed import WhyClosed


class SideBetControl(Struct, frozen=True):
    """A side bet of a game, and whether it takes bets."""

    name: str
    open: bool


class LimitsControl(Struct, frozen=True):
    """The limits of a solo game in a currency; `changed` if they are not the file's."""

    currency: Currency
    choices: tuple[LimitsLine, ...]
    changed: bool


class GameControl(Struct, frozen=True, kw_only=True):
    """A game: its own switch, why it takes no bets at present if so, its side bets and limits."""

    name: str
    title: str
    live: bool
    open: bool
    closed: WhyClosed
    bets: tuple[SideBetControl, ...]
    limits: tuple[LimitsControl, ...]


class TableControl(Struct, frozen=True, kw_only=True):
    """A live table: its settings, the options that follow from them, its switch; `changed` if not the file's."""

    table: TableSection
    options: TableOptions
    #: The most to bring to a sitting that follows from its limits (PLT-64).
    cap: int | None
    open: bool
    closed: WhyClosed
    changed: bool


class Control(Struct, frozen=True, kw_only=True):
    """Everything that can be changed while the house runs."""

    two_people: bool
    #: The switch of all games.
    open: bool
    games: tuple[GameControl, ...]
    tables: tuple[TableControl, ...]
    #: Tables that are closing: they finish their round and return all money.
    closing: tuple[str, ...]
    office: OfficeConfig
    #: How many proposals wait for a decision.
    waiting: int


class Proposing(Form, frozen=True, kw_only=True):
    """A change, and why it is proposed."""

    change: AnyChange
    reason: Reason


async def control(call: Call) -> Control:
    """Games, tables, limits and switches as they are in force (OFF-02)."""
    config, switches = call.house.config, call.house.switches
    waiting = await call.proposals.count_waiting()
    names = {LIVE + section.name for section in config.table}
    return Control(
        two_people=config.office.two_people,
        open=ALL not in switches.closed,
        games=tuple(_game(call, game) for game in CATALOGUE.values()),
        tables=tuple(_table(call, section, switches) for section in config.table),
        closing=tuple(
            name.removeprefix(LIVE)
            for name in (*call.registry.live, *call.registry.live_tables.leftovers)
            if name not in names
        ),
        office=config.office,
        waiting=waiting,
    )


def _game(call: Call, game: Game) -> GameControl:
    switches, off = call.house.switches, call.house.switches.bets_off(game.name)
    return GameControl(
        name=game.name,
        title=game.title,
        live=game.live,
        open=f"game/{game.name}" not in switches.closed,
        closed=switches.why_closed(game.name),
        bets=tuple(SideBetControl(bet.name, bet.name not in off) for bet in game.rules.side_bets),
        limits=tuple(
            LimitsControl(
                currency,
                lines_of(choices_of(call.house.config, name, currency)),
                call.settings.is_changed(f"limits/{name}/{currency}"),
            )
            for name, currency in limited()
            if name == game.name
        ),
    )


def _table(call: Call, section: TableSection, switches: Switches) -> TableControl:
    config = table_config(section, call.house.config)
    return TableControl(
        table=section,
        options=config.options or config.game.options,
        cap=config.cap,
        open=f"table/{section.name}" not in switches.closed,
        closed=switches.why_closed(section.game, section.name),
        changed=call.settings.is_changed(f"table/{section.name}"),
    )


async def proposals(call: Call, query: ProposalsQuery) -> ProposalsPage:
    """Proposals, the newest first, with what they change (OFF-10)."""
    return await call.proposals.search(query)


async def proposal(call: Call, id: ProposalId) -> Proposal:
    """A proposal with what it changes (OFF-10)."""
    return await call.proposals.find(id)


async def propose(call: Call, form: Proposing) -> Proposal:
    """Propose a change; in a house of one it is in force at once (OFF-10)."""
    return await call.proposals.propose(call.login, form.change, form.reason)


async def approve(call: Call, id: ProposalId, form: Order) -> Proposal:
    """Approve another person's proposal: it is in force from the next round on (OFF-10)."""
    return await call.proposals.approve(call.login, id, form.reason)


async def reject(call: Call, id: ProposalId, form: Order) -> Proposal:
    """Reject a proposal, or withdraw one's own (OFF-10)."""
    return await call.proposals.reject(call.login, id, form.reason)
