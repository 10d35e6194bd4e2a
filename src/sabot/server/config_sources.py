"""Where settings come from: a file, the environment, flags.

A file `sabot.toml` with the sections `[house]`, `[operator]`, `[server]`, `[cashier]`, `[database]`, `[bus]`, `[office]`, `[studio]` and any number of
`[[table]]`, `[[limits]]` and `[[device]]`, over it the environment (`SABOT_SERVER_PORT=8080`), over that the flags of the command. Unknown settings are
refused by name. Relative paths of the file, and of settings that stand nowhere, begin at its folder; those of the
environment and of flags at the working directory.

>>> loaded = load_config(None, {"SABOT_SERVER_PORT": "8080"}, {})
>>> loaded.config.server.port, loaded.source("server.port"), loaded.source("server.host")
(8080, 'SABOT_SERVER_PORT', 'default')
>>> load_config(None, {"SABOT_DATABASE_URI": "sqlite://"}, {})
Traceback (most recent call last):
sabot.server.config_sources.ConfigError: SABOT_DATABASE_URI: there is no setting database.uri: the section has url
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from sabot.protocol.fields import problem_of
from sabot.server.addresses import networks
from sabot.server.config import Config, Rate
from sabot.server.studio.codes import read_codes

_PREFIX = "SABOT_"
#: Sections there can be any number of.
_LISTS = ("table", "limits", "device")
_SECTIONS: dict[str, type[Struct]] = {
    field.name: field.type for field in msgspec.structs.fields(Config) if field.name not in _LISTS
}
#: Flags that have another name than their setting.
_FLAGS = {"database.url": "--database", "house.key": "--key"}
#: Settings that name a file, and what stands before its path.
_PATHS = dict.fromkeys(
    ("house.key", "operator.terms_it", "operator.terms_en", "bus.credentials", "studio.codes"), ""
) | {"database.url": "sqlite:///"}


class ConfigError(ValueError):
    """An invalid setting; says which, where it stands and what would be valid."""


class Loaded(NamedTuple):
    """The settings in force, where each comes from that is not the default, and the file that was read."""

    config: Config
    sources: Mapping[str, str]
    file: Path | None = None

    def source(self, name: str) -> str:
        """Where a setting comes from: a file, a variable, a flag, or the default."""
        return self.sources.get(name, "default")


def load_config(file: Path | None, environ: Mapping[str, str], flags: Mapping[str, object]) -> Loaded:
    """The settings of a file, the environment and flags (`{"server.port": 8080}`), in rising order."""
    values: dict[str, Any] = {section: {} for section in _SECTIONS}
    sources: dict[str, str] = {}

    def put(section: str, key: str, value: object, source: str) -> None:
        kinds = {field.name: field.type for field in msgspec.structs.fields(_SECTIONS[section])}
        if key not in kinds:
            known = ", ".join(kinds)
            raise ConfigError(f"{source}: there is no setting {section}.{key}: the section has {known}")
        if source in environ and (kinds[key] is Rate or str(kinds[key]).startswith("tuple")):
            value = [part.strip() for part in str(value).split(",") if part.strip()]
        values[section][key] = value
        sources[f"{section}.{key}"] = source

    for section, contents in _read(file).items():
        if section in _LISTS:
            values[section], sources[section] = contents, str(file)
        else:
            for key, value in contents.items():
                put(section, key, value, str(file))
    for variable, text in environ.items():
        section, _, key = variable.removeprefix(_PREFIX).lower().partition("_")
        if variable.startswith(_PREFIX) and section in _SECTIONS:
            put(section, key, text, variable)
    for flag, value in flags.items():
        if value is not None:
            section, _, key = flag.partition(".")
            put(section, key, value, _FLAGS.get(flag, f"--{key}"))
    try:
        loaded = Loaded(msgspec.convert(values, Config, strict=False), sources, file)
    except msgspec.ValidationError as error:
        problem = problem_of(error)
        named = problem.field.partition("[")[0]
        # A section that refuses one of its settings names it first.
        source = sources.get(named) or sources.get(f"{named}.{problem.what.split()[0]}") or file
        raise ConfigError(f"{source}: {problem}") from None
    loaded = loaded._replace(config=_at_folder(loaded))
    _check(loaded)
    return loaded


def _at_folder(loaded: Loaded) -> Config:
    """The settings with relative paths taken from the folder of their file, but those of the environment and of flags."""
    config, file = loaded.config, loaded.file
    if file is None:
        return config
    for name, before in _PATHS.items():
        head, _, key = name.partition(".")
        section = getattr(config, head)
        value: str = getattr(section, key)
        path = value.removeprefix(before)
        if (
            value.startswith(before)
            and path not in ("", ":memory:")
            and loaded.source(name) in ("default", str(file))
        ):
            section = msgspec.structs.replace(section, **{key: f"{before}{file.parent / path}"})
            config = msgspec.structs.replace(config, **{head: section})
    return config


def _check(loaded: Loaded) -> None:
    """Refuse a network that is none, terms and codes that cannot be read, and devices of no studio table."""
    try:
        networks(loaded.config.server.proxies)
    except ValueError as error:
        raise ConfigError(f"{loaded.source('server.proxies')}: server.proxies: {error}") from None
    for key in ("terms_it", "terms_en"):
        file, name = getattr(loaded.config.operator, key), f"operator.{key}"
        try:
            if file:
                Path(file).read_text("utf-8")
        except (OSError, ValueError) as error:  # no such file, no text, or a name that none can have
            raise ConfigError(f"{loaded.source(name)}: {name}: {file} cannot be read: {error}") from None
    _check_studio(loaded)


def _check_studio(loaded: Loaded) -> None:
    codes, devices = loaded.config.studio.codes, loaded.config.device
    try:
        read_codes(codes)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{loaded.source('studio.codes')}: studio.codes: {codes}: {error}") from None
    source = loaded.source("device")
    studios = [section.name for section in loaded.config.table if section.dealing == "studio"]
    for number, device in enumerate(devices):
        if device.table not in studios:
            known = ", ".join(studios) or "none"
            reason = f'{device.table} is no table with dealing = "studio": there are {known}'
            raise ConfigError(f"{source}: device[{number}].table: {reason}")
        for other in devices[:number]:
            if (other.name, other.table) == (device.name, device.table) or other.token == device.token:
                reason = "another device has this name at its table, or this token: give each its own"
                raise ConfigError(f"{source}: device[{number}]: {reason}")


def _read(file: Path | None) -> dict[str, Any]:
    """The sections of a file."""
    if file is None:
        return {}
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not TOML: {error}") from None
    headings = {name: f"[{name}]" for name in _SECTIONS} | {name: f"[[{name}]]" for name in _LISTS}
    for section, contents in found.items():
        if section not in headings:
            known = ", ".join(headings.values())
            raise ConfigError(f"{file}: there is no section {section!r}: the sections are {known}")
        if not isinstance(contents, list if section in _LISTS else dict):
            raise ConfigError(f"{file}: {section} is no section: write {headings[section]}")
    return found
