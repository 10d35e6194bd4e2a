"""Classic Free Bet in real browsers: two and three players at one table, with chosen cards.

Cards go to the lowest staked seat first, then to the next, then to the dealer; twice. Phases end when a test says so.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, ViewportSize, WebSocketRoute, expect

from tests.browser.support.layout import ITALIAN, SETTLED, assert_clear
from tests.browser.support.live_house import LONG
from tests.browser.support.live_room import Hall, LiveRoom, OpenHall
from tests.browser.support.room import Room

pytestmark = pytest.mark.slow  # a browser

#: One seat has 20 against 9 8.
WIN = "10s 9h Kd 8c "


#: Two stand behind Bob, the larger stake first.
BEHIND_BOB = (("behind: 2 players", "8.00"), ("demo-....", "5.00"), ("demo-....", "3.00"))


def alone(hall: Hall, *spots: int, bring: str = "100", **more: object) -> LiveRoom:
    """A player who sits at some seats when the bets are open."""
    room = hall.player(**more)  # type: ignore[arg-type]
    room.sit(bring, *(spots or (0,)))
    hall.house.until("betting")
    expect(room.at("chip-100")).to_be_enabled()
    return room


@pytest.mark.rule("FRB-09", "PLT-21", "PLT-46", "PLT-71")
def test_a_whole_round_with_three_browsers(open_hall: OpenHall) -> None:
    """Ada plays seats 3 and 6 on a phone, Bob seat 1 in English, Cleo stands behind both without a seat.

    Bob has 20. Ada has decided in advance: a free split of the eights, which become 21 and 18, and a free double of 11,
    which becomes 21. The dealer has 17. Free bets hold for Cleo too.
    """
    hall = open_hall("10s 8s 6h 9d Kd 8d 5c 8c 3h 10c 10d Kc")
    ada = hall.player(phone=True)
    ada.sit("200", 2, 5)
    bob = hall.player("en-GB")
    bob.sit("100", 0)
    cleo = hall.player()
    cleo.sit("100")
    hall.house.until("betting")
    for room in hall.rooms:
        room.listen()

    ada.stake(1000, "circle")
    ada.stake(200, "side-21+3")
    ada.stake_behind(500, "behind-0")
    ada.sees("balance", "171,00")
    ada.sees("staked", "29,00")
    cleo.stake_behind(200, "behind-2", "behind-2")
    cleo.stake(100, *["behind-0"] * 3)
    cleo.sees("staked", "7,00")
    expect(cleo.at("start-now")).to_have_count(0)
    bob.stake(1000, "circle-0")
    expect(ada.at("stake-0")).to_have_count(0)
    bob.press("start-now")
    ada.lies("stake-0", "10")  # what is final can be seen
    bob.sees("hint", "Your bets are final")
    expect(ada.at("plate-0").get_by_role("img", name="Pronto")).to_be_visible()
    ada.press("start-now")

    hall.house.until("decisions")
    bob.sees("decide-note", "Seat 1: 20")
    # Whose tab calls, and who still plays before the dealer (PLT-46).
    expect(bob.page).to_have_title(re.compile("^Your turn · Classic Free Bet Blackjack"))
    expect(cleo.page).to_have_title(re.compile("^Classic Free Bet Blackjack"))
    cleo.sees("next", "Poi ancora 2 posti, infine il banco.")
    ada.shows("dealer", "nove di quadri", "carta coperta")
    # Everybody sees the side bets of others, and who stands behind whom with how much; not one's own again.
    for room in (bob, cleo):
        expect(room.at("other-2-21+3")).to_have_text(re.compile(r"21\+3\s*(persa|lost)"))
        expect(room.at("stakes-2")).to_have_text(re.compile(r"1\s*4"))
    expect(ada.at("other-2-21+3")).to_have_count(0)
    bob.press("stakes-0")
    behind = bob.at("stakes-list-0").locator("tr")
    expect(behind).to_have_text([re.compile(rf"{words}\s*{amount}") for words, amount in BEHIND_BOB])
    bob.page.keyboard.press("Escape")
    bob.press("focus")
    expect(bob.at("others-0")).to_have_count(0)
    bob.press("focus")
    expect(ada.at("ahead-2-split")).to_contain_text("DIVIDI GRATIS")
    expect(ada.at("ahead-2-split")).to_contain_text("Gratis")
    gold = ada.at("ahead-2-split").evaluate("button => getComputedStyle(button).backgroundImage")
    paid = ada.at("ahead-2-double").evaluate("button => getComputedStyle(button).backgroundImage")
    assert "226, 173, 63" in gold
    assert "226, 173, 63" not in paid
    expect(ada.at("ahead-2-double")).to_have_text(re.compile(r"RADDOPPIA\s*\+10,00"))
    looks = ada.look_of("ahead-2-hit", "borderStyle"), bob.look_of("hit", "borderStyle")
    assert looks == ("dashed", "solid")  # in advance, and now
    assert bob.look_of("hit", "backgroundImage") != bob.look_of("stand", "backgroundImage")
    expect(ada.at("ahead-5-split")).to_be_disabled()
    ada.press("ahead-2-hit", "ahead-2-split", "ahead-5-double")
    ada.sees("ahead-2", "In anticipo: dividi")
    bob.press("stand")

    ada.sees("decide-note", "Posto 3, parte 1: 11")
    expect(ada.at("stake-2").get_by_test_id("free")).to_contain_text("gratis 10,00")
    expect(cleo.at("behind-2").get_by_test_id("free")).to_contain_text("gratis 4,00")
    for button in ("double", "split"):
        expect(ada.at(button)).to_be_disabled()
    ada.press("hit")
    ada.sees("decide-note", "Posto 3, parte 2: 18")
    ada.press("stand")
    hall.house.until("payout")

    ada.sees("sum", "Hai vinto 41,00")
    ada.sees("balance", "241,00")
    bob.sees("sum", "You won 10.00")
    cleo.sees("sum", "Hai vinto 11,00")
    cleo.sees("balance", "111,00")
    cleo.shows("seat-5", "sei di cuori", "cinque di fiori", "re di fiori")
    ada.shows("dealer", "nove di quadri", "otto di fiori")
    ada.lies("stake-5", "30")  # a free bet that wins is paid in chips
    bob.says("The dealer has 17.")
    ada.heard(
        "Ti siedi al posto 3.",
        "Posto 3, tu: otto di picche, totale 8.",
        "Fate il vostro gioco, prego.",
        "Niente più puntate, grazie.",
        "Puntati 29,00, pagati 70,00, saldo 241,00.",
    )
    # Each thing is said once, and what may be done to the one who may.
    cleo.heard("pagati 18,00", "sta.")
    assert [line for room in hall.rooms for line in room.told if line.endswith((": stai.", ": stand."))] == []
    cleo.heard("Posto 1, demo", "puntata alle spalle: vinta, pagato 6,00.")
    bob.heard("paid 20.00")
    for room in hall.rooms:
        twice = [line for line, times in Counter(room.told).items() if times > 1]
        assert [line for line in twice if "second" not in line] == []  # each decision has its own time
    assert [line for line in cleo.told if "Puoi" in line] == []
    assert [line for line in bob.told if "You may" in line] == [
        "Your turn: Seat 1, you, total 20. You may: stand, hit, double, split."
    ]
    assert [line for line in ada.told if "Posto 1" in line and "Puoi" in line] == []
    assert len([line for line in ada.told if "Puoi" in line]) == 2
    hall.check()
    # In the history a bet behind is called one, with the hands of the seats it stood behind.
    for room, own in ((ada, 1), (cleo, 0)):
        room.page.goto(f"{room.house.url}/history")
        room.sees("row-behind", "puntata alle spalle")
        room.at("round").click()
        bets = room.at("round-bets").get_by_role("row")
        expect(bets.filter(has_text=re.compile("puntata alle spalle.*Posto 1", re.I | re.S))).to_have_count(1)
        expect(bets.filter(has_text="principale")).to_have_count(own * 2)
        expect(room.at("round-cards")).to_contain_text("Posto 1, puntata alle spalle")


@pytest.mark.rule("FRB-22")
def test_chips_fill_up_to_the_limit_and_lie_on_all_own_seats(open_hall: OpenHall) -> None:
    """Main bets up to 30.00, side bets up to 100.00; with 100.00 a chip of 100.00 is there once nothing is staked."""
    options = {"main": {"minimum": 200, "maximum": 3000}}
    hall = open_hall(WIN, options=options, sitting=2_000)
    room = alone(hall, 0, 3)
    expect(room.at("chip-10000")).to_be_enabled()
    room.stake(2500, "circle-3", "circle-0")
    for circle in ("circle-0", "circle-3"):
        room.lies(circle, "30")
    room.sees("staked", "60,00")
    expect(room.at("chip-10000")).to_be_disabled()
    room.stake(1000, "circle-0")
    expect(room.at("seat-0").get_by_test_id("notice")).to_have_text("Limite raggiunto: 30,00")
    room.sees("staked", "60,00")
    # On a large screen a side bet is for one seat; what the balance does not cover is not placed.
    room.stake(1000, "side-0-21+3")
    room.sees("staked", "70,00")
    room.stake(2500, "side-0-player-pair")
    expect(room.at("chip-2500")).to_be_disabled()
    room.sees("staked", "95,00")
    # All seats or none.
    room.press("undo", "undo", "undo", "undo")
    room.stake(10_000, "circle-0")
    room.sees("staked", "60,00")
    room.press("undo")
    room.press("leave-3")
    expect(room.at("leave-3")).to_be_hidden()
    room.stake(100, "circle-0")
    room.sees("hint", "Sotto il minimo di 2,00")
    expect(room.at("start-now")).to_be_disabled()

    phone = hall.player(phone=True)
    phone.sit("20", 4, 5)
    phone.stake(500, "circle")
    phone.stake(200, "circle", "circle")
    phone.stake(100, "side-21+3")
    phone.sees("staked", "20,00")
    phone.lies("stake-4", "9")
    phone.lies("stake-5", "9")
    phone.press("side-player-pair")
    phone.sees("staked", "20,00")
    expect(phone.at("chip-100")).to_be_disabled()
    hall.check()


#: Small screens with seats on the felt: a tablet both ways up, a phone on its side.
SMALL: dict[str, ViewportSize] = {
    "tablet": {"width": 1024, "height": 768},
    "tablet upright": {"width": 820, "height": 1180},
    "phone on its side": {"width": 844, "height": 390},
}


@pytest.mark.rule("FRB-22", "PLT-30")
def test_a_side_bet_lies_on_all_own_seats_wherever_fingers_play(open_hall: OpenHall) -> None:
    """And who holds a seat is led back to the table."""
    hall = open_hall(WIN)
    room = alone(hall, 0, 3, phone=True, viewport=SMALL["tablet"])
    for size in SMALL.values():
        room.page.set_viewport_size(size)
        room.stake(500, "circle-0")
        room.stake(100, "side-3-21+3")
        room.sees("staked", "12,00")
        for spot in (0, 3):
            room.lies(f"side-{spot}-21+3", "1")
        room.press("undo", "undo")
        room.sees("staked", "0,00")
    room.stake(500, "circle-0")
    room.page.goto(hall.house.url)
    expect(room.page).to_have_url(f"{hall.house.url}/live/one")
    room.lies("circle-0", "5")
    hall.check()


@pytest.mark.rule("FRB-23")
def test_repeat_double_undo_and_clear(open_hall: OpenHall) -> None:
    hall = open_hall(WIN * 3)
    room = alone(hall)
    expect(room.at("repeat")).to_be_disabled()
    expect(room.at("double-up")).to_be_disabled()
    room.stake(500, "circle-0")
    room.stake(200, "side-0-21+3")
    room.offered("double-up", "14,00")
    room.press("double-up")
    room.sees("staked", "14,00")
    room.sees("balance", "86,00")
    room.press("undo")
    room.sees("staked", "7,00")
    room.press("undo")
    room.sees("staked", "5,00")
    room.stake(200, "side-0-21+3")
    room.press("start-now", "stand")
    room.sees("sum", "Hai vinto 3,00")
    hall.house.end("payout")
    room.offered("repeat", "7,00")
    room.press("repeat")
    room.sees("staked", "7,00")
    expect(room.at("repeat")).to_be_disabled()
    # Holding takes all chips back; other players' bets are written in the same money.
    room.at("undo").dispatch_event("pointerdown")
    room.sees("staked", "0,00")
    room.at("undo").dispatch_event("pointerup")
    # The keyboard has no long press: after one by hand it still takes chips back.
    room.press("repeat")
    room.at("undo").focus()
    room.type("Enter")
    room.sees("staked", "0,00")
    room.press("repeat", "double-up")
    room.sees("staked", "14,00")
    other = hall.player("en-GB")
    room.press("start-now")
    other.lies("stake-0", "10")
    hall.check()


@pytest.mark.rule("FRB-21", "PLT-47")
def test_a_countdown_or_a_traffic_light(open_hall: OpenHall) -> None:
    """The number falls; in the classic view the light is yellow when little of the time is left, then red, in words too."""
    hall = open_hall(WIN * 4)
    room = alone(hall)
    room.stop_clock()
    left = int(room.at("countdown").inner_text())
    room.page.clock.run_for(2000)
    falls = "(most) => Number(document.querySelector('[data-testid=countdown]').innerText) <= most"
    room.page.wait_for_function(falls, arg=left - 2)
    room.press("menu", "view-classic", "close")
    expect(room.at("countdown")).to_have_count(0)
    light = room.at("light")

    def is_lit(colour: str, word: str) -> None:
        expect(light).to_have_attribute("data-light", colour)
        expect(light).to_contain_text(word)

    is_lit("green", "PUNTATE APERTE")
    room.page.clock.resume()
    room.page.context.set_offline(True)
    is_lit("unknown", "?")
    expect(light).to_have_text("?")  # and no seconds
    room.page.context.set_offline(False)
    is_lit("green", "PUNTATE APERTE")
    room.complaints.clear()  # of the network
    room.stop_clock()
    room.stake(500, "circle-0")
    room.page.clock.fast_forward(800 * int(LONG.betting))  # a fifth of the time is left at most
    is_lit("yellow", "ULTIME PUNTATE")
    hall.house.end("betting")
    is_lit("red", "PUNTATE CHIUSE")
    expect(room.at("circle-0")).to_be_disabled()
    expect(room.at("decide")).to_be_visible()
    assert room.house.live.play.bets_of(next(iter(room.house.live.table.sittings)))
    # The view is kept in the profile.
    room.page.reload()
    expect(light).to_be_visible()
    hall.check()


@pytest.mark.rule("ASR-20")
def test_a_bet_that_comes_too_late_is_refused(open_hall: OpenHall) -> None:
    """The house's word that betting is closed is held up on its way, so that the page still lets chips be placed."""
    hall = open_hall(WIN * 2)
    room = hall.page()
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    holding = False

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def down(message: str | bytes) -> None:
            if holding or held:
                held.append((socket, message))
            else:
                socket.send(message)

        server.on_message(down)

    room.page.route_web_socket("**/api/v1/socket", route)
    room.enter()
    number = room.number
    room.sit("100", 0)
    hall.house.until("betting")
    room.stake(500, "circle-0")
    hall.house.when(lambda live: live.play.bets_of(str(number)) != ())
    holding = True
    hall.house.end("betting")
    hall.house.until("decisions")
    Room.press(room, "chip-1000", "circle-0")  # the answer is held up too: it is not waited for
    room.sees("staked", "15,00")
    holding = False
    while held:
        socket, message = held.pop(0)
        socket.send(message)
    expect(room.at("decide")).to_be_visible()
    room.sees("staked", "5,00")
    room.heard("Troppo tardi: le puntate erano già chiuse quando è arrivata la tua")
    assert hall.house.logged("late-bet") == 1


