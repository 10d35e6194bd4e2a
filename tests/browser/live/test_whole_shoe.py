"""A shoe from its check to the next one, dealt and filmed by the studio's demo, in three browsers."""

from __future__ import annotations

from statistics import median

import pytest

from tests.browser.support.live_room import OpenHall
from tests.browser.support.whole_shoe import WholeShoe

pytestmark = pytest.mark.slow  # browsers, and an encoder of video

#: Milliseconds: a card may be drawn so much before or after its picture.
CLOSE = 250


@pytest.mark.rule("STU-01", "STU-02", "STU-03", "STU-07", "STU-20", "STU-24", "STU-25")
@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_a_whole_shoe_with_the_demo(open_hall: OpenHall, game: str) -> None:
    """The cut card lies behind 14 cards. `python -m tests.browser.support.whole_shoe` plays one of half of 416.

    Cards are drawn when the picture shows them; on a busy machine not each of them, so it is said of the median.
    """
    shoe = WholeShoe(open_hall, game, cut=14, pace=0.1)
    played = shoe.play()
    if game == "freebet":
        shoe.check_layout()
    assert played.rounds >= 1
    assert len(played.apart) >= 5
    assert median(abs(apart) for apart in played.apart) < CLOSE, played.apart
