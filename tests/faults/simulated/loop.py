"""An event loop in virtual time: nobody waits, and who comes first is drawn from a seed.

Its selector never sleeps: it puts the clock on to the next thing that is due. Of all that is ready one is picked by
chance, so tasks that do not wait for each other run in every order, each order again under its seed.
"""

from __future__ import annotations

import asyncio
import selectors
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class DiedError(BaseException):
    """The simulated process has died here. Nothing that it would still do is done."""


class SimulatedProcess:
    """One of several processes on a loop: whatever its callbacks and tasks begin is its own. It can be held, and die."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        loop.processes.append(self)
        self.dead = False
        #: What it would have done while it was held, or since it is dead; None while it runs.
        self._held: list[Any] | None = None
        self.context: Context = copy_context()
        self.context.run(_PROCESS.set, self)

    @property
    def held(self) -> bool:
        """Whether it stands still, as after SIGSTOP."""
        return self._held is not None and not self.dead

    def die(self) -> DiedError:
        """Do nothing any more, as after SIGKILL."""
        self.dead, self._held = True, self._held or []
        return DiedError("the process died here")

    def hold_for(self, seconds: float) -> None:
        """Stand still for a while."""
        if self._held is None:
            self._held = []
            self._loop.call_later(seconds, self._wake, context=Context())

    def _wake(self) -> None:
        if not self.dead:
            self.go_on()

    def go_on(self) -> None:
        """Go on with all that has become ready meanwhile."""
        ready, self._held = self._held or [], None
        self._loop._ready.extend(ready)

    def keeps(self, handle: Any) -> bool:
        """Whether a callback is not run now."""
        if self._held is not None:
            self._held.append(handle)
        return self._held is not None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Begin tasks of the process, from outside of it."""
        token = _PROCESS.set(self)
        try:
            yield
        finally:
            _PROCESS.reset(token)


_PROCESS: ContextVar[SimulatedProcess | None] = ContextVar("process", default=None)


class DeadlockError(Exception):
    """Nothing is ready and nothing is due: whoever waits would wait for ever."""


class _VirtualSelector(selectors.BaseSelector):
    """Holds no sockets but the loop's own; to wait is to put the clock on."""

    def __init__(self) -> None:
        self.now = 0.0
        self._keys: dict[Any, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        fd = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        key = self._keys[fileobj] = selectors.SelectorKey(fileobj, fd, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._keys

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise DeadlockError("nothing is ready and nothing is due")
        self.now += max(0.0, timeout)
        return []


class _Ready(deque[Any]):
    """What is ready to run; the next is any of it."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng

    def popleft(self) -> Any:
        self.rotate(-self._rng.randrange(len(self)))
        handle = super().popleft()
        process = handle._context.get(_PROCESS)
        return _NOTHING if process is not None and process.keeps(handle) else handle


class _Nothing:
    """A callback that is passed over."""

    _cancelled = True


_NOTHING = _Nothing()


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time, in an order drawn from a seed."""

    def __init__(self, seed: int | str, start: float = 0.0) -> None:
        self._virtual = _VirtualSelector()
        self._virtual.now = start
        super().__init__(self._virtual)
        self._ready = _Ready(Random(f"order/{seed}"))
        self._chance = Random(f"chance/{seed}")
        #: Processes that share the loop; a loop of one has none.
        self.processes: list[SimulatedProcess] = []
        #: What threads would be doing now.
        self.working = 0
        #: Every task: those of a process that is dead stand still until the loop is abandoned.
        self._tasks: list[asyncio.Task[Any]] = []

    def time(self) -> float:
        """Seconds of virtual time."""
        return self._virtual.now

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        """Begin a task, and hold it."""
        task: asyncio.Task[Any] = super().create_task(coro, **options)
        self._tasks.append(task)
        return task

    async def work(self, act: Callable[[], T], durations: Sequence[float]) -> T:
        """What a thread would do: it is done at once, some time after it is asked for and some before it is told."""
        self.working += 1
        try:
            await asyncio.sleep(self._chance.choice(durations))
            result = act()
            await asyncio.sleep(self._chance.choice(durations))
        finally:
            self.working -= 1
        return result

    def abandon(self) -> None:
        """End every task where it stands, and the loop."""
        self.set_exception_handler(lambda loop, context: None)
        for process in self.processes:
            process.go_on()
        while tasks := asyncio.all_tasks(self):
            for task in tasks:
                task.cancel()
            with suppress(SystemExit):  # a task that the crash has not reached yet
                self.run_until_complete(asyncio.wait(tasks))
        self.close()


class VirtualClock:
    """The time of a virtual loop, as tables ask for it."""

    #: The UTC time at which virtual time begins, in milliseconds.
    EPOCH_MS = 1_788_000_000_000

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    def wall_ms(self) -> int:
        """Milliseconds of UTC."""
        return self.EPOCH_MS + round(self._loop.time() * 1000)

    def monotonic(self) -> float:
        """Seconds, for deadlines."""
        return self._loop.time()
