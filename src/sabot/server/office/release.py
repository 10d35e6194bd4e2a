"""What a release consists of: the program's files, the rules of its games, the settings; each with its hash (OFF-12)."""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

import sabot
from sabot.games import CATALOGUE
from sabot.server.config import Config

#: The parts that are checked. Of the settings each game has those of its tables and limits; `house` has the rest.
PartKind = Literal["program", "rules", "configuration"]
HOUSE = "house"

_PACKAGE = "sabot"


class PartKey(NamedTuple):
    """A part of a release: the program, a game's rules, a game's settings or the house's."""

    kind: PartKind
    subject: str

    @property
    def games(self) -> tuple[str, ...]:
        """The games that a difference concerns: all for the program, none for settings that no game depends on."""
        if self.kind == "program":
            return tuple(CATALOGUE)
        return (self.subject,) if self.subject in CATALOGUE else ()


class Program(Struct, frozen=True):
    """The program as it is installed: a wheel, whose files have recorded hashes, or sources that are being worked on."""

    version: str
    #: The folder of the package; None while it is being developed, when its files change all the time.
    folder: Path | None = None
    #: The hash of each file by its path, as it was when the wheel was built.
    built: Mapping[str, str] = {}

    @property
    def in_development(self) -> bool:
        """Whether it runs from sources that are being worked on."""
        return self.folder is None

    def found(self) -> dict[str, str]:
        """The hash of each file as it is now; what Python and numba keep beside the sources is left out."""
        if self.folder is None:
            return {}
        return {
            file.relative_to(self.folder.parent).as_posix(): _sha256(file)
            for file in sorted(self.folder.rglob("*"))
            if file.is_file() and "__pycache__" not in file.parts
        }

    def changed(self, found: Mapping[str, str]) -> tuple[str, ...]:
        """The files that are not as they were built: changed, missing or added."""
        paths = self.built.keys() | found.keys()
        return tuple(sorted(path for path in paths if self.built.get(path) != found.get(path)))


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        return f"cannot be read: {error.strerror}"


@cache
def installed_program() -> Program:
    """The program that runs, by what its installer has recorded of it."""
    try:
        found = distribution(_PACKAGE)
    except PackageNotFoundError:
        return Program(sabot.__version__)
    return program_of(found)


def program_of(found: Distribution) -> Program:
    """The program of an installed distribution."""
    source = json.loads(found.read_text("direct_url.json") or "{}")
    if source.get("dir_info", {}).get("editable", False):
        return Program(found.version)
    built = {
        file.as_posix(): base64.urlsafe_b64decode(file.hash.value + "=").hex()
        for file in found.files or ()
        if file.parts[0] == _PACKAGE and file.hash is not None and "__pycache__" not in file.parts
    }
    return Program(found.version, Path(str(found.locate_file(_PACKAGE))), built)


def files_hash(files: Mapping[str, str]) -> str:
    """One hash over the hashes of files.

    >>> files_hash({"b": "2", "a": "1"}) == files_hash({"a": "1", "b": "2"}) != files_hash({"a": "1"})
    True
    """
    return _digest(sorted(files.items()))


def config_hashes(config: Config) -> dict[PartKey, str]:
    """The hashes of the settings that a file holds: those of each game, and those of the house.

    Addresses, keys and passwords belong to a machine and are not among them.
    """
    house = msgspec.to_builtins(config.house)
    del house["key"]
    hashes = {PartKey("configuration", HOUSE): _digest((house, config.cashier, config.office))}
    for game in CATALOGUE:
        tables = [section for section in config.table if section.game == game]
        limits = [section for section in config.limits if not section.games or game in section.games]
        hashes[PartKey("configuration", game)] = _digest((tables, limits))
    return hashes


def rules_hashes() -> dict[PartKey, str]:
    """The hash of every rule set, weights included."""
    return {PartKey("rules", name): game.rules.sha256 for name, game in CATALOGUE.items()}


def _digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()
