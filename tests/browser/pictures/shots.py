"""Pictures of every screen: `make shots` takes them, and writes the page that shows them.

They are for people to look at: on a phone and on a laptop, in Italian; key screens also on a phone that lies on its side,
on a larger screen, and in English. Cards, bets and players are chosen; what the clock says is not.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.pictures.shot import LANGUAGES, PHONE, SCREEN, Device, Shot, photograph, prepare, shown
from tests.browser.pictures.solo_shots import SOLO
from tests.browser.support.guest import PASSWORD, Command, Guest, Played
from tests.browser.support.room import PATIENCE
from tests.browser.support.seeded import SeededShoes
from tests.browser.support.serve import ServedHouse

#: Rounds that make a history worth looking at: a win with side bets, a split, a loss, an insurance.
SHOES = (
    "10s 9s 9h Kd 8d 8c 10c",
    "8s 8d 7h 8h 3c 9h Kd 10h 10s 5d 6c",
    "10s 9s 9h 6d 8d 10c",
    "9s 8s Ah 9d 8d Kc",
    "10s 8s 9h Kd 8d 7c 5h 4h",
)


def _play(guest: Guest, rounds: int) -> str:
    """Some rounds of Surrender, with two hands and a side bet."""
    bets = [(0, "main", 1_000), (1, "main", 2_000), (0, "21+3", 500), (0, "player-pair", 200)]
    stand = [("stand", 0, 0), ("stand", 1, 0)]
    split = [("split", 0, 0), ("stand", 0, 0), ("stand", 0, 1), ("double", 1, 0)]
    no_insurance = [{"type": "insure", "accept": False, "spot": None}]
    ways: list[list[Command]] = [[*stand], [*split], [*stand], [*no_insurance]]
    return guest.play(*(Played(bets, way) for way in ways[:rounds]))


# What there is to see


def _lobby(guest: Guest) -> None:
    guest.open("/")
    expect(guest.at("game-link").first).to_be_visible()
    guest.page.wait_for_selector("[data-testid^=table-]")


def _door(guest: Guest) -> None:
    guest.open("/enter")
    guest.at("user-name").fill("ada")
    guest.at("password").fill("wrong password")
    guest.press("log-in")
    expect(guest.at("failure").first).to_be_visible()


def _register(guest: Guest) -> None:
    guest.open("/enter?register")
    guest.at("user-name").fill("ada")
    guest.at("password").fill(PASSWORD)
    guest.at("password-again").fill("another password")


def _player_lobby(guest: Guest) -> None:
    guest.register("ada.lovelace")
    guest.open("/")
    guest.page.wait_for_selector("[data-testid^=table-]")


def _open_round(guest: Guest) -> None:
    guest.come_in()
    guest.play(Played([(0, "main", 1_000), (1, "main", 2_000)]))
    guest.open("/help")
    guest.press("menu", "go-lobby")
    expect(guest.at("continue").first).to_be_visible()
    guest.page.wait_for_selector("[data-testid^=table-]")


def _search(guest: Guest) -> None:
    guest.open("/")
    guest.at("search").fill("poker")
    expect(guest.at("nothing").first).to_be_visible()


def _menu(guest: Guest) -> None:
    guest.demo("/")
    expect(guest.at("balance").first).to_be_visible()
    guest.press("menu")
    expect(guest.at("go-history").first).to_be_visible()


def _beside(guest: Guest) -> None:
    _table(guest)
    guest.press("lobby")
    expect(guest.at("lobby-beside").first).to_be_visible()
    guest.page.wait_for_selector("[data-testid^=table-]")


def _table(guest: Guest) -> None:
    guest.come_in()
    _play(guest, 2)
    guest.open("/play/surrender")
    expect(guest.at("sum").first).to_be_visible()


def _history(guest: Guest) -> None:
    guest.come_in()
    _play(guest, 4)
    guest.open("/history")
    expect(guest.at("round").first).to_be_visible()


def _empty_history(guest: Guest) -> None:
    guest.demo("/history")
    expect(guest.at("no-rounds").first).to_be_visible()


#: With these parts of the player's in the first seeded shoe, a pair of eights is split, a blackjack opens the bonus.
SPLIT, BONUS = "Ferrara 1008", "Ferrara 10"


def _round(guest: Guest) -> None:
    guest.come_in()
    bets = [(0, "main", 1_000), (1, "main", 2_000), (0, "21+3", 500), (0, "player-pair", 200)]
    decisions = [("split", 0, 0), ("stand", 0, 0), ("stand", 0, 1), ("double", 1, 0)]
    guest.open(f"/history/{guest.play(Played(bets, decisions, SPLIT))}")
    guest.press("check")
    expect(guest.at("findings").first).to_be_visible()


def _bonus_round(guest: Guest) -> None:
    guest.come_in()
    bets = [(0, "main", 1_000), (0, "link", 500), (-1, "dealer-pair", 200)]
    spins = [{"type": kind, "spot": 0} for kind in ("spin", "continue", *["spin"] * 6)]
    guest.open(f"/history/{guest.play(Played(bets, spins, BONUS), game='link')}")
    guest.press("check")
    expect(guest.at("findings").first).to_be_visible()


def _cashier(guest: Guest) -> None:
    guest.register("grace.hopper")
    guest.open("/cashier")
    guest.at("amount").fill("50")
    guest.press("pay")
    expect(guest.at("done").first).to_be_visible()


def _demo_cashier(guest: Guest) -> None:
    guest.demo("/cashier")
    expect(guest.at("pay").first).to_be_visible()


def _settings(guest: Guest) -> None:
    guest.register("katherine")
    guest.open("/settings")
    guest.press("four-colours")


def _responsible(guest: Guest) -> None:
    guest.register("emmy.noether")
    guest.open("/responsible")
    limit = guest.at("limit-loss-day")
    limit.get_by_test_id("value").fill("40")
    limit.get_by_test_id("set").click()
    expect(limit.get_by_test_id("set-done")).to_be_visible()


def _exclusion(guest: Guest) -> None:
    guest.register("hypatia")
    guest.open("/responsible")
    guest.press("exclude")
    expect(guest.at("exclude-yes").first).to_be_visible()


def _excluded(guest: Guest) -> None:
    guest.register("maria")
    guest.open("/responsible")
    guest.press("exclude")
    guest.press("exclude-yes")
    guest.at("user-name").fill("maria")
    guest.at("password").fill(PASSWORD)
    guest.press("log-in")
    guest.press("to-withdraw")
    expect(guest.at("balance").first).to_be_visible()
    guest.open("/")
    expect(guest.at("excluded").first).to_be_visible()


def _help(guest: Guest) -> None:
    guest.open("/help")
    expect(guest.at("help-link").first).to_be_visible()


def _help_of(game: str) -> Callable[[Guest], None]:
    def go(guest: Guest) -> None:
        guest.page.set_default_timeout(120_000)
        guest.open(f"/help/{game}")
        expect(guest.at("best")).to_be_visible(timeout=120_000)

    return go


def _fairness(guest: Guest) -> None:
    record = Path(__file__).parents[3] / "web/src/fairness/records/surrender.toml"
    guest.open("/fairness")
    guest.at("record").fill(re.sub(r'^cards = "\S+', 'cards = "6d', record.read_text("utf-8"), flags=re.M))
    guest.press("check-record")
    expect(guest.at("findings").first).to_be_visible()


def _live(guest: Guest) -> None:
    guest.demo("/live/majority-eu")
    expect(guest.at("demo")).to_be_hidden()
    expect(guest.page.locator("h1").first).to_be_visible()


def _nowhere(guest: Guest) -> None:
    guest.open("/nowhere")
    expect(guest.at("oops").first).to_be_visible()


def _reality(guest: Guest) -> None:
    guest.page.clock.install()
    _table(guest)
    guest.page.clock.fast_forward("01:01:00")
    expect(guest.at("reality").first).to_be_visible()


SHOTS = (
    Shot("lobby", "The lobby, for a visitor", _lobby, whole=False, key=True),
    Shot("lobby-player", "The lobby of a player with an account", _player_lobby, whole=False),
    Shot("lobby-round", "A round in play stands first", _open_round, whole=False),
    Shot("lobby-nothing", "A search that finds nothing", _search),
    Shot("lobby-beside", "The lobby beside a table", _beside, whole=False),
    Shot("menu", "The menu", _menu, whole=False),
    Shot("door", "Logging in, with a wrong password", _door),
    Shot("register", "Registering", _register),
    *SOLO,
    Shot("table", "Results, hand by hand and in sum", _table, whole=False, key=True),
    Shot("live", "A live table", _live, whole=False),
    Shot("history", "History", _history, key=True),
    Shot("history-empty", "History, before the first round", _empty_history),
    Shot("round", "A round, opened and checked", _round, shoes=SeededShoes),
    Shot("round-bonus", "A round of Blackjack Link with its bonus", _bonus_round, shoes=SeededShoes),
    Shot("cashier", "The cashier", _cashier, key=True),
    Shot("cashier-demo", "The cashier in the demo", _demo_cashier),
    Shot("settings", "Settings", _settings, key=True),
    Shot("responsible", "Responsible play", _responsible),
    Shot("exclusion", "Self-exclusion asks again", _exclusion, whole=False),
    Shot("excluded", "What a self-excluded player can still do", _excluded),
    Shot("reality", "The reality check", _reality, whole=False),
    Shot("help", "Help", _help),
    Shot("help-link", "Help of Blackjack Link", _help_of("link"), whole=False),
    Shot("help-majority", "Help of Majority Rules, EU dealing", _help_of("majority-eu"), whole=False),
    Shot("fairness", "A record that was changed does not pass", _fairness),
    Shot("nowhere", "An address that leads nowhere", _nowhere),
)


def take(shot: Shot, device: Device, language: str, folder: Path, browser: Browser) -> None:
    """Take the pictures of a screen on one device, in a house of its own."""
    shoes = None if shot.shoes is None else shot.shoes()
    context = browser.new_context(locale=LANGUAGES[language], **device.context)
    with (
        TemporaryDirectory() as place,
        ServedHouse(Path(place), *SHOES, shoes=shoes) as house,
    ):
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(
            house.url
        )  # what is written is in our face from the second page on, however slow the first one was
        shot.go(Guest(page, house))
        page.evaluate("scrollTo(0, 0)")
        photograph(page, folder, shot.name, device, language=language, key=shot.key, whole=shot.whole)
        context.close()


def write_page(file: Path, folder: Path) -> None:
    """The page that shows them."""
    lines = [
        "# Screens",
        "",
        "Every screen, the live tables' apart ([live-screens.md](live-screens.md)): on a phone and on a laptop; key screens also",
        "on a phone that lies on its side, on a larger screen, and in English. `make shots` takes the pictures again.",
    ]
    for shot in SHOTS:
        lines += ["", f"## {shot.title}", "", *shown(folder, shot.name, shot.title)]
    file.write_text("\n".join(lines) + "\n", "utf-8")


def main(arguments: list[str]) -> None:
    """Take the pictures into a folder: all, or those named after it."""
    folder = Path(arguments[0])
    prepare(folder, whole=not arguments[1:])
    wanted = [shot for shot in SHOTS if not arguments[1:] or shot.name in arguments[1:]]
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for shot in wanted:
            print(shot.name, flush=True)
            for language in LANGUAGES if shot.key else ("it",):
                for device in (PHONE, SCREEN):
                    take(shot, device, language, folder, browser)
        browser.close()
    if not arguments[1:]:
        write_page(folder.parent / "screens.md", folder)


if __name__ == "__main__":
    main(sys.argv[1:])
