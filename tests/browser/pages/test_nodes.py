"""A page whose node is killed in the middle of a decision goes on at another node by itself (CLU-20)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Locator, Page, expect

from tools.cluster.balancer import Balancer
from tools.cluster.processes import LocalCluster

pytestmark = pytest.mark.slow  # a browser, and processes


@contextmanager
def balanced(cluster: LocalCluster) -> Iterator[str]:
    """A load balancer before the nodes, in a thread of its own; gives its address."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    balancer = Balancer([(node.host, node.port) for node in cluster.nodes.values()])
    port = asyncio.run_coroutine_threadsafe(balancer.open(), loop).result()
    yield f"http://127.0.0.1:{port}"
    asyncio.run_coroutine_threadsafe(balancer.close(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def owner_of_solo(cluster: LocalCluster) -> str:
    """The node of the only solo table."""
    with psycopg.connect(cluster.database) as connection:
        found = connection.execute(
            "SELECT nodes.name FROM streams JOIN nodes ON nodes.id = streams.owner"
            " WHERE streams.name LIKE 'solo/%' AND nodes.dead_at IS NULL"
        ).fetchone()
    assert found is not None
    return str(found[0])


def until_asked(page: Page) -> Locator:
    """Deal until a hand waits for the player; gives the button STAI. The cards are random: most hands wait at once."""
    deal, again = page.get_by_test_id("deal"), page.get_by_test_id("repeat-deal")
    stand, refuse = page.get_by_test_id("stand"), page.get_by_test_id("refuse")
    able = page.locator(":enabled")
    expect(deal).to_be_enabled()
    deal.click()
    while True:
        expect(stand.or_(refuse).or_(again).and_(able).first).to_be_visible()
        if refuse.and_(able).count():
            refuse.click()  # no insurance
        elif stand.and_(able).count():
            return stand
        else:
            again.click()


def cards_of(page: Page) -> list[str]:
    """The player's cards."""
    cards = page.get_by_test_id("seat-0").get_by_role("img")
    names: list[str] = cards.evaluate_all("found => found.map((card) => card.ariaLabel)")
    return names


@pytest.mark.rule("CLU-20", "CLU-01")
def test_a_page_goes_on_when_its_node_is_killed(page: Page, tmp_path: Path) -> None:
    with LocalCluster(tmp_path) as cluster:
        for name in ("a", "b"):
            cluster.node(name).begin()
        for node in cluster.nodes.values():
            node.wait()
        with balanced(cluster) as url:
            page.goto(url)
            page.get_by_test_id("play-surrender").click()
            decision = until_asked(page)
            cards = cards_of(page)
            first = owner_of_solo(cluster)
            cluster.nodes[first].kill()
            expect(decision).to_be_enabled()
            decision.click()
            expect(page.get_by_test_id("repeat-deal")).to_be_enabled()
            assert cards_of(page) == cards
            assert owner_of_solo(cluster) != first