@pytest.mark.rule("FRB-31", "FRB-32")
def test_insurance_is_one_window_for_everyone_and_each_seat_answers_apart(open_hall: OpenHall) -> None:
    """Under an ace Ada insures seat 1 and refuses for seat 2; Bob, behind seat 1, says nothing. A blackjack.

    10.00 + 10.00 are lost, 5.00 insured pay 15.00; Bob loses his 6.00.
    """
    hall = open_hall("10s 9s Ah 6d 7d Kc")
    ada = alone(hall, 0, 1)
    bob = hall.player()
    bob.sit("100")
    ada.stake(1000, "circle-0")
    bob.stake_behind(200, *["behind-0"] * 3)
    ada.press("start-now")
    expect(ada.at("insurance")).to_be_visible()
    bob.offered("accept-0", r"\+3,00")
    ada.says("Ho un asso")
    assert_clear(ada.page, "insurance", ITALIAN)
    ada.press("accept-0")
    expect(ada.at("accept-0")).to_be_hidden()
    expect(ada.at("seat-0").get_by_test_id("insured")).to_be_visible()
    assert_clear(ada.page, "an insured hand", ITALIAN)
    ada.press("refuse-1")
    expect(bob.at("accept-0")).to_be_visible()  # he is still waited for
    hall.house.end("insurance")
    ada.sees("sum", "Hai perso 10,00")
    bob.sees("sum", "Hai perso 6,00")
    ada.says("Blackjack del banco")
    hall.check()


