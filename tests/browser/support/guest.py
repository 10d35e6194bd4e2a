"""A person in the house: comes in, looks around, and plays rounds without the table's page in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from playwright.sync_api import Locator, Page, expect

from tests.browser.support.room import PATIENCE, Room
from tests.browser.support.serve import ServedHouse

PASSWORD = "a long password"

#: Plays rounds over a socket of the page's own, with the cookie that no script sees.
_PLAY = """
async ({ game, currency, amount, rounds }) => {
  const socket = new WebSocket(`ws://${location.host}/api/v1/socket`, "sabot.v1");
  await new Promise((open) => (socket.onopen = open));
  const waiting = new Map();
  let table = "", round = "", turn = 0, sitting = false;
  socket.onmessage = ({ data }) => {
    const told = JSON.parse(data);
    if (told.type === "snapshot") ({ table, round, turn } = told);
    if (told.type === "me") sitting = told.balance !== null;
    if (told.events) ({ round, turn } = told);
    if (told.type === "answer") waiting.get(told.id)?.(told.error);
  };
  const ask = async (question) => {
    const own = `play-${Math.random().toString(36).slice(2)}`;
    const answered = new Promise((answer) => waiting.set(own, answer));
    socket.send(JSON.stringify({ ...question, id: own }));
    const error = await answered;
    if (error) throw new Error(`${question.type}: ${JSON.stringify(error)}`);
  };
  await ask({ type: "open", game, currency });
  if (!sitting) await ask({ type: "sit", table, amount });
  for (const { bets, commands, seed } of rounds) {
    await ask({ type: "deal", table, bets, client_seed: seed });
    for (const command of commands) await ask({ ...command, table, round, turn });
  }
  const last = round;
  socket.close();
  return last;
}
"""


#: Follows a link that is nowhere to be seen.
_FOLLOW = """(path) => {
  const link = document.body.appendChild(Object.assign(document.createElement("a"), { href: path }));
  link.click();
  link.remove();
}"""

#: A decision as (type, spot, hand), or any command with its fields.
Command = tuple[str, int, int] | dict[str, Any]


class Played(NamedTuple):
    """A round to be played: bets as (spot, kind, stake), and what is asked after the deal."""

    bets: Sequence[tuple[int, str, int]]
    commands: Sequence[Command] = ()
    seed: str = "Ferrara"


class Guest(Room):
    """Someone with a browser, in the words of the pages around the tables."""

    def open(self, path: str) -> None:
        self.page.goto(self.house.url + path)

    def go(self, path: str) -> None:
        """Follow a link from the page that is open: nothing is loaded again."""
        self.page.evaluate(_FOLLOW, path)
        expect(self.page).to_have_url(self.house.url + path)

    def demo(self, path: str) -> None:
        """Come in with play money, to a page."""
        self.come_in()
        self.open(path)

    def register(self, name: str, password: str = PASSWORD) -> None:
        """Have a new account; no page is opened."""
        self.tell("register", name=name, password=password, born="1990-12-31", terms="1")

    def sign_up(self, name: str, password: str = PASSWORD) -> None:
        """Fill in the form of a new account, and send it."""
        self.fill(user_name=name, password=password, password_again=password, born="1990-12-31")
        self.at("accept-terms").check()
        self.press("register")

    def log_in(self, name: str, password: str = PASSWORD) -> None:
        self.open("/enter")
        self.fill(user_name=name, password=password)
        self.press("log-in")

    def fill(self, **fields: str) -> None:
        for field, text in fields.items():
            self.at(field.replace("_", "-")).fill(text)

    def deposit(self, cents: int) -> None:
        """Pay euros in; no page is opened."""
        self.tell("cashier/deposit", id=f"deposit-{uuid4()}", currency="EUR", amount=cents)

    def play(
        self, *rounds: Played, game: str = "surrender", currency: str = "FUN", amount: int = 50_000
    ) -> str:
        """Play rounds over a socket; gives the code of the last one."""
        if not self.page.url.startswith(self.house.url):
            self.open("/api/v1/operator")  # a socket of the page's needs an address of the house, not a page
        asked = [
            {
                "bets": [{"spot": spot, "kind": kind, "stake": stake} for spot, kind, stake in bets],
                "commands": [_request(command) for command in commands],
                "seed": seed,
            }
            for bets, commands, seed in rounds
        ]
        wanted = {"game": game, "currency": currency, "amount": amount, "rounds": asked}
        return str(self.page.evaluate(_PLAY, wanted))

    def within(self, testid: str, inner: str) -> Locator:
        return self.at(testid).get_by_test_id(inner)


def _request(command: Command) -> dict[str, Any]:
    if isinstance(command, tuple):
        kind, spot, hand = command
        command = {"type": kind, "spot": spot, "hand": hand}
    return command if command["type"] == "insure" else {"type": "act", "command": command}


def visit(page: Page, house: ServedHouse) -> Guest:
    """A guest with patience for a machine that does much else."""
    page.set_default_timeout(PATIENCE)
    return Guest(page, house)
