"""No stored setting keeps a house from answering: the worst value of every field, over a running house and a new one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import inf, nan
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy
from msgspec import NODEFAULT
from msgspec import inspect as kinds

from sabot.errors import Refusal
from sabot.games.options import TableOptions
from sabot.server.config import Config, OfficeConfig, TableSection
from sabot.server.config_sources import ConfigError, load_config
from sabot.server.http.dispatch import PREFIX
from sabot.server.http.policy import content_security
from sabot.server.http.services import SERVICES
from sabot.server.office.changes import AnyChange
from sabot.server.tables.limits import check_limits
from sabot.server.tables.opening import table_config
from sabot.store import schema
from tests.support.databases import sqlite_url
from tests.support.site import Site

#: Addresses that are none, or that would write into a header.
ADDRESSES = (
    "https://vi\x00deo.example/t/w",
    "https://video.example:88890/t/w",
    "https://video.example:0/t/w",
    "https://video.example:/t/w",
    "https://[x/t/w",
    "https://[::1/t/w",
    "https://[::g]/t/w",
    "https://[fe80::1%25eth0]/t/w",
    "https://a;script-src'unsafe-inline'/t/w",
    "https://a,b/t/w",
    "https://*/t/w",
    "https://vid\u00e9o.example/t/w",
    "https://video\u3002example\u2100/t/w",
    "https://a@b/t/w",
    "https://.../t/w",
    "https://" + "a" * 64 + ".example/t/w",
    "https://" + "a." * 300 + "example/t/w",
    "https://video.example/t\r\nSet-Cookie:x=1/w",
    "https://video.example/" + "w" * 3_000,
    "HTTPS://VIDEO.example:8443/t/w",
    "https:///t/w",
)
TEXTS = (
    "",
    "\x00",
    "__class__",
    "__struct_fields__",
    "..",
    "/",
    "-",
    "a" * 40,
    "x" * 5_000,
    "\U0001f600" * 60,
    "\u202e",
    "'\";<>\r\n",
)
WHOLE = (-(10**30), -(2**63) - 1, -1, 0, 1, 2, 2**31, 2**53, 2**63 - 1, 2**63, 10**30)
BROKEN = (-1.0, 0.0, 5e-324, 1e-9, 0.5, 3_600.5, 1e18, 1e308, inf, nan)


def worst_values(kind: kinds.Type, examples: dict[str, dict[str, Any]]) -> Iterator[Any]:
    """Return the worst values of a type, as JSON has them.

    `examples` holds a good value of every type with fields, by its name: each of its fields is replaced in turn.
    """
    match kind:
        case kinds.StructType():
            good = examples[kind.cls.__name__]
            yield good
            for field in kind.fields:
                inner = kinds.type_info(TableOptions) if field.name == "options" else field.type
                for value in worst_values(inner, examples):
                    yield {**good, field.encode_name: value}
                if field.default is not NODEFAULT or field.default_factory is not NODEFAULT:
                    yield {name: value for name, value in good.items() if name != field.encode_name}
        case kinds.UnionType():
            for each in kind.types:
                yield from worst_values(each, examples)
        case kinds.IntType():
            bounds = [bound for bound in (kind.ge, kind.gt, kind.le, kind.lt) if bound is not None]
            yield from dict.fromkeys((*bounds, *(bound + 1 for bound in bounds), *WHOLE))
        case kinds.FloatType():
            yield from dict.fromkeys((*filter(None, (kind.ge, kind.gt, kind.le, kind.lt)), *BROKEN))
        case kinds.StrType():
            yield from (*TEXTS, "a" * (kind.max_length or 64), *ADDRESSES)
        case kinds.BoolType():
            yield from (True, False)
        case kinds.NoneType():
            yield None
        case kinds.LiteralType():
            yield from kind.values
        case kinds.ListType() | kinds.VarTupleType() | kinds.SetType():
            yield []
            items = list(worst_values(kind.item_type, examples))
            yield from ([item] for item in items)
            yield from ([items[0]] * 2, [items[0]] * 100, items)
        case kinds.NamedTupleType():
            items = [*examples[kind.cls.__name__].values()]
            yield []
            for number, field in enumerate(kind.fields):
                for value in worst_values(field.type, examples):
                    yield [*items[:number], value, *items[number + 1 :]]
        case kinds.DictType():
            yield {}
            items = list(worst_values(kind.value_type, examples))
            yield from ({key: items[0]} for key in TEXTS)
            yield from ({"21+3": item} for item in items)
        case kinds.AnyType():
            yield from (None, 0, "", [], {}, [[[]]])
        case _:
            raise TypeError(f"no worst values are known of {kind}")


TABLES = (TableSection(name="one", game="freebet", currency="FUN"),)
REASON = {"reason": "a test of the worst"}
LIMITS = {"minimum": 100, "maximum": 50_000}
#: A good value of each type with fields; the options of a table are a type of their own.
GOOD: dict[str, dict[str, Any]] = {
    "Switching": {"kind": "switch", "what": "game", "name": "link", "open": False},
    "TableChange": {"kind": "table", "table": {"name": "one", "game": "freebet", "currency": "FUN"}},
    "TableClosing": {"kind": "close-table", "name": "one"},
    "LimitsChange": {"kind": "limits", "game": "link", "currency": "EUR", "choices": None},
    "OfficeChange": {"kind": "office", "key": "large_win", "value": 900_000},
    "RoleChange": {"kind": "role", "player": "ada", "role": "presenter"},
    "TableSection": {"name": "one", "game": "freebet", "currency": "FUN"},
    "TableOptions": {},
    "GoldenOptions": {},
    "Limits": LIMITS,
    "Timers": {},
    "VideoSection": {"quality": "720", "whep": "https://video.example/t/whep"},
    "Rate": {"burst": 1_000_000, "every": 0.001},
    "LimitsSection": {"name": "standard"},
    "DeviceSection": {"name": "shoe", "table": "studio", "token": "x" * 32},
    "LimitsLine": {"name": "standard", "main": LIMITS, "side": LIMITS},
}


def changes() -> Iterator[dict[str, Any]]:
    """Every change with each of its fields at its worst; each setting of the office is a field too."""
    yield from worst_values(kinds.type_info(AnyChange), GOOD)
    for field in kinds.type_info(OfficeConfig).fields:  # type: ignore[attr-defined]
        for value in worst_values(field.type, GOOD):
            yield {"kind": "office", "key": field.encode_name, "value": value}


def stored(change: dict[str, Any]) -> tuple[str, bytes]:
    """A change as the database holds it, whether this release would accept it or not."""
    match change:
        case {"kind": "switch", **names}:
            subject, value = (
                "/".join(str(names.get(name)) for name in ("what", "name", "bet")),
                change.get("open"),
            )
        case {"kind": "table", "table": dict(value)}:
            subject = str(value.get("name"))
        case {"kind": "limits", "game": game, "currency": currency, **rest}:
            subject, value = f"{game}/{currency}", rest.get("choices")
        case {"kind": "role", **rest}:
            subject, value = "7", rest.get("role")
        case _:
            subject, value = str(change.get("key", "one")), change.get("value")
    return f"{str(change.get('kind')).removeprefix('close-')}/{subject}", msgspec.json.encode(value)


async def lay(site: Site, settings: Iterable[tuple[str, bytes]]) -> None:
    """Write settings into the database, in place of others, as an older release may have approved them."""
    rows = [
        {"subject": subject.replace("\0", ""), "version": version, "at": 0, "value": value, "proposal": 1}
        for version, (subject, value) in enumerate(settings, int(site.clock.ms))
    ]
    site.clock.ms += len(rows)

    def write(connection: sqlalchemy.Connection) -> None:
        connection.execute(sqlalchemy.delete(schema.changes))
        connection.execute(sqlalchemy.insert(schema.changes), rows)

    await site.house.write(write)


#: What a house is asked, and what takes longer.
PATHS = ("/healthz", PREFIX + "/tables")
MORE_PATHS = ("/readyz", PREFIX + "/games/link", PREFIX + "/games/freebet?table=one")


async def answers(site: Site, what: object, *statuses: int, paths: tuple[str, ...] = PATHS) -> None:
    """The house answers, with the headers that guard its pages."""
    for path in paths:
        async with site.http.get(site.url + path) as response:
            assert response.status in (200, 404, *statuses), (what, path, response.status)
            policy = response.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'; script-src 'self';"), what
            assert len(policy) < 8_000, what
            assert not any(sign in policy for sign in ("unsafe", "*", "\\", ",")), what
            assert response.headers["X-Frame-Options"] == "DENY", what
            assert response.headers["X-Content-Type-Options"] == "nosniff", what


@pytest.mark.slow  # the worst of every field
@pytest.mark.rule("ASR-32", "OFF-10", "STU-20")
async def test_no_proposal_keeps_a_house_from_answering(file_url: str) -> None:
    """Each is refused in words or in force; either way the house goes on, and the office can be used."""
    async with Site(file_url, tables=TABLES) as site:
        boss = await site.administrator()
        await site.join("ada")
        statuses = Counter[int]()
        for change in changes():
            answer = await boss.post("/office/proposals", {"change": change, **REASON})
            statuses[answer.status] += 1
            assert answer.status < 500, (change, answer.text)
            await answers(site, change)
            if answer.status == 200:
                await answers(site, change, paths=MORE_PATHS)
                shown = await boss.get("/office/control")
                assert shown.status == 200, (change, shown.text)
        assert statuses[200] > 100  # or nothing was tried
        assert statuses[400] > 100


@pytest.mark.slow  # the worst of every field
@pytest.mark.rule("ASR-32", "STU-20")
async def test_no_stored_setting_keeps_a_running_house_from_answering(file_url: str) -> None:
    """Values that this release would refuse stay out of force: the file's hold, and the office is told."""
    async with Site(file_url, tables=TABLES) as site:
        settings = site.app[SERVICES].settings
        for change in changes():
            await lay(site, [stored(change)])
            await settings.refresh()
            await answers(site, change)


