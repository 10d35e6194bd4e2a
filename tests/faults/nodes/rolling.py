"""A rolling restart under play: `python -m tests.faults.nodes.rolling --solo 300 --live 500` (CLU-21).

Every node of three is told to stop and started again, one after the other, while people play at tables of their own and
at live tables. No round is voided, and every bet that was acknowledged is settled. With `--next` they are started again as
another release (CLU-22): another engine, another schema, messages that the others do not know.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import psycopg

import sabot
from sabot.store.database import REVISION
from tests.faults.nodes.campaign import Campaign, check_books, three_nodes
from tests.faults.nodes.crowd import Crowd, check_acknowledged, settings
from tools.cluster.processes import LocalCluster

#: Players at one live table.
_EACH = 50
#: Seconds that solo players think, and that betting at live tables is open.
_PACE, _BETTING = 3.0, 6.0


def next_release(folder: Path) -> Path:
    """A folder with the modules of a release that comes after this one."""
    shutil.copytree(
        Path(sabot.__file__).parent, folder / "sabot", ignore=shutil.ignore_patterns("__pycache__")
    )
    _change(folder, "__init__.py", r'__version__ = "1.0', '__version__ = "1.1')
    _change(folder, "engine/inputs.py", r"\nENGINE = \d+", "\nENGINE = 99")
    _change(folder, "server/cluster/links.py", r"\nFORMAT = \d+", "\nFORMAT = 99")
    _change(folder, "store/database.py", r'\nREVISION = "\d+"', '\nREVISION = "9999"')
    (folder / "sabot/store/migrations/versions/r9999_next.py").write_text(
        f'''revision, down_revision, branch_labels, depends_on = "9999", "{REVISION}", None, None\n\n
def upgrade() -> None:
    import sqlalchemy
    from alembic import op

    for table in ("log", "streams", "rounds", "accounts"):
        op.add_column(table, sqlalchemy.Column("of_the_next_release", sqlalchemy.Text(), nullable=True))
'''
    )
    return folder


def _change(folder: Path, file: str, before: str, after: str) -> None:
    path = folder / "sabot" / file
    text, times = re.subn(before, after, path.read_text())
    assert times == 1, f"{file} has no {before}"
    path.write_text(text)


async def roll(campaign: Campaign, solo: int, live: int, source: Path | None = None) -> list[float]:
    """Let everyone come, restart each node, and send everyone home; gives the seconds that each restart took."""
    crowd = campaign.crowd
    await campaign.wait_for_owners()
    await crowd.come(solo, campaign.tables, live // len(campaign.tables))
    await crowd.see_bets()
    seconds = []
    for name in campaign.cluster.nodes:
        began = time.monotonic()
        await campaign.restart(name, source)
        await campaign.wait_for_owners()
        seconds.append(time.monotonic() - began)
        await crowd.see_bets()
    await crowd.go_home()
    return seconds


def check_rounds(cluster: LocalCluster, crowd: Crowd) -> Counter[str]:
    """No round with a bet was voided, and none that was acknowledged is lost; one without is closed when all have left."""
    with psycopg.connect(cluster.database) as connection:
        voided = connection.execute(
            "SELECT code, name, kind, body FROM rounds JOIN log ON log.round = code JOIN streams ON streams.id = log.stream"
            " WHERE state = 'voided' AND EXISTS (SELECT FROM log b WHERE b.round = code AND b.kind = 'place-bets')"
            " ORDER BY log.stream, log.n"
        ).fetchall()
    assert not voided, f"voided: {voided}"
    return check_acknowledged(cluster.database, crowd)


def audit(cluster: LocalCluster, source: Path | None) -> None:
    """The books are in order, as the release says that is there now."""
    if source is None:
        check_books(cluster)
        return
    program = f"import sys; sys.path.insert(0, {str(source)!r}); from sabot.cli import main; main()"
    where = ("--database", cluster.database, "--key", str(cluster.folder / "house.key"))
    subprocess.run([sys.executable, "-c", program, "audit", *where], check=True)


def main() -> None:
    """Roll once, and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solo", type=int, default=300)
    parser.add_argument("--live", type=int, default=500)
    parser.add_argument("--next", action="store_true", help="start them again as the next release")
    asked = parser.parse_args()
    tables = {f"table-{number}": "majority-eu" for number in range(max(asked.live // _EACH, 1))}
    timers = settings(tables, betting=_BETTING)
    with TemporaryDirectory() as folder, three_nodes(Path(folder), timers) as (cluster, network):
        campaign = Campaign(cluster, network, Random(0), tables, pace=_PACE)
        source = next_release(Path(folder) / "next") if asked.next else None
        seconds = asyncio.run(roll(campaign, asked.solo, asked.live, source))
        ends = check_rounds(cluster, campaign.crowd)
        audit(cluster, source)
    took = ", ".join(f"{one:.0f}" for one in seconds)
    print(
        f"{asked.solo} solo and {asked.live} live players, each of 3 nodes restarted{' as the next release' if asked.next else ''} in {took} s:"
        f" no round voided, acknowledged rounds {dict(ends)}"
    )


if __name__ == "__main__":
    main()
