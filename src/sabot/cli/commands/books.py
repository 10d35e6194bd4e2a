"""`sabot audit`, `sabot backup` and `sabot restore`: checks the books of a house, and copies them."""

from __future__ import annotations

from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from sabot.cli.commands.house import (
    DEFAULT_DATABASE,
    DatabaseUrl,
    KeyFile,
    open_database,
    open_vault,
    shown_url,
)
from sabot.cli.shared import AsJson, Language, catalogue_of, echo_json, file_access, refuse, utc_time
from sabot.texts import Catalogue

if TYPE_CHECKING:
    from sabot.store.audit import Anchor, Report
    from sabot.store.backup import Backup, BackupError

#: Most findings shown.
_SHOWN = 50

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the backup.")]


def audit(
    database: DatabaseUrl = DEFAULT_DATABASE,
    key: KeyFile = None,
    quick: Annotated[bool, typer.Option("--quick", help="Do not play the rounds again.")] = False,
    anchors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the ends of all streams, to be kept elsewhere.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Check that anchors of an earlier audit still hold.")
    ] = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Check the house's books: chains, balances, escrow, and every round played again. Exit code 1 if something differs."""
    from sabot.rounds.audit import audit_house

    catalogue = catalogue_of(lang)
    earlier = _read_anchors(against, catalogue)
    with open_database(database, catalogue) as opened:
        vault = open_vault(key, catalogue)
        report = audit_house(opened, vault=vault, anchors=earlier, replay=not quick)
    if anchors is not None:
        with file_access(catalogue, "cli.write", anchors):
            anchors.write_bytes(msgspec.json.format(msgspec.json.encode(report.anchors), indent=2))
    if as_json:
        echo_json(report)
    else:
        _echo_report(catalogue, report, shown_url(opened))
    if report.findings:
        raise typer.Exit(1)


def backup(
    file: BackupFile,
    database: DatabaseUrl = DEFAULT_DATABASE,
    force: Annotated[bool, typer.Option("--force", help="Replace a file of that name.")] = False,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Write the whole house to one file, while it plays. The file is the same for SQLite and PostgreSQL."""
    from sabot.store.backup import make_backup
    from sabot.store.backup import BackupError

    catalogue = catalogue_of(lang)
    with open_database(database, catalogue) as opened, file_access(catalogue, "cli.write", file):
        try:
            made = make_backup(opened, file, int(time() * 1000), overwrite=force)
        except BackupError as error:
            refuse(_sentence(catalogue, error, file))
    if as_json:
        echo_json({"file": str(file), **_summary(made)})
    else:
        typer.echo(catalogue.text("backup.made", path=file, url=shown_url(opened), **_counts(made)))
        typer.echo(catalogue.text("backup.no-key"))


def restore(
    file: BackupFile,
    database: DatabaseUrl = DEFAULT_DATABASE,
    key: KeyFile = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Put a backup into an empty database, then audit it. Exit code 1 if the audit finds something."""
    from sabot.rounds.audit import audit_house
    from sabot.store.backup import check_backup, restore_backup
    from sabot.store.backup import BackupError

    catalogue = catalogue_of(lang)
    vault = open_vault(key, catalogue)
    try:
        with file_access(catalogue, "cli.file", file):
            check_backup(file)
        with open_database(database, catalogue, must_exist=False) as opened:
            with file_access(catalogue, "cli.file", file):
                restored = restore_backup(opened, file)
            report = audit_house(opened, vault=vault)
    except BackupError as error:
        refuse(_sentence(catalogue, error, file))
    if as_json:
        echo_json({"file": str(file), **_summary(restored), "escaped": restored.escaped, "audit": report})
    else:
        typer.echo(catalogue.text("backup.restored", path=file, url=shown_url(opened), **_counts(restored)))
        if restored.escaped:
            typer.echo(catalogue.text("backup.escaped", count=restored.escaped))
        _echo_report(catalogue, report, shown_url(opened))
    if report.findings:
        raise typer.Exit(1)


def _echo_report(catalogue: Catalogue, report: Report, url: str) -> None:
    """Print an audit in sentences."""
    counts = {"rows": report.rows, "transfers": report.transfers, "rounds": report.rounds}
    lines = [catalogue.text("audit.counts", url=url, streams=len(report.anchors), **counts)]
    if report.sealed:
        lines.append(catalogue.text("audit.sealed", count=report.sealed))
    if report.findings:
        lines.append(catalogue.text("audit.findings", count=len(report.findings)))
        lines += [f"  {finding.place}: {finding.message}" for finding in report.findings[:_SHOWN]]
        if len(report.findings) > _SHOWN:
            lines.append(catalogue.text("audit.more", count=len(report.findings) - _SHOWN))
    else:
        lines.append(catalogue.text("audit.clean"))
    typer.echo("\n".join(lines))


def _read_anchors(path: Path | None, catalogue: Catalogue) -> dict[str, Anchor]:
    from sabot.store.audit import Anchor

    if path is None:
        return {}
    try:
        with file_access(catalogue, "cli.file", path):
            return msgspec.json.decode(path.read_bytes(), type=dict[str, Anchor])
    except msgspec.DecodeError as error:
        refuse(catalogue.text("audit.no-anchors", path=path, reason=error))


def _sentence(catalogue: Catalogue, error: BackupError, file: Path) -> str:
    return catalogue.text(f"backup.{error.code}", **{"path": file, **error.params})


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