@pytest.mark.slow  # the worst of every field
@pytest.mark.rule("ASR-32", "STU-20")
async def test_no_stored_setting_keeps_a_house_from_starting(tmp_path: Path) -> None:
    """A house starts over the worst of every field; other tables than the one that is spoilt are open."""
    spoilt = defaultdict[str, list[bytes]](list)
    for number, change in enumerate(changes()):
        if change["kind"] == "table" and isinstance(change["table"], dict) and number % 20:
            change = {**change, "table": {**change["table"], "name": f"spoilt-{number % 20}"}}
        subject, value = stored(change)
        if value not in spoilt[subject]:
            spoilt[subject].append(value)
    for number in range(max(map(len, spoilt.values()))):
        url = sqlite_url(tmp_path / f"{number}.db")
        worst = [(subject, values[number]) for subject, values in spoilt.items() if number < len(values)]
        async with Site(url, tables=TABLES) as site:
            await lay(site, worst)
        async with Site(url, tables=(*TABLES, TableSection(name="sound", game="majority-eu"))) as site:
            await answers(site, worst, paths=PATHS + MORE_PATHS)
            assert "live/sound" in site.app[SERVICES].registry.live


@pytest.mark.rule("OFF-02", "OFF-10", "PLT-64")
async def test_stored_settings_that_do_not_fit_leave_the_rest_to_be_changed(file_url: str) -> None:
    """Two tables of a game that is not live: others are changed beside them, and each is taken away or put right."""
    bad = [
        (f"table/{name}", msgspec.json.encode({"name": name, "game": "link"})) for name in ("bad", "worse")
    ]
    async with Site(file_url, tables=TABLES) as site:
        boss, settings = await site.administrator(), site.app[SERVICES].settings
        await lay(site, bad)
        await settings.refresh()
        assert [section.name for section in site.house.config.table] == ["one"]

        async def propose(change: dict[str, Any]) -> str:
            return (await boss.post("/office/proposals", {"change": change, **REASON})).code

        assert await propose(GOOD["LimitsChange"] | {"choices": [GOOD["LimitsLine"]]}) == ""
        assert await propose({"kind": "table", "table": GOOD["TableSection"] | {"name": "two"}}) == ""
        assert await propose({"kind": "close-table", "name": "bad"}) == ""
        assert await propose({"kind": "close-table", "name": "bad"}) == "change/none"
        assert settings.is_unusable("table/worse")
        assert await propose({"kind": "table", "table": GOOD["TableSection"] | {"name": "worse"}}) == ""
        assert not settings.is_unusable("table/worse")
        assert [section.name for section in site.house.config.table] == ["one", "two", "worse"]


