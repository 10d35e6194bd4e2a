"""House: the store, the writer, the cashier and the worker threads of a process."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from socket import gethostname
from typing import TypeVar

import msgspec
from sqlalchemy import Connection

import sabot
from sabot.engine import Price
from sabot.engine.inputs import ENGINE
from sabot.errors import Refusal
from sabot.fairness.vault import Vault
from sabot.rounds.codes import Codes, SecureCodes
from sabot.rounds.face_down import CardSeal
from sabot.rounds.shoes import ShoeSource
from sabot.server.accounts.loss_limits import LossLimits
from sabot.server.accounts.player_lock import HouseLocks, PlayerLocks
from sabot.server.accounts.reserves import StoredReserves
from sabot.server.cluster.lease import Lease
from sabot.server.config import ALONE, NOTIFY, Config
from sabot.server.metrics import NODE
from sabot.server.office.events import Events
from sabot.server.office.switches import Switches
from sabot.store.cashier import Cashier
from sabot.store.database import Database, migrate
from sabot.store.nodes.joining import JoinRule
from sabot.store.nodes.membership import Membership
from sabot.store.nodes.node import Node, NodeError
from sabot.store.register import Register
from sabot.store.store import Store
from sabot.store.writer import GroupWriter
from sabot.tables.config import Tools
from sabot.tables.live.timers import Clock

T = TypeVar("T")

#: Refusals after which the cashier must read its stream again.
_OUTDATED = ("stream/fenced", "unit/lost", "unit/conflict", "house/down", "house/busy")
#: Milliseconds that the clock of a node may be away from that of the database.
_CLOCKS_APART = 2_000
#: Seconds that a request may wait for the database.
_LONGEST = 4.5
#: Nodes that PostgreSQL NOTIFY serves: each message wakes every one of them (CLU-02).
MOST_ON_NOTIFY = 3

#: Kinds of players' locks in the whole house.
_ACCOUNT, _BETS = 1, 2

#: Kinds of ids that tables take on the event loop; their blocks are fetched ahead.
_TAKEN_ON_THE_LOOP = ("account", "seat", "shoe", "sitting")

#: Threads that read, hash passwords and open tables.
_WORKERS = 8


class House:
    """Shared by tables and routes; opened and closed on the event loop that serves it."""

    def __init__(
        self,
        config: Config,
        database: Database,
        shoes: ShoeSource,
        clock: Clock,
        price: Price | None,
        codes: Codes | None = None,
        membership: Membership | None = None,
        vault: Vault | None = None,
    ) -> None:
        """Make the house; `open` starts it. With a `membership` it is one of several nodes (CLU).

        The `vault` seals second factors of operators (OFF-06).
        """
        self.vault = vault
        #: The settings in force, and what is closed: each is replaced as a whole when something changes (OFF-02).
        self.config = config
        self.switches = Switches()
        self.clock = clock
        self.database = database
        self._workers = ThreadPoolExecutor(_WORKERS, "sabot-worker")
        #: One thread for the cashier and the register, which own their streams of the log.
        self._counter = ThreadPoolExecutor(1, "sabot-cashier")
        #: One lock for each player's account, held from the check of its balance to the commit.
        self.player_locks = PlayerLocks()
        #: Players who have used an id again that a table had forgotten.
        self.distrusted: set[int] = set()
        #: What players' own loss limits leave for their rounds.
        self.losses = LossLimits(self.read, clock)
        #: Whether other nodes serve the same house, on one PostgreSQL; set before it is opened.
        self.shared = config.bus.kind != ALONE and not database.is_sqlite
        self._locks: HouseLocks | None = None
        #: Whether new rounds are dealt; not while the house drains.
        self.draining = False
        self._register: Register | None = None
        self.membership = membership
        self.lease: Lease | None = None
        #: Significant events (OFF-11).
        self.events = Events(self.write, clock, lambda: self.node_name)
        self._parts = (shoes, price, codes)

    @property
    def node_name(self) -> str:
        """The name of this node; empty in a house that has one process only."""
        return "" if self.lease is None else self.lease.node.name

    @contextmanager
    def same_node(self) -> Iterator[None]:
        """Refuse to go on if this node was found dead meanwhile: another may own what was opened in between (CLU-03)."""
        node = self.store.node
        yield
        if self.store.node is not node:
            raise Refusal("node/buried")

    async def open(self) -> None:
        """Update the schema, start the writer, open the cashier."""
        loop = asyncio.get_running_loop()
        await self.work(lambda: migrate(self.database))
        node = None if self.membership is None else await self.work(partial(self._join, self.membership))
        if self.membership is not None and node is not None:
            self.lease = Lease(self.membership, node, join_rule(self.config))
            _show(node)
        self.writer = GroupWriter(self.database, post=loop.call_soon_threadsafe)
        self.store = await self.work(partial(self._open_store, node))
        shoes, price, codes = self._parts
        own_codes = codes or SecureCodes(0 if node is None else node.slot)
        seal = None if self.vault is None else CardSeal(self.vault)
        self.tools = Tools(self.store, shoes, price, own_codes, seal)
        if self.shared:
            self._share()
        at = self.clock.wall_ms()
        self._cashier: Cashier | None = await self._run(self._counter, lambda: Cashier.open(self.store, at))

    def _join(self, membership: Membership) -> Node:
        """Become one of the nodes that serve the house.

        Nodes compare the settings of their files: what operators have changed is laid over all of them alike.
        """
        alike = (self.config.table, self.config.limits, ENGINE, *self.config.device)
        settings = hashlib.sha256(msgspec.json.encode(alike)).hexdigest()
        name = self.config.bus.node or f"{gethostname()[:40]}-{self.config.server.port}"
        node = membership.claim(name, sabot.__version__, settings, join_rule(self.config))
        membership.renew()
        if not self.has_right_time:
            membership.leave()
            apart = membership.offset_ms / 1000
            raise NodeError(
                f"the clock of the database is {apart:+.1f} s from that of this machine: set it right"
            )
        return node

    async def renew_lease(self, load: Mapping[str, float]) -> None:
        """Renew the lease of a house of one node; if it was taken for dead and nobody else serves it, it goes on."""
        assert self.lease is not None
        if not await self.lease.renew(load):
            self.be(await self.lease.rejoin())

    @property
    def is_sure(self) -> bool:
        """Whether the tables of this node are its own: not if it could not renew its lease for so long (CLU-03)."""
        return self.lease is None or self.lease.is_sure

    @property
    def has_right_time(self) -> bool:
        """Whether the clock of this machine is that of the database."""
        return self.membership is None or abs(self.membership.offset_ms) <= _CLOCKS_APART

    def be(self, node: Node) -> None:
        """Go on as another node, after this one was taken for dead (CLU-03)."""
        self.store.node = node
        _show(node)
        self.tools = self.tools._replace(codes=SecureCodes(node.slot))
        self._cashier = self._register = None

    def _open_store(self, node: Node | None) -> Store:
        store = Store(self.database, self.writer, node)
        store.ids.fetch_in(self._workers.submit, _TAKEN_ON_THE_LOOP)
        return store

    def _share(self) -> None:
        """Keep in the database what holds for a player on all nodes (CLU-10)."""
        self._locks = HouseLocks(self.database)
        self.player_locks.widen = partial(self._locks.take, _ACCOUNT)
        self.losses.turns.widen = partial(self._locks.take, _BETS)
        self.losses.reserves = StoredReserves(self.read, self.write)

    async def close(self) -> None:
        """Write what is queued, then close threads and database."""
        await self.events.close()
        await self._run(self._workers, self.writer.close)
        if self._locks is not None:
            self._locks.close()
        if self.lease is not None:
            await self.lease.close()
        for threads in (self._counter, self._workers):
            threads.shutdown(wait=False)
        self.database.close()

    # Off the event loop

    async def work(self, act: Callable[[], T]) -> T:
        """Run slow work in a thread."""
        return await self._run(self._workers, act)

    async def read(self, act: Callable[[Connection], T]) -> T:
        """Read from the database, in one transaction."""
        return await self._in_time(self.database.reading, act, "house/down")

    async def ask(self, act: Callable[[Connection], T]) -> T:
        """Read from the database with one statement."""
        return await self._in_time(self.database.asking, act, "house/down")

    async def write(self, act: Callable[[Connection], T]) -> T:
        """Write what is not in the log: logins, passwords, settings."""
        return await self._in_time(self.database.writing, act, "unit/lost")

    async def cashier(self, act: Callable[[Cashier], T]) -> T:
        """Act as the cashier, one act after the other; a cashier that lost its stream is opened again."""

        def acting() -> T:
            if self._cashier is None:
                self._cashier = Cashier.open(self.store, self.clock.wall_ms())
            try:
                return act(self._cashier)
            except Refusal as error:
                if error.code in _OUTDATED:
                    self._cashier = None
                raise

        return await self._run(self._counter, acting)

    async def register(self, act: Callable[[Register, int], T]) -> T:
        """Act as the register, in order with the cashier.

        If another process took its streams, nothing was written, and it is done again.
        """
        at = self.clock.wall_ms()

        def acting() -> T:
            try:
                return act(self._opened_register(at), at)
            except Refusal as error:
                if error.code not in ("stream/fenced", "unit/lost"):
                    raise
                self._register = None
                if error.code == "unit/lost":
                    raise
            return act(self._opened_register(at), at)

        return await self._run(self._counter, acting)

    def _opened_register(self, at: int) -> Register:
        self._register = self._register or Register.open(self.store, at)
        return self._register

    async def _in_time(
        self,
        connect: Callable[[], AbstractContextManager[Connection]],
        act: Callable[[Connection], T],
        late: str,
    ) -> T:
        """Use the database in a thread, for a limited time (ASR-24); the thread itself goes on until the database responds."""
        begun = False

        def acting() -> T:
            nonlocal begun
            begun = True
            with connect() as connection:
                return act(connection)

        try:
            async with asyncio.timeout(_LONGEST):
                return await self._run(self._workers, acting)
        except TimeoutError:
            raise Refusal(late if begun else "house/down") from None

    @staticmethod
    async def _run(threads: ThreadPoolExecutor, act: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, act)


def _show(node: Node) -> None:
    NODE.info({"name": node.name, "slot": str(node.slot), "release": node.release})


def join_rule(config: Config) -> JoinRule:
    """Which other nodes a house has with these settings."""
    common = {"house.name": config.house.name, "bus": config.bus.kind}
    if config.bus.kind == ALONE:
        return JoinRule(1, "processes form one house only if each has a bus.node of its own", common)
    if config.bus.kind == NOTIFY:
        return JoinRule(
            MOST_ON_NOTIFY, "more nodes need a bus of their own, set bus.url of all of them", common
        )
    return JoinRule(common=common)
