"""Terms and conditions: accepted at registration and again when they change; players are of age (PLT-62, PLT-63)."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy
from msgspec.structs import replace

from sabot.engine.commands import Bet
from sabot.rounds.audit import audit_house
from sabot.server.config import Config, LimitsSection, TableSection
from sabot.server.http.handlers import auth
from sabot.server.http.handlers.auth import max_wins_text
from sabot.server.tables.limits import MaximumWin, maximum_wins
from sabot.store import schema
from tests.support.clock import NOON
from tests.support.house import VAULT
from tests.support.site import NEWCOMER, PASSWORD, Answer, Site

BETS = (Bet(0, "main", 100),)
TODAY = datetime.fromtimestamp(NOON / 1000, UTC).date()


def years_ago(years: int, days: int = 0) -> str:
    """The date so many years before today, and some days later."""
    return TODAY.replace(year=TODAY.year - years, day=TODAY.day + days).isoformat()


async def come(site: Site, **fields: object) -> Answer:
    body = {"name": "ada", "password": PASSWORD, "bearer": True, **NEWCOMER}
    return await site.nobody.post("/register", body | fields)


@pytest.mark.rule("PLT-62")
async def test_registration_asks_for_age_and_the_terms_in_force(file_url: str) -> None:
    async with Site(file_url) as site:
        for born in ("1990-02-30", "1850-01-01", years_ago(-1)):
            assert (await come(site, born=born)).code == "birth/bad"
        for born in ("1990-1-1", "yesterday", "1990-12-31\n"):
            assert (await come(site, born=born)).status == 400
        young = await come(site, born=years_ago(18, 1))
        assert (young.status, young.code) == (403, "birth/too-young")
        assert young.body["error"]["params"] == {"least": 18}
        other = await come(site, terms="2")
        assert (other.status, other.code) == (409, "terms/version")
        for missing in ("born", "terms"):
            body = {"name": "ada", "password": PASSWORD, "bearer": True, **NEWCOMER}
            del body[missing]
            assert (await site.nobody.post("/register", body)).code == "request/bad"
        with site.database.reading() as connection:
            assert connection.execute(sqlalchemy.select(schema.players)).all() == []
        assert (await come(site, born=years_ago(18))).status == 200
        with site.database.reading() as connection:
            player = connection.execute(sqlalchemy.select(schema.players)).one()
            accepted = connection.execute(sqlalchemy.select(schema.terms_accepted)).one()
        assert player.born == years_ago(18)
        assert tuple(accepted) == (player.id, "1", NOON)
        assert audit_house(site.database, vault=VAULT).findings == []


@pytest.mark.rule("PLT-62")
async def test_a_new_version_is_accepted_before_playing_for_money(file_url: str) -> None:
    async with Site(file_url) as site:
        ada = await site.join("ada")
        me = await ada.get("/me")
        assert me.body["terms_due"] is False
        paid = {"id": "a", "currency": "EUR", "amount": 5_000}
        assert (await ada.post("/cashier/deposit", paid)).status == 200
    async with Site(file_url, operator={"terms_version": "2"}) as site:
        answer = await site.come("ada")
        ada = site.nobody.__class__(site, answer.body["token"])
        assert (await ada.get("/me")).body["terms_due"] is True
        more = {"id": "b", "currency": "EUR", "amount": 5_000}
        refused = await ada.post("/cashier/deposit", more)
        assert (refused.status, refused.code) == (403, "terms/not-accepted")
        assert refused.body["error"]["params"] == {"version": "2"}
        login = await site.players.find(ada.token)
        assert login is not None
        with pytest.raises(Exception, match="Accept the terms") as error:
            await site.players.may_bet(login, BETS, "EUR")
        assert getattr(error.value, "code", "") == "terms/not-accepted"
        await site.players.may_bet(login, BETS, "FUN")
        # What is hers can always be taken out.
        taken = {"id": "c", "currency": "EUR", "amount": 1_000}
        assert (await ada.post("/cashier/withdraw", taken)).status == 200
        assert (await ada.post("/terms", {"version": "1"})).code == "terms/version"
        for _ in range(2):
            assert (await ada.post("/terms", {"version": "2"})).status == 204
        assert (await ada.get("/me")).body["terms_due"] is False
        await site.players.may_bet(login, BETS, "EUR")
        assert (await ada.post("/cashier/deposit", more)).status == 200
        demo = await site.nobody.post("/demo", {"bearer": True})
        guest = site.nobody.__class__(site, demo.body["token"])
        assert (await guest.get("/me")).body["terms_due"] is False
        assert audit_house(site.database, vault=VAULT).findings == []


@pytest.mark.rule("PLT-62", "LNK-08", "PLT-10")
def test_the_terms_name_the_maximum_win_in_force() -> None:
    """One amount where all limits have it; else each with the limits that have it; nothing where no game has one."""
    assert "massimo, oltre alle puntate restituite: Blackjack Link 500.000,00. " in told(Config())
    high = LimitsSection(name="high", games=("link",), max_win=90_000_000)
    mine = LimitsSection(name="mine", games=("link",))
    table = TableSection(name="one", game="majority-eu", title="Notturno", options={"max_win": 7_000_000})
    assert (
        "Blackjack Link (limiti alti) 900.000,00; Blackjack Link (limiti mine) 500.000,00; Notturno 70.000,00."
    ) in told(Config(limits=(high, mine), table=(table,)))
    assert max_wins_text((), "it") == ""


def told(config: Config) -> str:
    return max_wins_text(maximum_wins(config), "it")


@pytest.mark.rule("PLT-62", "ASR-30")
async def test_the_terms_are_made_once_for_the_same_settings(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of limits or tables makes them anew."""
    made: list[Config] = []

    def noted(config: Config) -> tuple[MaximumWin, ...]:
        made.append(config)
        return maximum_wins(config)

    monkeypatch.setattr(auth, "maximum_wins", noted)
    async with Site(file_url) as site:
        first = [(await site.nobody.get("/terms")).text for _ in range(3)]
        assert (len(set(first)), len(made)) == (1, 1)
        table = TableSection(name="one", game="majority-eu", title="Notturno", options={"max_win": 7_000_000})
        site.house.config = replace(site.house.config, table=(table,))
        assert "Notturno 70.000,00" in (await site.nobody.get("/terms")).text
        assert len(made) == 2


