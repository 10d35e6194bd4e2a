"""Opening tables: their names, their settings, and reading them back from the log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, get_args

import msgspec

from sabot.engine.commands import AnyCommand, EvenMoney, Insure, Stand
from sabot.engine.legal import absent_move
from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.games.chips import check_chips
from sabot.games.options import OptionError, TableOptions
from sabot.odds.startup import check_game
from sabot.server.accounts.logins import screen_name
from sabot.server.config import Config, TableSection
from sabot.server.house import House
from sabot.server.tables.limits import check_cap, check_limits, choices_of, most_brought
from sabot.server.tables.live import LiveAdapter
from sabot.server.tables.queries import names_of
from sabot.server.tables.solo import SoloAdapter
from sabot.store.entry import Stream
from sabot.store.kinds import Currency
from sabot.tables.config import TableConfig
from sabot.tables.live.notices import notice_entry
from sabot.tables.live.table import LiveTable
from sabot.tables.live.terms import TableTerms
from sabot.tables.live.view import Notice
from sabot.tables.opening import open_table

#: How the names of live tables begin.
LIVE = "live/"


class SoloName(NamedTuple):
    """The parts of a solo table's name.

    >>> str(SoloName(7, "link", "EUR"))
    'solo/7/link/EUR'
    >>> SoloName.parse("solo/7/link/EUR")
    SoloName(player=7, game='link', currency='EUR')
    """

    player: int
    game: str
    currency: Currency

    def __str__(self) -> str:
        return f"solo/{self.player}/{self.game}/{self.currency}"

    @classmethod
    def parse(cls, name: str) -> SoloName:
        """The parts of a name; one that is no solo table's is refused."""
        kind, *parts = name.split("/")
        if kind != "solo" or len(parts) != 3 or not parts[0].isdecimal() or parts[2] not in ("EUR", "FUN"):
            raise Refusal("table/not-open", table=name)
        return cls(int(parts[0]), parts[1], "EUR" if parts[2] == "EUR" else "FUN")

    def check_game(self) -> None:
        """Refuse a game that is not played alone."""
        solo = [name for name, found in CATALOGUE.items() if not found.live]
        if self.game not in solo:
            raise Refusal("table/unknown", name=self.game, known=", ".join(solo))


async def open_solo(house: House, name: SoloName, vip: int, stream: Stream | None = None) -> SoloAdapter:
    """Read a player's table back from the log, as it was left."""
    config = TableConfig(
        name=str(name), game=CATALOGUE[name.game], currency=name.currency, sitting=house.config.house.sitting
    )
    at = house.clock.wall_ms()
    table = await house.work(lambda: open_table(config, house.tools, at, stream))
    return SoloAdapter(house, table, name.player, vip)


def end_solo(house: House, name: SoloName) -> None:
    """Play an abandoned round out, and give the player's money back; in a worker's thread."""
    player, at = str(name.player), house.clock.wall_ms()
    config = TableConfig(name=str(name), game=CATALOGUE[name.game], currency=name.currency)
    table = open_table(config, house.tools, at)
    told: list[Notice] = []
    while table.in_round and table.current is not None:
        move = absent_move(table.current.round, player)
        told += _notices_of(move, table.current.code)
        for entry in table.apply(move, at).entries:
            house.store.store(entry)
    if player in table.sittings:
        if left := table.balance(player):
            told.append(Notice("money-returned", amount=left))
        if told:
            house.store.store(notice_entry(table, at, [(player, notice) for notice in told]))
        house.store.store(table.leave(player, at))


def _notices_of(move: AnyCommand, code: str) -> list[Notice]:
    """The notice of a move that was made for an absent player (PLT-49); a spin changes nothing."""
    match move:
        case Stand(spot=spot, hand=hand):
            return [Notice("decided", round=code, spot=spot, hand=hand, detail="stand")]
        case Insure(spot=int(spot)):
            return [Notice("insurance-refused", round=code, spot=spot)]
        case EvenMoney(spot=spot):
            return [Notice("even-money-refused", round=code, spot=spot)]
        case _:
            return []


