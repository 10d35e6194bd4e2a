"""The house decides for a player who is away: it refuses offers, stands and spins (PLT-30)."""

from __future__ import annotations

import pytest

from sabot.engine.commands import Continue, EvenMoney, Insure, Spin, Stand
from sabot.engine.events import CardBurnt, CardDealt, HoleDealt, HoleShown
from sabot.engine.legal import absent_move
from sabot.engine.shoe import Places
from tests.support.table import Table


@pytest.mark.rule("PLT-30")
def test_offers_are_refused_and_hands_stand() -> None:
    table = Table("surrender", "10s Ah 8s 9c").bet((0, "main", 1000)).deal()
    assert absent_move(table.round, "ada") == Insure("ada", False, 0)
    table.round.apply(absent_move(table.round, "ada"))
    assert absent_move(table.round, "ada") == Stand(0, 0)
    even = Table("link", "As Ah Kd 7c").bet((0, "main", 1000)).deal()
    assert absent_move(even.round, "ada") == EvenMoney(0, False)


@pytest.mark.rule("PLT-30")
def test_a_bonus_is_played_to_its_end() -> None:
    """850 on the wheel is a prize, 875 the bonus with its tiles."""
    table = Table("link", "As 9h Kd 7c 10c", draws=(850,)).bet((0, "main", 1000), (0, "link", 100)).deal()
    assert absent_move(table.round, "ada") == Spin(0)
    feature = (
        Table("link", "As 9h Kd 7c 10c", draws=(875, *[0] * 40))
        .bet((0, "main", 1000), (0, "link", 100))
        .deal()
    )
    feature.round.apply(absent_move(feature.round, "ada"))
    assert absent_move(feature.round, "ada") == Continue(0)


def test_a_burnt_card_and_a_face_down_card_have_places() -> None:
    places = Places(10)
    places.pass_over([CardBurnt(), CardDealt(0, 0, 51, 10, False), HoleDealt()])
    assert places.next == 13
    assert list(places.turned([HoleShown(0, 11, True), CardDealt(0, 0, 5, 16, False)])) == [(12, 0), (13, 5)]
