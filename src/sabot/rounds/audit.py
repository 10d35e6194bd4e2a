"""The audit of a house: the store, and every round replayed from the log (ASR-14, PLT-22)."""

from __future__ import annotations

from hashlib import sha256

import sqlalchemy
from sqlalchemy import Connection

from sabot.fairness.vault import Vault, VaultError
from sabot.games import find
from sabot.rounds.queries import RoundRow, opening_of_rows, round_rows, shoe_by_id
from sabot.rounds.recovery import ReplayError, rebuild
from sabot.rounds.shoes import KeptShoe, seeded_chance
from sabot.rounds.stored import Opening, OtherEngineError
from sabot.store import schema
from sabot.store.audit import Anchor, Report, audit_store, check_anchors
from sabot.store.database import Database
from sabot.store.facts import RoundClosed


def audit_house(
    database: Database,
    *,
    vault: Vault | None = None,
    anchors: dict[str, Anchor] | None = None,
    replay: bool = True,
) -> Report:
    """Audit everything at one moment; with the vault, open shoes and rounds too."""
    with database.reading() as connection:
        return audit_connection(connection, vault=vault, anchors=anchors, replay=replay)


def audit_connection(
    connection: Connection,
    *,
    vault: Vault | None = None,
    anchors: dict[str, Anchor] | None = None,
    replay: bool = True,
) -> Report:
    """The same, as a connection sees it."""
    report = audit_store(connection)
    if anchors:
        check_anchors(connection, anchors, report)
    _ShoeCheck(connection, vault, report).run()
    if replay:
        _Rounds(connection, vault, report).run()
    return report


class _ShoeCheck:
    """Checks every seed against its commitment."""

    def __init__(self, connection: Connection, vault: Vault | None, report: Report) -> None:
        self._connection = connection
        self._vault = vault
        self._report = report

    def run(self) -> None:
        for row in self._connection.execute(sqlalchemy.select(schema.shoes)):
            place = f"shoes, {row.id}"
            if row.seed is not None and sha256(row.seed).hexdigest() != row.commitment:
                self._report.find(place, "the seed revealed is not the one committed to")
            if self._vault is None:
                self._report.sealed += row.seed is None
                continue
            try:
                seed = self._vault.open(row.sealed, row.commitment)
            except VaultError as error:
                self._report.find(place, str(error))
                continue
            if sha256(seed).hexdigest() != row.commitment:
                self._report.find(place, "the sealed seed is not the one committed to")


class _Rounds:
    """Replays every round from its rows."""

    def __init__(self, connection: Connection, vault: Vault | None, report: Report) -> None:
        self._connection = connection
        self._vault = vault
        self._report = report

    def run(self) -> None:
        rounds = sqlalchemy.select(schema.rounds).order_by(schema.rounds.c.opened_at)
        for round in self._connection.execute(rounds).all():
            place = f"round {round.code}"
            try:
                rows = round_rows(self._connection, round.code)
                if not rows:
                    self._report.find(place, "the log has no row of it")
                    continue
                self._replay(round.code, rows)
            except (ReplayError, OtherEngineError, ValueError, LookupError) as error:
                self._report.find(place, str(error))

    def _replay(self, code: str, rows: list[RoundRow]) -> None:
        opening = opening_of_rows(rows)
        closed = any(isinstance(fact, RoundClosed) for row in rows for fact in row.body.facts)
        left = _left_in(opening.accounts.escrow, rows)
        if closed and left:
            self._report.find(f"round {code}", f"it is over, but {left} of it stand in the escrow")
        seed = self._seed(opening)
        if seed is None:
            return
        kept, server_seed = seed
        chance = seeded_chance(find(opening.game).rules, server_seed, kept, opening.start)
        stored = rebuild(code, rows, chance, None)
        if rows[-1].kind != "refund" and stored.round.over != closed:
            self._report.find(f"round {code}", "played again it does not end where the log ends it")
        if not stored.round.over and stored.round.book.escrow != left and not closed:
            self._report.find(
                f"round {code}", f"{left} stand in the escrow, {stored.round.book.escrow} on the table"
            )
        self._report.rounds += 1

    def _seed(self, opening: Opening) -> tuple[KeptShoe, bytes] | None:
        """The shoe of a round with its seed; without the vault that of an open shoe is not to be had."""
        kept = shoe_by_id(self._connection, opening.shoe)
        revealed = self._connection.execute(
            sqlalchemy.select(schema.shoes.c.seed).where(schema.shoes.c.id == opening.shoe)
        ).scalar_one()
        if revealed is not None:
            return kept, revealed
        if self._vault is None:
            return None
        try:
            return kept, self._vault.open(kept.sealed, kept.commitment)
        except VaultError:
            return None  # a finding of its own, among the shoes


def _left_in(escrow: int, rows: list[RoundRow]) -> int:
    """The balance of the escrow after the movements of a round."""
    moved = [movement for row in rows for movement in row.body.movements]
    return sum(m.amount for m in moved if m.credit == escrow) - sum(
        m.amount for m in moved if m.debit == escrow
    )