async def open_live_table(
    house: House, terms: Callable[[], TableTerms], stream: Stream | None = None
) -> LiveAdapter:
    """Read a live table back from the log; it is run by the terms that are in force when a round begins."""
    now = terms()
    live = await house.work(lambda: LiveTable.open(now.config, house.tools, now.timers, house.clock, stream))
    live.terms.next, live.terms.used = terms, msgspec.structs.replace(now, config=live.table.config)
    live.course.is_draining = lambda: house.draining
    # They stand on the felt before anybody has come back.
    bets = live.play.round.book.bets if live.play.round is not None else {}
    behind = (player for player, placed in bets.items() if any(bet.kind == "behind" for bet in placed))
    players = [*(seat.player for seat in live.table.seats.values()), *behind]
    for player, name, bot in await house.read(lambda connection: names_of(connection, players)):
        presence = live.attendance.of(player)
        presence.name, presence.bot = screen_name(name), bot
    if live.studio is not None and (on_shift := live.studio.shift.by) is not None:
        presenter = [str(on_shift)]
        for _, name, _ in await house.read(lambda connection: names_of(connection, presenter)):
            live.studio.shift.presenter = name
    if live.play.round is not None and not live.play.round.over:  # what loss limits left for it (ASR-41)
        for player, purse in live.play.round.book.purses.items():
            if purse.most is not None:
                most = max(purse.most, purse.staked)
                house.losses.reserves.remember(int(player), live.play.code, most)
    return LiveAdapter(live)


def terms_of(house: House, section: TableSection, *, closing: bool = False) -> TableTerms:
    """The terms of a live table by the settings in force; one that they do not name any more is closing."""
    config, switches = table_config(section, house.config), house.switches
    off = switches.bets_off(section.game)
    options = (config.options or config.game.options).without(*off)
    return TableTerms(
        config=msgspec.structs.replace(config, options=options),
        timers=section.timers,
        title=section.title or config.game.title,
        closed="table" if closing else switches.why_closed(section.game, section.name),
        closing=closing,
        video=tuple(entry.quality for entry in section.video),
    )


def table_config(section: TableSection, config: Config) -> TableConfig:
    """The configuration of a live table; settings that do not fit the game are refused by the table's name.

    >>> table_config(TableSection(name="one", game="freebet", options={"cut": 200}), Config()).options.cut
    200
    """

    def unusable(reason: object) -> Refusal:
        return Refusal("table/settings", table=section.name, reason=reason)

    game = CATALOGUE.get(section.game)
    if game is None or not game.live:
        live = ", ".join(known.name for known in CATALOGUE.values() if known.live)
        raise unusable(OptionError("option/live-game", game=section.game, known=live))
    if section.bots and section.currency != "FUN":
        raise unusable(OptionError("option/bots"))
    given = {**msgspec.to_builtins(game.options), "chips": (), **section.options}
    try:
        options = game.fitted(msgspec.convert(given, TableOptions))
    except OptionError as error:
        raise unusable(error) from None
    except msgspec.ValidationError as error:
        raise unusable(error.__cause__ if isinstance(error.__cause__, OptionError) else str(error)) from None
    return TableConfig(
        name=f"{LIVE}{section.name}",
        game=game,
        currency=section.currency,
        options=options,
        cap=most_brought(config, section.currency, section.cap),
        sitting=config.house.sitting,
        vip=section.vip,
        dealing=section.dealing,
        late=section.late,
    )


def check_section(section: TableSection, config: Config) -> None:
    """Refuse a live table whose settings do not fit its game, or whose cap or chips do not fit its limits (PLT-64, PLT-69)."""
    found = table_config(section, config)
    options = found.options or found.game.options
    try:
        check_cap(found.cap, found.game, options, section.timers.seats_each)
        check_chips(options.chips, found.game.limits(options))
    except OptionError as error:
        raise Refusal("table/settings", table=section.name, reason=error) from None


async def check_settings(house: House, config: Config) -> None:
    """Refuse limits, weights, maximum wins or tables that do not fit the rules (LNK-08, LNK-31, PLT-64)."""
    check_limits(config)
    for section in config.table:
        check_section(section, config)
    for game in CATALOGUE.values():
        if not game.live:
            choices = {
                choice for money in get_args(Currency) for choice in choices_of(config, game.name, money)
            }
            try:
                await house.work(partial(check_game, game, tuple(choices)))
            except OptionError as error:
                raise Refusal("limits/settings", name=game.name, reason=error) from None
