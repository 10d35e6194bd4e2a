"""`sabot audit`, `sabot backup` and `sabot restore`: checks the books of a house, and copies them."""

from __future__ import annotations

from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from sabot.cli.commands import house
from sabot.cli.shared import AsJson, Language, Output, argument, flag, option, utc_time

if TYPE_CHECKING:
    from sabot.store.audit import Anchor, AuditReport
    from sabot.store.backup import Backup

#: Most findings shown.
_SHOWN = 50

BackupFile = Annotated[Path, argument("FILE", "The file of the backup.")]


def audit(
    database: house.DatabaseUrl = None,
    config: house.ConfigFile = None,
    key: house.KeyFile = None,
    quick: Annotated[bool, flag("--quick", "Do not play the rounds again.")] = False,
    anchors: Annotated[
        Path | None, option("FILE", "Write the ends of all streams, to be kept elsewhere.")
    ] = None,
    against: Annotated[
        Path | None, option("FILE", "Check that anchors of an earlier audit still hold.")
    ] = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Check the house's books: chains, balances, escrow, and every round played again. Exit code 1 if something differs."""
    from sabot.rounds.audit import audit_house

    out = Output(lang)
    earlier = _read_anchors(against, out)
    settings = house.load_settings(out, config, database, key)
    with house.open_database(settings, out) as opened:
        vault = house.open_vault(settings, out)
        report = audit_house(opened, vault=vault, anchors=earlier, replay=not quick)
    if anchors is not None:
        with out.file("cli.write", anchors):
            anchors.write_bytes(msgspec.json.format(msgspec.json.encode(report.anchors), indent=2))
    if as_json:
        out.json(report)
    else:
        _echo_report(out, report, house.shown_url(opened))
    if report.findings:
        raise typer.Exit(1)


def backup(
    file: BackupFile,
    database: house.DatabaseUrl = None,
    config: house.ConfigFile = None,
    force: Annotated[bool, flag("--force", "Replace a file of that name.")] = False,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Write the whole house to one file, while it plays. The file is the same for SQLite and PostgreSQL."""
    from sabot.store.backup import BackupError, make_backup

    out = Output(lang)
    settings = house.load_settings(out, config, database)
    with house.open_database(settings, out) as opened, out.file("cli.write", file):
        try:
            made = make_backup(opened, file, int(time() * 1000), overwrite=force)
        except BackupError as error:
            out.refuse(f"backup.{error.code}", **{"path": file, **error.params})
    if as_json:
        out.json({"file": str(file), **_summary(made)})
    else:
        out.say("backup.made", path=file, url=house.shown_url(opened), **_counts(made))
        out.say("backup.no-key")


def restore(
    file: BackupFile,
    database: house.DatabaseUrl = None,
    config: house.ConfigFile = None,
    key: house.KeyFile = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Put a backup into an empty database, then audit it. Exit code 1 if the audit finds something."""
    from sabot.rounds.audit import audit_house
    from sabot.store.backup import BackupError, check_backup, restore_backup

    out = Output(lang)
    settings = house.load_settings(out, config, database, key)
    vault = house.open_vault(settings, out)
    try:
        with out.file("cli.file", file):
            check_backup(file)
        with house.open_database(settings, out, must_exist=False) as opened:
            with out.file("cli.file", file):
                restored = restore_backup(opened, file)
            report = audit_house(opened, vault=vault)
    except BackupError as error:
        out.refuse(f"backup.{error.code}", **{"path": file, **error.params})
    if as_json:
        out.json({"file": str(file), **_summary(restored), "audit": report})
    else:
        out.say("backup.restored", path=file, url=house.shown_url(opened), **_counts(restored))
        _echo_report(out, report, house.shown_url(opened))
    if report.findings:
        raise typer.Exit(1)


def _echo_report(out: Output, report: AuditReport, url: str) -> None:
    """Print an audit in sentences."""
    counts = {"rows": report.rows, "transfers": report.transfers, "rounds": report.rounds}
    out.say("audit.counts", url=url, streams=len(report.anchors), **counts)
    if report.sealed:
        out.say("audit.sealed", count=report.sealed)
    if not report.findings:
        out.say("audit.clean")
        return
    out.say("audit.findings", count=len(report.findings))
    for finding in report.findings[:_SHOWN]:
        typer.echo(f"  {finding.place}: {finding.message}")
    if len(report.findings) > _SHOWN:
        out.say("audit.more", count=len(report.findings) - _SHOWN)


def _read_anchors(path: Path | None, out: Output) -> dict[str, Anchor]:
    from sabot.store.audit import Anchor

    if path is None:
        return {}
    try:
        with out.file("cli.file", path):
            return msgspec.json.decode(path.read_bytes(), type=dict[str, Anchor])
    except msgspec.DecodeError as error:
        out.refuse("audit.no-anchors", path=path, reason=error)


def _counts(backup: Backup) -> dict[str, object]:
    counts = {table: backup.header.tables[table] for table in ("rounds", "players")}
    created, rows = utc_time(backup.header.created), backup.header.tables["log"]
    return {"created": created, "rows": rows, **counts, "sha256": backup.sha256}


def _summary(backup: Backup) -> dict[str, object]:
    header = backup.header
    return {
        "revision": header.revision,
        "created": utc_time(header.created),
        "tables": header.tables,
        "sha256": backup.sha256,
    }
