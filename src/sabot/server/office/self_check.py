"""The self-check: rules, program and settings against the recorded release (OFF-12; docs/operate/office.md).

What a release is made of is recorded when its version is first started: the rules, and the files as they were built. The
settings are recorded at the first start of all. Settings that operators change by proposal are not in a file, and no
difference. Sources that are being worked on change all the time: what is found in them is recorded at each check.
"""

from typing import NamedTuple

import msgspec
import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection

from sabot.server.config import Config
from sabot.server.office.release import PartKey, PartKind, Program, config_hashes, files_hash, rules_hashes
from sabot.store import schema
from sabot.store.database import put

#: Files that a difference names, and checks that the page shows.
_MOST_FILES, _MOST_CHECKS = 50, 20
_PROGRAM = PartKey("program", "")


class CheckDifference(Struct, frozen=True):
    """A part that is not as recorded; of the program, the files."""

    kind: PartKind
    subject: str
    recorded: str
    found: str
    files: tuple[str, ...] = ()

    @property
    def games(self) -> tuple[str, ...]:
        """The games that it concerns."""
        return PartKey(self.kind, self.subject).games


class RecordedPart(Struct, frozen=True):
    """A part of the release: its hash as recorded, by whom and when, and as it is now."""

    kind: PartKind
    subject: str
    recorded: str
    recorded_at: int
    operator: int | None
    reason: str
    found: str


class CheckResult(Struct, frozen=True):
    """A check that was made, why and by whom."""

    at: int
    node: str
    why: str
    operator: int | None
    passed: bool
    differences: tuple[CheckDifference, ...]


class Parts(NamedTuple):
    """The hash of each part as it is now, what the first start of the release records, and the files that differ."""

    now: dict[PartKey, str]
    first: dict[PartKey, str]
    files: tuple[str, ...] = ()


def find_parts(program: Program, config: Config) -> Parts:
    """Look at the rules, the settings, and the files of a program that is not being developed."""
    now = rules_hashes() | config_hashes(config)
    if program.in_development:
        return Parts(now, now)
    files = program.found()
    first = now | {_PROGRAM: files_hash(program.built)}
    return Parts(now | {_PROGRAM: files_hash(files)}, first, program.changed(files)[:_MOST_FILES])


def differences(parts: Parts, recorded: dict[PartKey, str]) -> tuple[CheckDifference, ...]:
    """The parts that are not as recorded."""
    return tuple(
        CheckDifference(*key, recorded.get(key, ""), found, parts.files if key == _PROGRAM else ())
        for key, found in sorted(parts.now.items())
        if recorded.get(key) != found
    )


# Records


def recorded_parts(connection: Connection, version: str) -> dict[PartKey, str]:
    """The recorded hashes of a release, and of the settings."""
    return {PartKey(row.kind, row.subject): row.sha256 for row in connection.execute(_release(version))}


def described_parts(connection: Connection, version: str, parts: Parts) -> tuple[RecordedPart, ...]:
    """What is recorded, by whom and when, beside what is there now."""
    return tuple(
        RecordedPart(
            row.kind,
            row.subject,
            row.sha256,
            row.at,
            row.operator,
            row.reason,
            parts.now.get(PartKey(row.kind, row.subject), ""),
        )
        for row in connection.execute(_release(version))
    )


def record_parts(
    connection: Connection,
    version: str,
    parts: dict[PartKey, str],
    at: int,
    operator: int | None = None,
    reason: str = "",
) -> None:
    """Record hashes in place of those that were recorded; settings are not of a version."""
    rows = [
        ("" if key.kind == "configuration" else version, key.kind, key.subject, sha256, at, operator, reason)
        for key, sha256 in parts.items()
    ]
    put(connection, schema.releases, rows)


def _release(version: str) -> sqlalchemy.Select[tuple[object, ...]]:
    releases = schema.releases.c
    query = sqlalchemy.select(schema.releases).where(releases.version.in_((version, "")))
    return query.order_by(releases.kind, releases.subject)


# Checks that were made


def store_check(connection: Connection, result: CheckResult) -> None:
    """Keep the result of a check."""
    cells = (result.at, result.node, result.why, result.operator, result.passed)
    put(connection, schema.self_checks, [(*cells, msgspec.json.encode(result.differences))])


def last_checks(connection: Connection) -> tuple[CheckResult, ...]:
    """The last checks of all nodes, the newest first."""
    checks = schema.self_checks.c
    query = sqlalchemy.select(schema.self_checks).order_by(checks.at.desc(), checks.node).limit(_MOST_CHECKS)
    return tuple(
        CheckResult(
            row.at,
            row.node,
            row.why,
            row.operator,
            row.passed,
            msgspec.json.decode(row.differences, type=tuple[CheckDifference, ...]),
        )
        for row in connection.execute(query)
    )