def test_behind_whom_one_may_bet_and_who_is_hot(open_hall: OpenHall) -> None:
    """Ada wins twice: the icon says so. She then forbids bets behind, which takes effect with the next round.

    In the third round the dealer makes 22: every hand pushes.
    """
    hall = open_hall(WIN * 2 + "10s 9h Kd 7c 6d " + WIN)
    ada = alone(hall)
    bob = hall.player()
    bob.sit("100")
    for stake in (bob.stake_behind, bob.stake):
        ada.stake(500, "circle-0")
        stake(100, "behind-0")
        ada.press("start-now", "stand")
        bob.sees("sum", "Hai vinto 1,00")
        hall.house.end("payout")
    expect(bob.at("hot-0")).to_have_text("2")
    expect(bob.at("hot-0")).to_have_attribute("aria-label", "In evidenza: 2 round vinti di fila")
    bob.press("behind-0")
    ada.press("menu")
    expect(ada.at("allow-behind")).to_be_checked()
    ada.press("allow-behind", "close")
    hall.house.when(lambda live: live.seats.closed == {0})
    expect(bob.at("behind-0")).to_be_enabled()
    ada.stake(500, "circle-0")
    ada.press("start-now", "stand")
    ada.sees("sum", "In pari")
    bob.sees("dealer", r"22\s*PARI")
    bob.says("Il banco fa 22: le mani in gioco sono pari.")
    hall.house.end("payout")
    expect(bob.at("behind-0")).to_have_count(0)
    # What Bob follows stands in his settings.
    bob.press("menu", "follow-double")
    expect(bob.at("follow-double")).to_be_checked()
    expect(bob.at("follow-split")).not_to_be_checked()
    bob.press("leave")
    bob.page.goto(f"{hall.house.url}/live/one")
    number = str(bob.number)
    hall.house.when(
        lambda live: (
            number in live.attendance.players and live.attendance.players[number].consent == (True, False)
        )
    )
    hall.check()


