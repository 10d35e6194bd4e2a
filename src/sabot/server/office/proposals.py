"""Proposals: one person proposes a change, another approves it, and from then on it is in force (OFF-10).

To close something for new bets needs no second person; to open it again does (OFF-16).

The row that approves holds the change itself: after a crash between the two the log decides. A change has a number
among those of its subject, and the database takes each number once: of two that were proposed for the same value only
one can be approved, and the other has to be proposed again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy
from msgspec import Meta, Raw, Struct
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.protocol.fields import Form, PageSize, whole
from sabot.reports.changes import Difference, differences
from sabot.server.accounts import own
from sabot.server.accounts.logins import Login
from sabot.server.accounts.players import Players
from sabot.server.office.changes import (
    Adjustment,
    AnyChange,
    Gift,
    GoldenGift,
    RoleChange,
    VipGift,
    Wanted,
    carry_out,
    check_usable,
    gift_of,
    is_stop,
    is_within,
    role_of,
    value_now,
    wanted,
    wanted_gift,
)
from sabot.server.office.in_force import SettingsInForce
from sabot.server.office.settings import CAPS
from sabot.server.tables.player_changes import PlayerChanges
from sabot.store import schema
from sabot.store.facts import AnyFact, ChangeDecided, ChangeProposed, RoleGiven, SettingChanged
from sabot.store.kinds import GIVEN, ChangeKind, ProposalState, Role
from sabot.store.register import Register

#: How often a stop is tried when other changes of the same switch come first: it waits for nobody.
_STOP_TRIES = 5
#: Kinds of changes about one player, and subjects, that only administrators propose and decide.
_ABOUT_PLAYERS = ("role", *GIVEN)
_CAPS = tuple(f"office/{name}" for name in CAPS)
_DAY_MS = 86_400_000
#: So many proposals that wait are counted.
_MOST_WAITING = 99

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
    #: `office/large_win`, `role/7`, `adjust/7/EUR/ID`, `golden/7/EUR/ID`, `vip/7`.
    subject: Subject
    #: The name of the player whom it is about.
    player: str | None
    before: Any
    after: Any
    differences: tuple[Difference, ...]
    #: The lowest role that may decide about it.
    decider: Literal["supervisor", "administrator"]
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

    def __init__(self, players: Players, settings: SettingsInForce, changes: PlayerChanges) -> None:
        self._house = settings.house
        self._players = players
        self._settings = settings
        self._changes = changes

    async def propose(self, login: Login, change: AnyChange, reason: str) -> Proposal:
        """Propose a change; a stop, and any change in a house of one, is approved at once (OFF-10, OFF-16)."""
        player = await self._players.named(change.player) if isinstance(change, RoleChange) else None
        want = wanted(change, player)
        _check_role(login, want.kind, want.subject)
        await own.check_change(self._house, login.player, want.subject, want.value)
        alone = is_stop(change) or not self._house.config.office.two_people
        tries = _STOP_TRIES if is_stop(change) else 1
        while True:
            try:
                return await self._propose(login, want, reason, alone)
            except Refusal as error:
                tries -= 1
                if error.code != "proposal/outdated" or not tries:
                    raise

    async def _propose(self, login: Login, want: Wanted, reason: str, alone: bool) -> Proposal:
        await self._settings.refresh()
        before = await value_now(self._settings, want)
        same = msgspec.json.decode(before) == msgspec.json.decode(want.value)
        if same and not self._settings.is_unusable(
            want.subject
        ):  # else what is stored is replaced by what is in force
            raise Refusal("change/none")
        await check_usable(self._settings, want)
        version = self._settings.version(want.subject) + 1

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
            async with self._deciding(login, want, now=alone):
                id = await self._house.register(write)
        except Refusal as error:
            if error.code == "unit/conflict":
                raise Refusal("proposal/outdated") from None
            raise
        if alone:
            await self._put_in_force(id, want)
        return await self.find(id)

    async def give(self, login: Login, gift: Gift, reason: str) -> Proposal | None:
        """Give a player something; above what one person may give alone, propose it (OFF-17).

        Return the proposal, or None if it is done. The same id is done once, and proposed once.
        """
        house, office, by, want = self._house, self._house.config.office, login.player, wanted_gift(gift)

        def act(register: Register, at: int) -> tuple[int | None, bool]:
            if isinstance(gift, Adjustment | GoldenGift):
                register.check_account(gift.player, gift.currency)
                known = register.was_given(by, GIVEN[want.kind], gift.id)
            else:
                known = False
            given = register.given_alone(by, at - at % _DAY_MS)
            if known or not office.two_people or is_within(gift, office, given):
                return None, carry_out(register, by, gift, reason, at)
            id = house.store.ids.take("proposal")
            what = (want.kind, want.subject, 1, Raw(b"null"), Raw(want.value), reason)
            register.propose(ChangeProposed(id, by, *what), at)
            return id, False

        async with self._turns(by, gift.player):
            if isinstance(gift, VipGift):
                await house.read(lambda connection: role_of(connection, gift.player))
            asked = await house.read(lambda connection: _asked_before(connection, by, want))
            id, done = (asked, False) if asked is not None else await house.register(act)
        if done:
            await self._tell_given(by, gift)
        return None if id is None else await self.find(id)

    async def _approve_gift(self, row: Any, decided: ChangeDecided) -> None:
        """Give what was proposed, in the row that approves it."""
        gift = gift_of(Wanted(row.kind, row.subject, bytes(row.value_after)))

        def act(register: Register, at: int) -> bool:
            return carry_out(register, row.proposer, gift, row.reason, at, decided)

        async with self._turns(gift.player):
            try:
                if not await self._house.register(act):  # it was done under the same id before
                    raise Refusal("proposal/outdated")
            except Refusal:
                if (await self.find(row.id)).state != "open":  # another has approved this very one meanwhile
                    raise Refusal("proposal/decided", id=row.id) from None
                raise
        await self._tell_given(row.proposer, gift, proposal=row.id)

    async def _tell_given(self, by: int, gift: Gift, **about: int) -> None:
        """Let the house and the player's tables know what a player was given."""
        match gift:
            case VipGift(player=player):
                self._players.changed(player)
            case GoldenGift(player=player, currency=currency):
                await self._changes.bring_granted(player, currency)
            case Adjustment(player=player, currency=currency, amount=amount):
                self._house.events.note(
                    "adjustment", "warning", player=player, by=by, currency=currency, amount=amount, **about
                )

    @asynccontextmanager
    async def _turns(self, *players: int) -> AsyncIterator[None]:
        """Hold the locks of players in the whole house, always in the same order."""
        async with AsyncExitStack() as stack:
            for player in sorted({*players}):
                turn = await stack.enter_async_context(self._house.player_locks.turn(player))
                await turn.widen()
            yield

    async def approve(self, login: Login, id: int, reason: str) -> Proposal:
        """Approve another person's proposal: it is in force from the next round on."""
        row = await self._undecided(login, id)
        if row.proposer == login.player and self._house.config.office.two_people:
            raise Refusal("proposal/own")
        want = Wanted(row.kind, row.subject, bytes(row.value_after))
        await own.check_change(self._house, login.player, want.subject, want.value)
        if row.kind in GIVEN:
            await self._approve_gift(row, ChangeDecided(id, "approved", login.player, reason))
            return await self.find(id)
        await self._settings.refresh()
        now = await value_now(self._settings, want)
        if self._settings.version(want.subject) + 1 != row.version or now != bytes(row.value_before):
            await self._undecided(login, id)  # another may have approved this very one meanwhile
            raise Refusal("proposal/outdated")
        await check_usable(self._settings, want)
        async with self._deciding(login, want):
            await self._decide(
                ChangeDecided(id, "approved", login.player, reason), *_effects(id, want, row.version)
            )
        await self._put_in_force(id, want)
        return await self.find(id)

    async def reject(self, login: Login, id: int, reason: str) -> Proposal:
        """Reject a proposal, or withdraw one's own."""
        row = await self._undecided(login, id)
        if row.proposer != login.player:
            await own.check_change(self._house, login.player, row.subject, bytes(row.value_after))
        await self._decide(ChangeDecided(id, "rejected", login.player, reason))
        return await self.find(id)

    def _deciding(self, login: Login, want: Wanted, *, now: bool = True) -> AbstractAsyncContextManager[None]:
        """Roles are given one after the other in the whole house, so that two do not take each other's at once."""
        if want.kind != "role" or not now:
            return nullcontext()
        return own.deciding_over(self._house, login.player, int(want.subject.partition("/")[2]))

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

    async def waiting_for(self, login: Login) -> tuple[ProposalId, ...]:
        """Return the first proposals that wait for a decision and that this operator may approve (OFF-07)."""
        if login.role == "auditor":
            return ()
        proposals = schema.proposals.c
        query = sqlalchemy.select(proposals.id).order_by(proposals.id).limit(_MOST_WAITING)
        query = query.where(proposals.state == "open", proposals.proposer != login.player)
        if login.role != "administrator":
            query = query.where(proposals.kind.not_in(_ABOUT_PLAYERS), proposals.subject.not_in(_CAPS))
        return await self._house.read(lambda connection: tuple(connection.execute(query).scalars()))

    async def _undecided(self, login: Login, id: int) -> Any:
        proposals = schema.proposals
        query = sqlalchemy.select(proposals).where(proposals.c.id == id)
        row = await self._house.read(lambda connection: connection.execute(query).first())
        if row is None:
            raise Refusal("proposal/unknown", id=id)
        _check_role(login, row.kind, row.subject)
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


