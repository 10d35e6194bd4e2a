"""Proposals: one person proposes a change, another approves it, and from then on it is in force (OFF-10).

The row that approves holds the change itself: after a crash between the two the log decides. A change has a number
among those of its subject, and the database takes each number once: of two that were proposed for the same value only
one can be approved, and the other has to be proposed again.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import sqlalchemy
from msgspec import Meta, Raw, Struct
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.protocol.fields import Form, PageSize, whole
from sabot.reports.changes import Difference, differences
from sabot.server.accounts.logins import Login
from sabot.server.accounts.players import Players
from sabot.server.office.changes import AnyChange, RoleChange, Wanted, check_usable, value_now, wanted
from sabot.server.office.in_force import SettingsInForce
from sabot.store import schema
from sabot.store.facts import AnyFact, ChangeDecided, ChangeProposed, RoleGiven, SettingChanged
from sabot.store.kinds import ChangeKind, ProposalState, Role
from sabot.store.register import Register

ProposalId = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Subject = Annotated[
    str, Meta(pattern=whole("[a-zA-Z0-9_+/-]{1,100}", "1 to 100 letters, digits, _, +, / and -"))
]


class Proposal(Struct, frozen=True, kw_only=True):
    """A proposal, and what became of it."""

    id: ProposalId
    at: int
    kind: ChangeKind
    #: `switch/all`, `switch/game/link`, `switch/table/one`, `switch/bet/link/buster`, `table/one`, `limits/link/EUR`,
    #: `office/large_win`, `role/7`.
    subject: Subject
    #: The name of the player whose role it is.
    player: str | None
    before: Any
    after: Any
    differences: tuple[Difference, ...]
    reason: str
    by: str
    state: ProposalState
    decided_at: int | None
    decided_by: str | None
    decision: str | None


class ProposalsQuery(Form, frozen=True, kw_only=True):
    """A page of proposals, the newest first: those before one of them, of a state, of a subject."""

    state: ProposalState | None = None
    subject: Subject | None = None
    before: ProposalId | None = None
    limit: PageSize = 20


class ProposalsPage(Struct, frozen=True):
    """Proposals, the newest first; `next` is the `before` of the next page."""

    proposals: tuple[Proposal, ...]
    next: ProposalId | None


class Proposals:
    """Takes proposals and decisions."""

    def __init__(self, players: Players, settings: SettingsInForce) -> None:
        self._house = settings.house
        self._players = players
        self._settings = settings

    async def propose(self, login: Login, change: AnyChange, reason: str) -> Proposal:
        """Propose a change; in a house of one it is approved at once (OFF-10)."""
        player = await self._players.named(change.player) if isinstance(change, RoleChange) else None
        want = wanted(change, player)
        _check_role(login, want.kind)
        await self._settings.refresh()
        before = await value_now(self._settings, want)
        if msgspec.json.decode(before) == msgspec.json.decode(want.value):
            raise Refusal("change/none")
        await check_usable(self._settings, want)
        version = self._settings.version(want.subject) + 1
        alone = not self._house.config.office.two_people

        def write(register: Register, at: int) -> int:
            id = self._house.store.ids.take("proposal")
            what = (*want[:2], version, Raw(before), Raw(want.value), reason)
            proposed = ChangeProposed(id, login.player, *what)
            if alone:
                decided = ChangeDecided(id, "approved", login.player, reason)
                register.propose(proposed, at, decided, *_effects(id, want, version))
            else:
                register.propose(proposed, at)
            return id

        try:
            id = await self._house.register(write)
        except Refusal as error:
            if error.code == "unit/conflict":
                raise Refusal("proposal/outdated") from None
            raise
        if alone:
            await self._put_in_force(id, want)
        return await self.find(id)

    async def approve(self, login: Login, id: int, reason: str) -> Proposal:
        """Approve another person's proposal: it is in force from the next round on."""
        row = await self._undecided(login, id)
        if row.proposer == login.player and self._house.config.office.two_people:
            raise Refusal("proposal/own")
        want = Wanted(row.kind, row.subject, bytes(row.value_after))
        await self._settings.refresh()
        now = await value_now(self._settings, want)
        if self._settings.version(want.subject) + 1 != row.version or now != bytes(row.value_before):
            await self._undecided(login, id)  # another may have approved this very one meanwhile
            raise Refusal("proposal/outdated")
        await check_usable(self._settings, want)
        await self._decide(
            ChangeDecided(id, "approved", login.player, reason), *_effects(id, want, row.version)
        )
        await self._put_in_force(id, want)
        return await self.find(id)

    async def reject(self, login: Login, id: int, reason: str) -> Proposal:
        """Reject a proposal, or withdraw one's own."""
        await self._undecided(login, id)
        await self._decide(ChangeDecided(id, "rejected", login.player, reason))
        return await self.find(id)

    async def find(self, id: int) -> Proposal:
        """A proposal by its number."""
        found = await self._house.read(lambda connection: _find(connection, id))
        if found is None:
            raise Refusal("proposal/unknown", id=id)
        return found

    async def search(self, query: ProposalsQuery) -> ProposalsPage:
        """A page of proposals."""
        return await self._house.read(lambda connection: search_proposals(connection, query))

    async def count_waiting(self) -> int:
        """How many proposals wait for a decision."""
        proposals = schema.proposals
        query = sqlalchemy.select(sqlalchemy.func.count()).where(proposals.c.state == "open")
        return await self._house.read(lambda connection: connection.execute(query).scalar_one())

    async def _undecided(self, login: Login, id: int) -> Any:
        proposals = schema.proposals
        query = sqlalchemy.select(proposals).where(proposals.c.id == id)
        row = await self._house.read(lambda connection: connection.execute(query).first())
        if row is None:
            raise Refusal("proposal/unknown", id=id)
        _check_role(login, row.kind)
        if row.state != "open":
            raise Refusal("proposal/decided", id=id)
        return row

    async def _decide(self, decided: ChangeDecided, *effects: AnyFact) -> None:
        try:
            await self._house.register(lambda register, at: register.decide(decided, at, *effects))
        except Refusal as error:
            if error.code != "unit/conflict":
                raise
            found = await self.find(decided.proposal)
            if found.state != "open":
                raise Refusal("proposal/decided", id=found.id) from None
            raise Refusal("proposal/outdated") from None

    async def _put_in_force(self, id: int, want: Wanted) -> None:
        note = self._house.events.note
        if want.kind == "role":
            player = int(want.subject.partition("/")[2])
            note("role", "warning", player=player, proposal=id, role=msgspec.json.decode(want.value))
            self._players.changed(player)
        else:
            note("configuration", "warning", proposal=id, subject=want.subject)
        await self._settings.changed_here()


