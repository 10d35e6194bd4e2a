"""Changes that operators propose: what each is about, how that is set now, and what it would be (OFF-02, OFF-10)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import sqlalchemy
from msgspec import Meta, Struct
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.games.options import OptionError, check_bets, check_cut, no_bet
from sabot.protocol.fields import Form, GameName, PlayerName, RequestId, TableName, whole
from sabot.server.config import OfficeConfig, TableSection
from sabot.server.office.in_force import SettingsInForce
from sabot.server.office.settings import BOUNDS, LimitsLine, limited, lines_of, office_with
from sabot.server.office.switches import ALL
from sabot.server.tables.limits import choices_of
from sabot.server.tables.opening import LIVE, table_config
from sabot.store import schema
from sabot.store.facts import ChangeDecided
from sabot.store.kinds import ChangeKind, Currency, Role
from sabot.store.register import GivenAlone, Register

#: The name of a side bet, or of a setting.
Word = Annotated[str, Meta(pattern=whole("[a-z0-9_+-]{1,40}", "1 to 40 small letters, digits, _, + and -"))]


class Switching(Form, frozen=True, kw_only=True, tag_field="kind", tag="switch"):
    """Open or close all games, a game, a live table or a side bet of a game for new bets."""

    what: Literal["all", "game", "table", "bet"]
    #: The game, or the table; the side bet of the game.
    name: TableName | None = None
    bet: Word | None = None
    open: bool


class TableChange(Form, frozen=True, kw_only=True, tag_field="kind", tag="table"):
    """Open a live table, or change one: limits, options, timers, title, VIP level."""

    table: TableSection


class TableClosing(Form, frozen=True, kw_only=True, tag_field="kind", tag="close-table"):
    """Close a live table: it finishes its round and returns all money."""

    name: TableName


class LimitsChange(Form, frozen=True, kw_only=True, tag_field="kind", tag="limits"):
    """Limits of a solo game in one currency; without choices those of the file."""

    game: GameName
    currency: Currency
    choices: Annotated[tuple[LimitsLine, ...], Meta(min_length=1, max_length=20)] | None


class OfficeChange(Form, frozen=True, kw_only=True, tag_field="kind", tag="office"):
    """A threshold of the back office."""

    key: Word
    value: Annotated[int, Meta(ge=0, le=10**12)] | bool


class RoleChange(Form, frozen=True, kw_only=True, tag_field="kind", tag="role"):
    """A new role of a player."""

    player: PlayerName
    role: Role


def is_stop(change: AnyChange) -> bool:
    """Return whether a change only closes something for new bets, which one person may do at once (OFF-16)."""
    return isinstance(change, Switching) and not change.open


AnyChange = Switching | TableChange | TableClosing | LimitsChange | OfficeChange | RoleChange


class Adjustment(Struct, frozen=True, kw_only=True, tag_field="kind", tag="adjust"):
    """A correction of a player's balance, up or down."""

    player: int
    currency: Currency
    id: RequestId
    amount: int
    public: str


class GoldenGift(Struct, frozen=True, kw_only=True, tag_field="kind", tag="golden"):
    """Golden chips of a value for a player (MAJ-50)."""

    player: int
    currency: Currency
    id: RequestId
    value: int
    count: int
    public: str


class VipGift(Struct, frozen=True, kw_only=True, tag_field="kind", tag="vip"):
    """Another VIP level for a player (PLT-10)."""

    player: int
    vip: int
    public: str


#: What operators give to a player: alone up to a cap, above it by a proposal (OFF-17).
Gift = Adjustment | GoldenGift | VipGift
#: The fields of a gift that stand in the subject of its proposal, in this order.
_PLACED = ("player", "currency", "id")


def wanted_gift(gift: Gift) -> Wanted:
    """Return a gift as a proposal holds it: player, currency and id in the subject, the rest as the value."""
    fields = msgspec.to_builtins(gift)
    kind = fields.pop("kind")
    place = "/".join(str(fields.pop(name)) for name in _PLACED if name in fields)
    return Wanted(kind, f"{kind}/{place}", _json(fields))


def gift_of(want: Wanted) -> Gift:
    """Return the gift of a proposal."""
    fields = dict(zip(("kind", *_PLACED), want.subject.split("/"), strict=False))
    gift: Gift = msgspec.convert(fields | msgspec.json.decode(want.value), Gift, strict=False)
    return gift


def is_within(gift: Gift, office: OfficeConfig, given: GivenAlone) -> bool:
    """Return whether one person may give this alone, beside what that person has given on this day (OFF-17)."""
    if isinstance(gift, VipGift):
        return gift.vip <= office.alone_vip and given.vips < office.alone_vips
    amount = abs(gift.amount) if isinstance(gift, Adjustment) else gift.value * gift.count
    day = given.amounts.get(gift.currency, 0) + amount
    return amount <= office.alone_amount and day <= office.alone_day


def carry_out(
    register: Register, by: int, gift: Gift, reason: str, at: int, decided: ChangeDecided | None = None
) -> bool:
    """Write what is given, and return whether it was done now: what has an id is done once."""
    player, public = gift.player, gift.public
    match gift:
        case Adjustment(currency=currency, amount=amount, id=id):
            return register.adjust(by, player, currency, amount, reason, at, id, public, decided)
        case GoldenGift(currency=currency, value=value, count=count, id=id):
            what = (player, currency, value, count, reason, at)
            return register.grant_golden(by, *what, id=id, public=public, decided=decided)
        case VipGift(vip=vip):
            register.give_vip(by, player, vip, reason, at, public, decided)
            return True


