"""The audit of a house: the store, and every round replayed from the log (ASR-14, PLT-22)."""

from contextlib import nullcontext
from hashlib import sha256

import sqlalchemy
from sqlalchemy import Connection

from sabot.fairness.vault import Vault, VaultError
from sabot.games import find
from sabot.rounds.by_hand import hand_chance
from sabot.rounds.face_down import CardSeal
from sabot.rounds.queries import RoundRow, opening_of_rows, round_rows, shoe_by_id
from sabot.rounds.recovery import ReplayError, escrow_net, rebuild
from sabot.rounds.releases_audit import check_releases
from sabot.rounds.shoes import KeptShoe, seeded_chance
from sabot.rounds.stored import OtherEngineError, StoredRound
from sabot.rounds.studio_queries import face_down, sealed_cards
from sabot.rounds.studio_records import commitment_of
from sabot.rounds.sums_audit import check_sums
from sabot.store import schema
from sabot.store.audit import Anchor, AuditReport, audit_store, check_anchors
from sabot.store.database import Database
from sabot.store.facts import RoundClosed


def audit_house(
    source: Database | Connection,
    *,
    vault: Vault | None = None,
    anchors: dict[str, Anchor] | None = None,
    replay: bool = True,
) -> AuditReport:
    """Audit everything at one moment, or as a connection sees it; with the vault, open shoes and rounds too."""
    with source.reading() if isinstance(source, Database) else nullcontext(source) as connection:
        report = audit_store(connection)
        if anchors:
            check_anchors(connection, anchors, report)
        check_sums(connection, report)
        check_releases(connection, report)
        audit = _RoundAudit(connection, vault, report)
        audit.check_shoes()
        if replay:
            audit.replay_rounds()
    return report


class _RoundAudit:
    def __init__(self, connection: Connection, vault: Vault | None, report: AuditReport) -> None:
        self._connection = connection
        self._vault = vault
        self._report = report
        self._find = report.find

    def check_shoes(self) -> None:
        """Check every seed against its commitment."""
        for row in self._connection.execute(sqlalchemy.select(schema.shoes)):
            place = f"shoes, {row.id}"
            if row.seed is not None and sha256(row.seed).hexdigest() != row.commitment:
                self._find(place, "the seed revealed is not the one committed to")
            if self._vault is None:
                self._report.sealed += row.seed is None
                continue
            try:
                seed = self._vault.open(row.sealed, row.commitment)
            except VaultError as error:
                self._find(place, str(error))
                continue
            if sha256(seed).hexdigest() != row.commitment:
                self._find(place, "the sealed seed is not the one committed to")

    def replay_rounds(self) -> None:
        """Replay every round from its rows."""
        codes = sqlalchemy.select(schema.rounds.c.code).order_by(schema.rounds.c.opened_at)
        for code in self._connection.execute(codes).scalars().all():
            try:
                self._replay(code, round_rows(self._connection, code))
            except (ReplayError, OtherEngineError, ValueError, LookupError) as error:
                self._find(f"round {code}", str(error))

    def _replay(self, code: str, rows: list[RoundRow]) -> None:
        if not rows:
            raise ReplayError("the log has no row of it")
        place, opening = f"round {code}", opening_of_rows(rows)
        closed = any(isinstance(fact, RoundClosed) for row in rows for fact in row.body.facts)
        left = escrow_net(rows, opening.accounts.escrow).get(opening.accounts.escrow, 0)
        if closed and left:
            self._find(place, f"it is over, but {left} of it stand in the escrow")
        stored = self._by_hand(code, rows) if opening.studio is not None else self._by_house(code, rows)
        if stored is None:
            return
        round = stored.round
        if rows[-1].kind != "refund" and round.over != closed:
            self._find(place, "played again it does not end where the log ends it")
        if not round.over and round.book.escrow != left and not closed:
            self._find(place, f"{left} stand in the escrow, {round.book.escrow} on the table")
        self._report.rounds += 1

    def _by_house(self, code: str, rows: list[RoundRow]) -> StoredRound | None:
        """A round from a shoe of the house; None for an open shoe without the vault's key."""
        opening = opening_of_rows(rows)
        shoe = shoe_by_id(self._connection, opening.shoe)
        seed = self._seed(shoe)
        if seed is None:
            return None
        chance = seeded_chance(find(opening.game).rules, seed, shoe, opening.start)
        return rebuild(code, rows, chance, None)

    def _by_hand(self, code: str, rows: list[RoundRow]) -> StoredRound | None:
        """A round that a person dealt; None if a card lies face down that only the vault's key opens."""
        seal = None if self._vault is None else CardSeal(self._vault)
        try:
            down = face_down(self._connection, code, rows, seal)
            opened = {} if seal is None else sealed_cards(self._connection, code, rows, seal)
        except VaultError as error:
            if seal is not None:
                self._find(f"round {code}", str(error))
            self._report.sealed += seal is None
            return None
        for row in rows:
            told = commitment_of(row)
            if told and row.n in down and down[row.n].commitment != told:
                self._find(f"round {code}", f"row {row.n}: the card is not the one committed to")
            if row.n in opened and opened[row.n] != down[row.n]:
                self._find(f"round {code}", f"row {row.n}: the sealed card is not the one that was turned")
        return rebuild(code, rows, hand_chance(opening_of_rows(rows)), None, down)

    def _seed(self, shoe: KeptShoe) -> bytes | None:
        """The seed of a shoe; None for an open shoe without the vault's key."""
        if shoe.seed is not None or self._vault is None:
            return shoe.seed
        try:
            return self._vault.open(shoe.sealed, shoe.commitment)
        except VaultError:
            return None  # a finding of its own, among the shoes