@pytest.mark.rule("FRB-42", "FRB-43", "PLT-49")
def test_what_is_followed_is_asked_at_the_first_bet_behind(open_hall: OpenHall) -> None:
    """Seat 1 doubles a hard 12 for money: Bob follows with 5.00, Cleo stays with 5.00 and is told so. 22: bust.

    The four answers look alike and the keyboard stands on none of them; without an answer no chip lies.
    """
    hall = open_hall("10s 9h 2d 8c Kd " + WIN)
    ada, bob, cleo = alone(hall), hall.player(), hall.player()
    for room, answer in ((bob, "double"), (cleo, "none")):
        room.sit("100")
        room.stake(500, "behind-0")
        expect(room.at("follow")).to_contain_text("un'altra puntata uguale")
        answers = [f"follow-{word}" for word in ("both", "double", "split", "none")]
        assert len({room.look_of(each, "backgroundColor") for each in answers}) == 1
        assert len({room.look_of(each, "backgroundImage") for each in answers}) == 1
        expect(room.at("question")).to_be_focused()
        room.press("close")
        room.sees("staked", "0,00")
        room.press("behind-0", f"follow-{answer}")
        room.sees("staked", "5,00")
    number = str(bob.number)
    hall.house.when(lambda live: live.attendance.players[number].consent == (True, False))
    ada.stake(1000, "circle-0")
    ada.press("start-now", "double")
    ada.sees("sum", "Hai perso 20,00")
    bob.sees("sum", "Hai perso 10,00")
    cleo.sees("sum", "Hai perso 5,00")
    cleo.sees("notices", "non segui RADDOPPIA come hai scelto")
    expect(bob.at("notices")).to_be_empty()
    hall.house.end("payout")
    cleo.stake(100, "behind-0")  # asked once
    cleo.sees("staked", "1,00")
    bob.press("menu")
    expect(bob.at("follow-double")).to_be_checked()
    expect(bob.at("follow-split")).not_to_be_checked()
    hall.check()