class Wanted(NamedTuple):
    """A change as it is stored: the value of a subject, in JSON."""

    kind: ChangeKind
    subject: str
    value: bytes


def wanted(change: AnyChange, player: int | None = None) -> Wanted:
    """What a change sets; `player` is the one of a role."""
    match change:
        case Switching():
            return Wanted("switch", f"switch/{_switch(change)}", _json(change.open))
        case TableChange(table=section):
            return Wanted("table", f"table/{section.name}", _json(section))
        case TableClosing(name=name):
            return Wanted("table", f"table/{name}", _json(None))
        case LimitsChange(game=game, currency=currency, choices=choices):
            return Wanted("limits", f"limits/{game}/{currency}", _json(choices))
        case OfficeChange(key=key, value=value):
            return Wanted("office", f"office/{key}", _json(value))
        case RoleChange(role=role):
            return Wanted("role", f"role/{player}", _json(role))


def _switch(change: Switching) -> str:
    given = (change.name is not None, change.bet is not None)
    if given != {"all": (False, False), "bet": (True, True)}.get(change.what, (True, False)):
        raise Refusal("change/unusable", reason=OptionError("option/switch"))
    return ALL if change.what == "all" else "/".join(filter(None, (change.what, change.name, change.bet)))


async def value_now(settings: SettingsInForce, change: Wanted) -> bytes:
    """The value that is in force, in JSON; what does not exist is refused."""
    house, (kind, subject, _) = settings.house, change
    name = subject.partition("/")[2]
    match kind:
        case "switch":
            _check_switch(settings, name)
            return _json(name not in house.switches.closed)
        case "table":
            return _json(next((table for table in house.config.table if table.name == name), None))
        case "limits":
            game, _, currency = name.partition("/")
            for known, money in limited():
                if (known, money) == (game, currency):
                    return _json(lines_of(choices_of(house.config, known, money)))
            known = ", ".join({solo: None for solo, _ in limited()})
            raise Refusal("change/unusable", reason=OptionError("option/solo-game", game=game, known=known))
        case "office":
            return _json(msgspec.to_builtins(house.config.office).get(name))
        case "role":
            return _json(await house.read(lambda connection: role_of(connection, int(name))))
        case _:
            return b"null"  # a gift replaces nothing


def _check_switch(settings: SettingsInForce, name: str) -> None:
    """Refuse a switch of something that there is not."""
    what, _, of = name.partition("/")
    game, _, bet = of.partition("/")
    config = settings.house.config
    reason: OptionError | None = None
    if what == "table":
        if not any(section.name == of for section in config.table):
            reason = OptionError("option/no-table", table=of)
    elif what != "all" and game not in CATALOGUE:
        reason = OptionError("option/game", game=game, known=", ".join(CATALOGUE))
    elif what == "bet" and CATALOGUE[game].rules.side_bet(bet) is None:
        reason = no_bet(bet, [known.name for known in CATALOGUE[game].rules.side_bets])
    if reason is not None:
        raise Refusal("change/unusable", reason=reason)


def role_of(connection: Connection, player: int) -> Role:
    """The role of a player; one without an account has none to be changed."""
    profiles = schema.profiles.c
    query = sqlalchemy.select(profiles.role).where(profiles.player == player, sqlalchemy.not_(profiles.demo))
    found: Role | None = connection.execute(query).scalar()
    if found is None:
        raise Refusal("player/none", player=player)
    return found


async def check_usable(settings: SettingsInForce, change: Wanted) -> None:
    """Refuse a value with which the house could not go on: bad options, limits that contradict each other (PLT-64)."""
    name = change.subject.partition("/")[2]
    if change.kind == "office":
        value = msgspec.json.decode(change.value)
        try:
            office_with(settings.house.config.office, name, value)
        except (msgspec.MsgspecError, ValueError) as error:
            if type(value) is int and name in BOUNDS:
                least, most = BOUNDS[name]
                raise Refusal("change/bounds", least=least, most=most) from None
            raise Refusal("change/unusable", reason=str(error)) from None
    elif change.kind == "table":
        section = msgspec.json.decode(change.value, type=TableSection | None)
        if section is not None:
            await _check_table(settings, section)
    if change.kind in ("table", "limits"):
        await settings.check(change.subject, change.value)


async def _check_table(settings: SettingsInForce, section: TableSection) -> None:
    """Refuse options that the game has not, and a name under which another game was played."""
    config = table_config(section, settings.house.config)
    options, rules = config.options or config.game.options, config.game.rules
    try:
        check_bets(options, [bet.name for bet in rules.side_bets])
        check_cut(rules.decks, options.cut)
    except OptionError as error:
        raise Refusal("table/settings", table=section.name, reason=error) from None
    now = {table.name: table.dealing for table in settings.house.config.table}
    if now.get(section.name, section.dealing) != section.dealing:
        reason = OptionError("option/dealing", dealing=now[section.name])
        raise Refusal("table/settings", table=section.name, reason=reason)
    before = await settings.house.read(lambda connection: played_at(connection, section.name))
    if before not in (None, (section.game, section.currency)):
        reason = OptionError("option/played", game=before[0], currency=before[1])
        raise Refusal("table/settings", table=section.name, reason=reason)


def played_at(connection: Connection, table: str) -> tuple[str, str] | None:
    """The game and the currency of a live table's rounds, if there were any."""
    rounds, streams = schema.rounds.c, schema.streams.c
    query = (
        sqlalchemy.select(rounds.game, rounds.currency)
        .join_from(schema.rounds, schema.streams, rounds.stream == streams.id)
        .where(streams.name == LIVE + table)
        .limit(1)
    )
    found = connection.execute(query).first()
    return None if found is None else (found.game, found.currency)


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)