@pytest.mark.rule("OFF-02")
async def test_what_could_not_be_put_in_force_is_tried_again(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Site(file_url, tables=TABLES) as site:
        settings = site.app[SERVICES].settings
        await lay(site, [("table/two", msgspec.json.encode(GOOD["TableSection"] | {"name": "two"}))])

        async def fail(house: object, config: object) -> None:
            raise RuntimeError

        with monkeypatch.context() as patched:
            patched.setattr("sabot.server.office.in_force.check_settings", fail)
            with pytest.raises(RuntimeError):
                await settings.refresh()
        assert [section.name for section in site.house.config.table] == ["one"]
        await settings.refresh()
        assert [section.name for section in site.house.config.table] == ["one", "two"]


def worst_of_files() -> Iterator[tuple[str, Any]]:
    """Every setting of a file at its worst."""
    for section in kinds.type_info(Config).fields:  # type: ignore[attr-defined]
        match section.type:
            case kinds.StructType(fields=fields):
                for field in fields:
                    for value in worst_values(field.type, GOOD):
                        yield f"{section.name}.{field.name}", value
            case _:
                for value in worst_values(section.type, GOOD):
                    yield section.name, value


def load(tmp_path: Path, settings: dict[str, Any]) -> Config | None:
    """The settings of a file; None if they are refused in words."""
    sections: dict[str, Any] = {}
    for name, value in settings.items():
        section, _, key = name.partition(".")
        if key:
            sections.setdefault(section, {})[key] = value
        else:
            sections[section] = value
    file = tmp_path / "sabot.toml"
    file.write_text("\n".join(f"{_toml(name)} = {_toml(value)}" for name, value in sections.items()), "utf-8")
    try:
        config = load_config(file, {}, {}).config
        check_limits(config)
        for table in config.table:
            table_config(table, config)
    except (ConfigError, Refusal):  # in words, before anything is opened
        return None
    return config


def _toml(value: Any) -> str:
    """A value as TOML writes it, on one line."""
    match value:
        case dict():
            pairs = ((name, each) for name, each in value.items() if each is not None)
            return "{" + ", ".join(f"{_toml(name)} = {_toml(each)}" for name, each in pairs) + "}"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case bool():
            return str(value).lower()
        case float() | int():
            return str(value)
        case _:
            return '"' + "".join(f"\\U{ord(sign):08x}" for sign in str(value)) + '"'


@pytest.mark.slow  # the worst of every field
@pytest.mark.rule("ASR-32", "STU-20")
async def test_no_setting_of_a_file_leaves_a_house_without_its_headers(tmp_path: Path) -> None:
    """A setting is refused by the file's name before the house opens, or the house answers with it."""
    taken = defaultdict[str, list[Any]](list)
    for name, value in worst_of_files():
        if (config := load(tmp_path, {name: value})) is None:
            continue
        if name == "table":
            policy = content_security(config.table)
            assert policy.isascii(), value
            assert policy.isprintable(), value
            assert not {*"*,\\"} & {*policy}, value
        elif "." in name:  # tables and limits are tried as they are stored
            taken[name].append(value)
    assert not [url for url in taken["server.public_url"] if "\0" in url or "88890" in url or "[x" in url]
    del taken["server.argon_memory_kib"]  # takes that memory
    for number in range(max(map(len, taken.values()))):
        settings: dict[str, Any] = {"server.argon_memory_kib": 8}
        for section in dict.fromkeys(name.partition(".")[0] for name in taken):
            worst = {
                name: values[number % len(values)]
                for name, values in taken.items()
                if name.startswith(section + ".")
            }
            for each in (
                [worst] if load(tmp_path, settings | worst) else [{name: worst[name]} for name in worst]
            ):
                if load(tmp_path, settings | each) is not None:  # they do not contradict each other
                    settings |= each
        site = Site(sqlite_url(tmp_path / f"{number}.db"))
        config = load(tmp_path, settings)
        assert config is not None
        site.config = config
        async with site:
            await answers(site, settings, 400, 408, 421, 429, paths=PATHS + MORE_PATHS)
