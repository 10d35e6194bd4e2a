"""Slow, silent and flooding connections, in short: each is ended by the house, and an honest player plays on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.faults.connections import Attack, besiege, flood, pings, silent, slow_body, slow_frame, slow_head
from tests.support.clock import PATIENCE

#: Files that the house may open: with those it keeps for itself there is room for 128 connections. How many it cuts
#: because it is full, and how many before that because they say nothing, depends on how fast they come.
FILES = 256


@pytest.mark.slow  # a real server, and connections that it has to wait for
@pytest.mark.rule("ASR-32")
async def test_slow_and_silent_connections_are_ended_and_hinder_nobody(tmp_path: Path) -> None:
    attacks: dict[Attack, int] = {
        silent: 200,
        slow_head: 20,
        slow_body: 20,
        slow_frame: 20,
        flood: 2,
        pings: 2,
    }

    async with asyncio.timeout(5 * PATIENCE):
        siege = await besiege(tmp_path, attacks, FILES)
    assert siege.opened == siege.ended == {attack.__name__: count for attack, count in attacks.items()}
    assert siege.cut["slow"] >= 40
    assert siege.cut["flood"] == 4
    assert siege.answers
    assert siege.visits