def test_a_seat_is_taken_and_left(open_hall: OpenHall) -> None:
    """Two seats at most; a seat with a bet is left after the round; one who comes in a round waits for the next."""
    hall = open_hall(WIN * 2)
    ada = alone(hall, 0)
    bob = hall.player("en-GB")
    expect(bob.at("plate-0")).to_contain_text("demo-")
    bob.press("sit-6", "sit-5")
    expect(bob.at("sit-3")).to_have_count(0)
    bob.press("leave-5")
    expect(bob.at("sit-3")).to_be_visible()
    ada.stake(1000, "circle-0")
    hall.house.end("betting")
    expect(ada.at("decide")).to_be_visible()
    ada.press("leave-0")
    bob.sees("hint", "It is demo-.*'s turn")
    expect(ada.at("plate-0")).to_be_visible()
    ada.press("stand")
    ada.sees("sum", "Hai vinto 10,00")
    hall.house.end("payout")
    expect(bob.at("sit-0")).to_be_visible()
    expect(ada.at("sit-0")).to_be_visible()
    hall.check()


@pytest.mark.rule("FRB-29")
def test_disconnection_and_return_in_every_phase(open_hall: OpenHall) -> None:
    """The network breaks in betting, insurance, a decision, the payout: each time the page goes on where it was.

    Then Ada is away while it is her turn: 16 stands by itself, and her page shows what became of it.
    """
    hall = open_hall("10s 9s Ah 8d 7d 9c " + "10s 9s 10h 6d 7d 9c")
    ada, bob = alone(hall, 0), hall.player()
    bob.sit("100", 1)

    breaks: dict[LiveRoom, int] = {}

    def break_off(*rooms: LiveRoom) -> None:
        for room in rooms:
            hall.house.drop(room.number)
        for room in rooms:
            breaks[room] = breaks.get(room, 0) + 1
            expect(room.at("said").get_by_text("Sei di nuovo connesso.")).to_have_count(breaks[room])

    ada.stake(1000, "circle-0")
    ada.sees("balance", "90,00")
    break_off(ada)
    ada.sees("staked", "10,00")
    bob.stake(500, "circle-1")
    ada.press("start-now")
    bob.press("start-now")
    expect(ada.at("insurance")).to_be_visible()
    break_off(ada)  # Bob is still waited for
    ada.press("refuse-0")
    bob.press("refuse-1")
    ada.sees("decide-note", "Posto 1: 18")
    break_off(bob)
    ada.press("stand")
    bob.press("stand")
    break_off(ada, bob)
    ada.sees("sum", "Hai perso 10,00")
    bob.sees("sum", "Hai perso 5,00")
    ada.shows("dealer", "asso di cuori", "nove di fiori")

    hall.house.end("payout")
    ada.press("repeat", "start-now")
    bob.press("repeat", "start-now")
    expect(ada.at("decide")).to_be_visible()
    number = ada.number
    ada.page.context.set_offline(True)
    hall.house.drop(number)
    hall.house.when(lambda live: not live.attendance.players[str(number)].sockets)
    hall.house.end("decisions")  # the window runs its whole time
    bob.sees("decide-note", "Posto 2: 16")
    bob.press("stand")
    bob.sees("sum", "Hai perso 5,00")
    ada.page.context.set_offline(False)
    ada.sees("sum", "Hai perso 10,00")
    ada.shows("seat-0", "dieci di picche", "sei di quadri")


