"""Every round that a test of a rule plays is dealt again by hand: the rules are the same whoever deals (STU-01)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sabot.engine.events import CardAwaited, CutCardShown
from tests.support.players import dealt_again
from tests.support.table import Table


@pytest.fixture(autouse=True)
def by_hand_too(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The rounds of a test dealt card by card: same events but for the waits, same balances."""
    tables: list[Table] = []
    init = Table.__init__

    def noted(table: Table, *args: Any, **kwargs: Any) -> None:
        init(table, *args, **kwargs)
        tables.append(table)

    monkeypatch.setattr(Table, "__init__", noted)
    yield
    for table in tables:
        if table.round.commands and not table.ran_empty:  # that is a key where a person deals
            *_, round = dealt_again(table)
            told = [event for event in round.log if not isinstance(event, CardAwaited)]
            assert told == [event for event in table.round.log if not isinstance(event, CutCardShown)]
            assert {player: round.balance(player) for player in table.purses} == {
                player: table.round.balance(player) for player in table.purses
            }
