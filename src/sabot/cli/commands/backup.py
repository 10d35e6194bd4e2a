"""`sabot backup` and `sabot restore`: the house in one file, and back into an empty database."""

from __future__ import annotations

from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated

import typer

from sabot.cli.commands.house import (
    DEFAULT_DATABASE,
    DatabaseUrl,
    KeyFile,
    open_database,
    open_vault,
    shown_url,
)
from sabot.cli.shared import AsJson, Language, catalogue_of, echo_json, refuse
from sabot.cli.terminal import utc_time
from sabot.texts import Catalogue

if TYPE_CHECKING:
    from sabot.store.backup import Backup, BackupError

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the backup.")]


def backup(
    file: BackupFile,
    database: DatabaseUrl = DEFAULT_DATABASE,
    force: Annotated[bool, typer.Option("--force", help="Replace a file of that name.")] = False,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Write the whole house to one file, while it plays. The file is the same for SQLite and PostgreSQL."""
    from sabot.store.backup import BackupError, make_backup

    catalogue = catalogue_of(lang)
    opened = open_database(database, catalogue)
    try:
        made = make_backup(opened, file, int(time() * 1000), overwrite=force)
    except BackupError as error:
        refuse(_sentence(catalogue, error, file))
    except OSError as error:
        refuse(catalogue.text("cli.write", path=file, reason=error.strerror))
    finally:
        opened.close()
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
    from sabot.cli.commands.audit import report_lines
    from sabot.rounds.audit import audit_house
    from sabot.store.backup import BackupError, check_backup, restore_backup

    catalogue = catalogue_of(lang)
    vault = open_vault(key, catalogue)
    try:
        check_backup(file)
        opened = open_database(database, catalogue, must_exist=False)
        restored = restore_backup(opened, file)
    except BackupError as error:
        refuse(_sentence(catalogue, error, file))
    except OSError as error:
        refuse(catalogue.text("cli.file", path=file, reason=error.strerror))
    report = audit_house(opened, vault=vault)
    if as_json:
        echo_json({"file": str(file), **_summary(restored), "escaped": restored.escaped, "audit": report})
    else:
        typer.echo(catalogue.text("backup.restored", path=file, url=shown_url(opened), **_counts(restored)))
        if restored.escaped:
            typer.echo(catalogue.text("backup.escaped", count=restored.escaped))
        for line in report_lines(catalogue, report, shown_url(opened)):
            typer.echo(line)
    opened.close()
    if report.findings:
        raise typer.Exit(1)


def _sentence(catalogue: Catalogue, error: BackupError, file: Path) -> str:
    return catalogue.text(f"backup.{error.code}", **{"path": file, **error.params})


def _counts(found: Backup) -> dict[str, object]:
    header = found.header
    return {
        "created": utc_time(header.created),
        "rows": header.tables["log"],
        "rounds": header.tables["rounds"],
        "players": header.tables["players"],
        "sha256": found.sha256,
    }


def _summary(found: Backup) -> dict[str, object]:
    header = found.header
    return {
        "revision": header.revision,
        "created": utc_time(header.created),
        "tables": header.tables,
        "sha256": found.sha256,
    }