def _check_role(login: Login, kind: str) -> None:
    """Roles are given by administrators."""
    if kind == "role" and login.role != "administrator":
        raise Refusal("login/role", role="administrator")


def _effects(proposal: int, want: Wanted, version: int) -> list[AnyFact]:
    """What an approval changes."""
    effects: list[AnyFact] = [SettingChanged(want.subject, version, Raw(want.value), proposal)]
    if want.kind == "role":
        player, role = int(want.subject.partition("/")[2]), msgspec.json.decode(want.value, type=Role)
        effects.append(RoleGiven(player, role))
    return effects


# Reading


def search_proposals(connection: Connection, query: ProposalsQuery) -> ProposalsPage:
    """A page of proposals."""
    proposals = schema.proposals.c
    wanted = sqlalchemy.select(schema.proposals).order_by(proposals.id.desc()).limit(query.limit + 1)
    if query.state is not None:
        wanted = wanted.where(proposals.state == query.state)
    if query.subject is not None:
        wanted = wanted.where(proposals.subject == query.subject)
    if query.before is not None:
        wanted = wanted.where(proposals.id < query.before)
    rows = connection.execute(wanted).all()
    found = _told(connection, rows[: query.limit])
    return ProposalsPage(found, found[-1].id if len(rows) > query.limit else None)


def _find(connection: Connection, id: int) -> Proposal | None:
    query = sqlalchemy.select(schema.proposals).where(schema.proposals.c.id == id)
    return next(iter(_told(connection, connection.execute(query).all())), None)


def _told(connection: Connection, rows: Any) -> tuple[Proposal, ...]:
    """Proposals with the names of the people in them."""
    about = {row.id: int(row.subject.partition("/")[2]) for row in rows if row.kind == "role"}
    people = {person for row in rows for person in (row.proposer, row.decider) if person} | {*about.values()}
    players = schema.players.c
    found = connection.execute(sqlalchemy.select(players.id, players.name).where(players.id.in_(people)))
    names: dict[int | None, str] = {row.id: row.name for row in found}
    told = []
    for row in rows:
        before, after = msgspec.json.decode(row.value_before), msgspec.json.decode(row.value_after)
        told.append(
            Proposal(
                id=row.id,
                at=row.at,
                kind=row.kind,
                subject=row.subject,
                player=names.get(about.get(row.id)),
                before=before,
                after=after,
                differences=tuple(differences(before, after)),
                reason=row.reason,
                by=names.get(row.proposer, ""),
                state=row.state,
                decided_at=row.decided_at,
                decided_by=names.get(row.decider),
                decision=row.decision,
            )
        )
    return tuple(told)
