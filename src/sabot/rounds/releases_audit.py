"""The audit of recorded releases: a hash that the self-check compares with must be one that the log recorded (OFF-12)."""

from collections import defaultdict

import msgspec
import sqlalchemy
from msgspec import Raw, Struct
from sqlalchemy import Connection

from sabot.store import schema
from sabot.store.audit import AuditReport
from sabot.store.audit_rows import text_of
from sabot.store.entry import decode_body
from sabot.store.register import OPERATORS, is_of


class _Recorded(Struct, frozen=True):
    kind: str
    subject: str
    sha256: str


class _Accepted(Struct, frozen=True):
    kind: str
    subject: str
    found: str


class _Order(Struct, frozen=True):
    """A row of the log that records a release, or accepts a difference."""

    version: str
    parts: tuple[_Recorded, ...] = ()
    differences: tuple[_Accepted, ...] = ()


_ORDER = msgspec.json.Decoder(_Order)


def check_releases(connection: Connection, report: AuditReport) -> None:
    """Compare the recorded hashes with the log; what a program in development recorded is not there."""
    log, streams = schema.log.c, schema.streams.c
    query = (
        sqlalchemy.select(log.body)
        .join_from(schema.log, schema.streams, log.stream == streams.id)
        .where(is_of(OPERATORS), log.kind.in_(("release-recorded", "release-accepted")))
    )
    logged: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for body in connection.execute(query).scalars():
        command = decode_body(body).command
        order = _ORDER.decode(command if isinstance(command, Raw) else b"{}")
        hashes = [(part.kind, part.subject, part.sha256) for part in order.parts]
        hashes += [(part.kind, part.subject, part.found) for part in order.differences]
        for kind, subject, sha256 in hashes:
            logged["" if kind == "configuration" else order.version, kind, subject].add(sha256)
    stored = {(row.version, row.kind, row.subject): row.sha256 for row in _releases(connection)}
    for key, known in sorted(logged.items()):
        if key not in stored:
            report.find("releases", f"the row {text_of(key)} is missing")
        elif stored[key] not in known:
            report.find(f"releases, {text_of(key)}", f"sha256 is {stored[key]}, which the log never recorded")


def _releases(connection: Connection) -> sqlalchemy.CursorResult[tuple[object, ...]]:
    return connection.execute(sqlalchemy.select(schema.releases))
