"""`sabot audit`: checks every chain, balance and round of the house."""

from __future__ import annotations

from pathlib import Path
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
from sabot.cli.shared import AsJson, Language, catalogue_of, echo_json, refuse
from sabot.texts import Catalogue

if TYPE_CHECKING:
    from sabot.store.audit import Anchor, Report

#: Most findings shown.
_SHOWN = 50


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
    earlier = _read(against, catalogue)
    opened = open_database(database, catalogue)
    report = audit_house(opened, vault=open_vault(key, catalogue), anchors=earlier, replay=not quick)
    if anchors is not None:
        try:
            anchors.write_bytes(msgspec.json.format(msgspec.json.encode(report.anchors), indent=2))
        except OSError as error:
            refuse(catalogue.text("cli.write", path=anchors, reason=error.strerror))
    if as_json:
        echo_json(report)
    else:
        for line in report_lines(catalogue, report, shown_url(opened)):
            typer.echo(line)
    opened.close()
    if report.findings:
        raise typer.Exit(1)


def report_lines(catalogue: Catalogue, report: Report, url: str) -> list[str]:
    """The report in sentences."""
    say = catalogue.text
    lines = [
        say(
            "audit.counts",
            url=url,
            streams=len(report.anchors),
            rows=report.rows,
            transfers=report.transfers,
            rounds=report.rounds,
        )
    ]
    if report.sealed:
        lines.append(say("audit.sealed", count=report.sealed))
    if not report.findings:
        return [*lines, say("audit.clean")]
    lines.append(say("audit.findings", count=len(report.findings)))
    lines += [f"  {finding.place}: {finding.message}" for finding in report.findings[:_SHOWN]]
    if len(report.findings) > _SHOWN:
        lines.append(say("audit.more", count=len(report.findings) - _SHOWN))
    return lines


def _read(path: Path | None, catalogue: Catalogue) -> dict[str, Anchor]:
    from sabot.store.audit import Anchor

    if path is None:
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Anchor])
    except OSError as error:
        refuse(catalogue.text("cli.file", path=path, reason=error.strerror))
    except msgspec.DecodeError as error:
        refuse(catalogue.text("audit.no-anchors", path=path, reason=error))
