"""The virtual loop: no waiting, every order, and the same order under the same seed."""

from __future__ import annotations

import asyncio
import time
from itertools import permutations

import pytest

from tests.faults.simulated.loop import DeadlockError, VirtualClock, VirtualLoop
from tests.support.clock import PATIENCE


def order(seed: int, tasks: int = 3) -> tuple[int, ...]:
    ran: list[int] = []

    async def note(number: int) -> None:
        ran.append(number)

    async def main() -> None:
        await asyncio.gather(*(note(number) for number in range(tasks)))

    loop = VirtualLoop(seed)
    loop.run_until_complete(main())
    loop.abandon()
    return tuple(ran)


def test_a_day_passes_at_once() -> None:
    loop = VirtualLoop(1, start=5.0)
    clock = VirtualClock(loop)
    before, began = clock.wall_ms(), time.monotonic()
    loop.run_until_complete(asyncio.sleep(86_400))
    assert clock.wall_ms() - before == 86_400_000
    assert clock.monotonic() == pytest.approx(86_405)
    assert time.monotonic() - began < PATIENCE
    loop.abandon()


def test_things_are_due_in_their_time_whatever_the_seed() -> None:
    async def main() -> list[float]:
        loop, rang = asyncio.get_running_loop(), list[float]()

        async def ring(after: float) -> None:
            await asyncio.sleep(after)
            rang.append(loop.time())

        await asyncio.gather(*(ring(after) for after in (3.0, 1.0, 2.0)))
        return rang

    for seed in range(10):
        loop = VirtualLoop(seed)
        assert loop.run_until_complete(main()) == pytest.approx([1, 2, 3])
        loop.abandon()


def test_every_order_comes_and_a_seed_gives_its_own_again() -> None:
    orders = [order(seed) for seed in range(200)]
    assert set(orders) == set(permutations(range(3)))
    assert [order(seed) for seed in range(200)] == orders


def test_who_waits_for_nothing_is_told() -> None:
    loop = VirtualLoop(1)
    with pytest.raises(DeadlockError):
        loop.run_until_complete(loop.create_future())
    loop.abandon()


def test_an_abandoned_loop_leaves_no_task_behind() -> None:
    ended: list[str] = []

    async def wait() -> None:
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def main() -> asyncio.Task[None]:
        task = asyncio.ensure_future(wait())
        await asyncio.sleep(1)
        return task

    loop = VirtualLoop(1)
    task = loop.run_until_complete(main())
    loop.abandon()
    assert task.cancelled()
    assert ended == ["cancelled"]
    assert loop.is_closed()