def _check_role(login: Login, kind: str, subject: str) -> None:
    """Refuse a supervisor where an administrator is needed."""
    if _decider_of(kind, subject) == "administrator" and login.role != "administrator":
        raise Refusal("login/role", role="administrator")


def _decider_of(kind: str, subject: str) -> Literal["supervisor", "administrator"]:
    """Return the lowest role that may propose and decide about a subject."""
    return "administrator" if kind in _ABOUT_PLAYERS or subject in _CAPS else "supervisor"


def _effects(proposal: int, want: Wanted, version: int) -> list[AnyFact]:
    """What an approval changes."""
    effects: list[AnyFact] = [SettingChanged(want.subject, version, Raw(want.value), proposal)]
    if want.kind == "role":
        player, role = int(want.subject.partition("/")[2]), msgspec.json.decode(want.value, type=Role)
        effects.append(RoleGiven(player, role))
    return effects


# Reading


def _asked_before(connection: Connection, by: int, want: Wanted) -> int | None:
    """Return the proposal of the same gift by the same person that waits; one that was rejected is refused.

    One that was approved is found by its row in the log.
    """
    proposals = schema.proposals.c
    query = sqlalchemy.select(proposals.id, proposals.value_after, proposals.state).where(
        proposals.subject == want.subject, proposals.proposer == by, proposals.state != "approved"
    )
    if want.kind == "vip":
        query = query.where(proposals.state == "open", proposals.value_after == want.value)
    found = connection.execute(query.order_by(proposals.id)).first()
    if found is None:
        return None
    if bytes(found.value_after) != want.value:
        raise Refusal("command/reused", id=want.subject.rpartition("/")[2])
    if found.state == "rejected":
        raise Refusal("proposal/decided", id=found.id)
    return int(found.id)


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
    about = {row.id: int(row.subject.split("/")[1]) for row in rows if row.kind in _ABOUT_PLAYERS}
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
                decider=_decider_of(row.kind, row.subject),
                reason=row.reason,
                by=names.get(row.proposer, ""),
                state=row.state,
                decided_at=row.decided_at,
                decided_by=names.get(row.decider),
                decision=row.decision,
            )
        )
    return tuple(told)