@pytest.mark.rule("PLT-31", "FRB-26")
def test_a_page_that_is_loaded_again_goes_on_and_decides(open_hall: OpenHall) -> None:
    """In betting, in insurance, and at the turn: chips, questions and the free double of 11 are there after it."""
    hall = open_hall("6s Ah 5d 6c Kd")
    room = alone(hall)
    room.stake(1000, "circle-0")
    room.page.reload()
    room.sees("staked", "10,00")
    room.press("start-now")
    expect(room.at("insurance")).to_be_visible()
    room.page.reload()
    room.press("refuse-0")
    expect(room.at("decide")).to_be_visible()
    for _ in range(2):
        room.page.reload()
        expect(room.at("double")).to_contain_text("RADDOPPIA GRATIS")
    assert hall.house.live.phases.phase == "decisions"
    room.press("double")
    room.sees("sum", "Hai vinto 20,00")
    hall.check()


@pytest.mark.rule("PLT-49")
def test_notices_hide_nothing_that_is_played_with(open_hall: OpenHall) -> None:
    """9 takes an 8 and stands, both by the clock: two notices, beside the dealer's cards and the clock of the betting."""
    hall = open_hall("5s 9h 4d 8c 8s")
    room = alone(hall)
    room.stake(500, "circle-0")
    room.press("start-now")
    hall.house.end("decisions")
    hall.house.end("decisions")
    room.sees("notices", "automatica: stai")
    expect(room.at("sum")).to_be_visible()
    sizes: tuple[ViewportSize, ...] = (
        {"width": 844, "height": 390},
        {"width": 390, "height": 844},
        {"width": 1440, "height": 900},
    )
    for size in sizes:
        told = _told(room, size)
        for line in room.at("notices").get_by_role("listitem").all():
            expect(line).to_be_visible()
        assert told[0] >= 0
        assert told[2] <= size["width"]
        assert _apart(told, _box(room.at("dealer").locator(".cards")))
    hall.house.end("payout")
    hall.house.until("betting")
    expect(room.at("countdown")).to_be_visible()
    for size in sizes:
        told = _told(room, size)
        assert _apart(told, _box(room.at("countdown")))
        for tool in ("lobby", "menu") if size["height"] > 400 else ():
            assert _apart(told, _box(room.at(tool)))
    room.press("notice-close")
    expect(room.at("notice-close")).to_have_count(0)
    hall.check()


