"""The studio: the presenter's console, and card-reading shoes (STU-03..09).

Codes, and cards that lie face down, stand in no answer and in no refusal. The console is answered when everything that
it shows is stored (STU-04).
"""

from collections.abc import Callable

import msgspec
from msgspec import UNSET, Struct, UnsetType

from sabot.cards import parse_card
from sabot.errors import Refusal
from sabot.protocol.fields import Form, TableName
from sabot.rounds.studio import CUT, UNKNOWN
from sabot.server.http.dispatch import ROLES, Call
from sabot.server.http.handlers.office.floor import pause_live
from sabot.server.studio.codes import CodeTable
from sabot.server.studio.orders import (
    AnyStudioOrder,
    CallSupervisorOrder,
    CardName,
    EndShiftOrder,
    ScanCode,
    ScanNumber,
    ShiftOrder,
    TakeDeviceOrder,
    UnlockOrder,
    carry_out,
    studio_of,
)
from sabot.server.tables.registry import LiveRuntime
from sabot.tables.live.studio import CONSOLE, Studio, StudioPerson
from sabot.tables.live.studio.console import ConsoleView


class Console(ConsoleView, frozen=True, kw_only=True):
    """The presenter's console of a table."""

    table: str
    title: str
    game: str
    #: The decks of its shoes.
    decks: int
    #: The house's clock, in milliseconds of UTC: `until` is by it.
    at: int
    #: The devices that may be taken: the console, and the card-reading shoes of the settings.
    devices: tuple[str, ...]
    #: Whether there is a code table: a scanner that types is understood (STU-04).
    scanner: bool


class DeviceReading(Form, frozen=True):
    """A card that a device has read, by its code."""

    scan: ScanNumber
    code: ScanCode


class ConsoleReading(Form, frozen=True):
    """A card at the console: by the code that a scanner types, or named by the presenter."""

    scan: ScanNumber
    code: ScanCode | UnsetType = UNSET
    card: CardName | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.code is UNSET) is (self.card is UNSET):
            raise ValueError("write either code or card")


class Scanned(Struct, frozen=True):
    """The number of a device's last reading, and whether the table waits for another card."""

    scan: int
    due: bool


async def console(call: Call, table: TableName) -> Console:
    """The presenter's console: what to do next, the cards, the shoe, the devices (STU-03)."""
    return await _order(call, table, lambda studio: None)


async def order(call: Call, table: TableName, form: AnyStudioOrder) -> Console:
    """Carry out an order of the presenter or the supervisor."""
    by = _person(call)
    if isinstance(form, UnlockOrder | EndShiftOrder):
        await _check_password(call, form)
    elif isinstance(form, ShiftOrder):
        call.registry.check_unlocked(by.id)
    elif isinstance(form, TakeDeviceOrder):
        _check_device(call, table, form.device)
    elif isinstance(form, CallSupervisorOrder):
        studio_of(call.registry.find_live(table).table)
        await pause_live(call, "call-supervisor", table, form.why)
    return await _order(call, table, lambda studio: carry_out(studio, form, by))


async def read_card(call: Call, table: TableName, form: ConsoleReading) -> Console:
    """Deal a card at the console, from a scanner that types, the keyboard or the picker (STU-04)."""
    by, typed = _person(call), isinstance(form.card, str)
    card = parse_card(form.card) if isinstance(form.card, str) else _card_of(call.codes, str(form.code))
    return await _order(call, table, lambda studio: studio.scan(CONSOLE, form.scan, card, typed=typed, by=by))


async def scan(call: Call, table: TableName, form: DeviceReading) -> Scanned:
    """Deal a card that a card-reading shoe has read; a repeated number gets the same answer (STU-05)."""
    device, card = _own_device(call, table), _card_of(call.codes, form.code)
    found = await _order(call, table, lambda studio: studio.scan(device, form.scan, card))
    return Scanned(form.scan, _awaits_card(found))


async def last_scan(call: Call, table: TableName) -> Scanned:
    """The last number of a card-reading shoe, so that one that restarts goes on."""
    device = _own_device(call, table)
    numbers: list[int] = []
    found = await _order(call, table, lambda studio: numbers.append(studio.last_scan(device)))
    return Scanned(numbers[0], _awaits_card(found))


async def _order(call: Call, table: str, act: Callable[[Studio], None]) -> Console:
    """Do something at a studio table; the console after it."""
    runtime = call.registry.find_live(table)
    studio_of(runtime.table)
    shown: list[Console] = []

    def acting(live: object) -> None:
        studio = studio_of(runtime.table)
        act(studio)
        shown.append(_console_of(call, runtime, table, studio))

    await runtime.order(acting)
    return shown[0]


def _console_of(call: Call, runtime: LiveRuntime, table: str, studio: Studio) -> Console:
    live = runtime.table
    return Console(
        **msgspec.structs.asdict(studio.console()),
        table=runtime.name,
        title=live.terms.used.title,
        game=live.table.rules.name,
        decks=live.table.rules.decks,
        at=call.house.clock.wall_ms(),
        devices=_devices_of(call, table),
        scanner=bool(call.codes),
    )


def _awaits_card(console: Console) -> bool:
    return console.due is not None and console.due.what != "pay"


def _person(call: Call) -> StudioPerson:
    login = call.login
    return StudioPerson(login.player, login.name, login.role in ROLES["supervisor"])


async def _check_password(call: Call, form: UnlockOrder | EndShiftOrder) -> None:
    """Check the password at the node that was asked: it is not passed on, and the owner of the table must know that it was."""
    if call.is_errand:
        if not call.checked:
            raise Refusal("login/wrong")
        return
    await call.rates.attempt(call.session_source.key)
    await call.operators.check_password(call.login, form.password or "", call.address)
    call.passed_on = msgspec.json.encode(type(form)())


def _devices_of(call: Call, table: str) -> tuple[str, ...]:
    return (CONSOLE, *(device.name for device in call.house.config.device if device.table == table))


def _check_device(call: Call, table: str, device: str) -> None:
    if device not in (known := _devices_of(call, table)):
        raise Refusal("device/none", device=device, known=", ".join(known))


def _own_device(call: Call, table: str) -> str:
    """The name of the device that asks, if it is at this table."""
    if call.device.table != table:
        raise Refusal("device/elsewhere", device=call.device.name, table=call.device.table)
    return call.device.name


def _card_of(codes: CodeTable, code: str) -> int:
    """What a code stands on."""
    found = codes.get(code, UNKNOWN)
    return CUT if found == "cut" else found