@pytest.mark.rule("PLT-62", "PLT-63", "PLT-50", "LNK-08")
async def test_terms_and_contacts_are_the_operators(file_url: str, tmp_path: Path) -> None:
    own = tmp_path / "termini.txt"
    own.write_text("# Nostri\nParole nostre: perché sì.\n", "utf-8")

    async with Site(file_url) as site:
        terms = (await site.nobody.get("/terms")).body
        assert terms["version"] == "1"
        assert terms["texts"]["it"].startswith("# ")
        assert terms["texts"]["en"] != terms["texts"]["it"]
        assert "# Vincita massima\nIn un round si vincono al massimo" in terms["texts"]["it"]
        assert "Blackjack Link 500,000.00." in terms["texts"]["en"]
        told = (await site.nobody.get("/operator")).body
        assert told["help_line"]["phone"] == "800 558822"
        assert told["register"]["url"].startswith("https://www.adm.gov.it")
        assert told["assistance"] == {"email": "", "phone": "", "url": ""}
    settings = {
        "terms_it": str(own),
        "terms_version": "2026-11",
        "assistance_email": "aiuto@example.org",
        "least_age": 21,
    }
    async with Site(file_url, operator=settings) as site:
        terms = (await site.nobody.get("/terms")).body
        assert terms["version"] == "2026-11"
        assert terms["texts"]["it"].startswith(own.read_text("utf-8"))
        assert "Blackjack Link 500.000,00." in terms["texts"]["it"]
        assert terms["texts"]["en"].startswith("# ")
        told = (await site.nobody.get("/operator")).body
        assert told["assistance"]["email"] == "aiuto@example.org"
        assert (told["least_age"], told["terms_version"]) == (21, "2026-11")