def _told(room: LiveRoom, size: ViewportSize) -> tuple[float, float, float, float]:
    """Where the notices are shown in a window of this size, once it is laid out."""
    room.page.set_viewport_size(size)
    room.page.evaluate(SETTLED)
    return _box(room.at("notices").locator(".card"))


@pytest.mark.rule("PLT-49")
def test_money_gone_a_bet_back_and_a_seat_lost_are_said_with_the_next_step(open_hall: OpenHall) -> None:
    """Ada loses all she has with 16 against 19, and bets no more; Bob's bet behind her comes back, and she loses the seat."""
    hall = open_hall("10s 10h 6d 9c " * 2, timers=replace(LONG, idle_rounds=1))
    ada, bob = alone(hall), hall.player()
    bob.sit("100")
    ada.stake(10_000, "circle-0")
    ada.press("start-now", "stand")
    ada.sees("sum", "Hai perso 100,00")
    hall.house.end("payout")
    ada.sees("money-gone", "AGGIUNGI DENARO")
    bob.stake_behind(500, "behind-0")
    hall.house.end("betting")
    bob.sees("notices", "Posto 1: 5,00 restituiti al saldo")
    ada.sees("notices", "Posto 1: posto liberato")
    ada.press("notice-sit")
    expect(ada.at("leave-0")).to_be_visible()
    ada.press("more-money")
    ada.at("amount").fill("50")
    ada.press("bring")
    ada.sees("balance", "50,00")
    expect(ada.at("money-gone")).to_have_count(0)
    hall.check()


def _box(found: Locator) -> tuple[float, float, float, float]:
    """Where something is shown: left, top, right, bottom."""
    expect(found).to_be_visible()
    box = found.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def _apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether nothing of two is at the same place."""
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_the_end_of_the_time_decides(open_hall: OpenHall) -> None:
    """Seat 1 has 5 4 and says nothing: a free double is there, but a card is taken, and another; then 19 stands."""
    hall = open_hall("5s 9h 4d 8c 2d 8s")
    room = alone(hall)
    room.stake(500, "circle-0")
    room.press("start-now")
    expect(room.at("double")).to_contain_text("RADDOPPIA GRATIS")
    for _ in range(3):
        hall.house.end("decisions")
    room.sees("sum", "Hai vinto 5,00")
    room.sees("notices", "Posto 1: tempo scaduto, decisione automatica: carta")
    room.page.reload()  # it was not put away
    room.sees("notices", "Posto 1: tempo scaduto, decisione automatica: stai")
    room.press("notice-close")
    expect(room.at("notice-close")).to_have_count(0)
    room.shows("seat-0", "cinque di picche", "quattro di quadri", "due di quadri", "otto di picche")
    room.page.goto(f"{hall.house.url}/history/{hall.house.live.play.code}")
    expect(room.at("round-steps")).to_contain_text("tempo scaduto, decisione automatica: stai")
    hall.check()
