"""The guide of each game: no rule without its sentence, no number that is not in force (PLT-66)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
import pytest

from sabot.games import CATALOGUE
from sabot.games.options import GoldenOptions, Limits
from sabot.guide import SECTIONS, Facts, HouseFacts, guide
from sabot.tables.live.timers import Timers
from sabot.texts import LANGUAGES, Catalogue
from tests.conformance.rules import titles

GAMES = ("surrender", "cashback", "link", "freebet", "majority-eu", "majority-us")
OWN = {"surrender": "SUR", "cashback": "CSH", "link": "LNK", "freebet": "FRB"}
UNSTATED = tomllib.loads(Path(__file__).with_name("unstated.toml").read_text("utf-8"))
#: Beside the rules of the games, the platform and side bets.
ALSO = ("ASR-20", "ASR-40", "ASR-41")
HOUSE = HouseFacts(
    demo_money=500_000,
    abandoned_hours=24,
    idle_minutes=30,
    cooling_hours=24,
    least_age=18,
)
#: Numbers of blackjack itself: values of cards, and totals that need no setting.
PLAIN = {"1", "2", "9", "10", "11", "12", "16", "17", "18", "21", "22", "52"}


def facts(name: str, **changes: Any) -> Facts:
    game = CATALOGUE[name]
    return Facts(
        game,
        msgspec.structs.replace(game.options, **changes.get("options", {})),
        Timers(**changes.get("timers", {})),
        msgspec.structs.replace(HOUSE, **changes.get("house", {})),
        changes.get("studio", False),
        changes.get("caps", ()),
    )


def words(found: Facts, language: str = "it") -> str:
    return "\n".join(line for section in guide(found, language) for line in section.lines)


def stated(found: Facts) -> set[str]:
    """Every rule that the guide of a game states."""
    sentences = (sentence for section in SECTIONS.values() for sentence in section)
    return {rule for sentence in sentences if sentence.applies(found) for rule in sentence.rules}


def wanted(name: str) -> set[str]:
    """Every rule that the guide of a game has to state."""
    prefixes = ("COM", "SB", "PLT", OWN.get(name, "MAJ"))
    rules = CATALOGUE[name].rules
    kinds = {name, "solo" if rules.backing == "solo" else "live", rules.backing}
    return {
        rule
        for rule in titles()
        if (rule.partition("-")[0] in prefixes or rule in ALSO)
        and rule not in UNSTATED["nobody"]
        and rule not in UNSTATED["options"]
        and kinds & set(UNSTATED["only"].get(rule, kinds))
    }


@pytest.mark.rule("PLT-61", "PLT-66")
@pytest.mark.parametrize("name", GAMES)
def test_every_rule_has_its_sentence_in_the_guide_of_each_game_it_holds_for(name: str) -> None:
    assert sorted(wanted(name) - stated(facts(name))) == []


@pytest.mark.rule("PLT-66")
def test_rules_that_depend_on_an_option_are_stated_where_it_is_on() -> None:
    for rule, option in UNSTATED["options"].items():
        assert rule not in stated(facts("majority-eu", options={option: False}))
        assert rule in stated(facts("majority-eu", options={option: True}))


def test_the_lists_of_exceptions_name_rules_that_exist() -> None:
    listed = {rule for section in UNSTATED.values() for rule in section}
    sentences = {rule for each in SECTIONS.values() for sentence in each for rule in sentence.rules}
    assert listed | sentences <= set(titles())
    assert all(UNSTATED["nobody"].values())
    assert not sentences & set(UNSTATED["nobody"])


@pytest.mark.rule("PLT-66", "PLT-46")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*GAMES, "classic-6", "classic-8"])
def test_every_sentence_is_filled_in(name: str, language: str) -> None:
    for section in guide(facts(name), language):
        assert section.title
        assert len(set(section.lines)) == len(section.lines)
        for line in section.lines:
            assert not re.search(r"[{}]|\bNone\b|\bnan\b|guide\.", line), line


@pytest.mark.rule("PLT-66")
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_of_a_rule_is_written_into_a_sentence(language: str) -> None:
    texts = Catalogue(language)._texts
    keys = [f"guide.{sentence.key}" for section in SECTIONS.values() for sentence in section]
    assert len(keys) == len(set(keys))
    for key in keys:
        literal = " ".join(part for part, *_ in Formatter().parse(texts[key]))
        assert set(re.findall(r"\d+", literal)) <= PLAIN, key
    unused = {key for key in texts if key.startswith("guide.")} - set(keys)
    assert {key.split(".")[1] for key in unused} <= {"unit", "section", "or", "prize"}


@pytest.mark.rule("PLT-66")
@pytest.mark.parametrize(
    ("name", "changes", "before", "after"),
    [
        ("freebet", {"timers": {"betting": 20}}, "aperte per 15 secondi", "aperte per 20 secondi"),
        ("freebet", {"timers": {"decision": 1}}, "12 secondi per ogni", "1 secondo per ogni"),
        ("freebet", {"timers": {"grace": 40}}, "per 15 secondi conti", "per 40 secondi conti"),
        ("freebet", {"timers": {"idle_rounds": 5}}, "per 3 round", "per 5 round"),
        ("freebet", {"timers": {"seats_each": 1}}, "al massimo 2 posti", "al massimo 1 posto"),
        ("freebet", {"options": {"cut": 200}}, "dopo 208 carte", "dopo 200 carte"),
        ("freebet", {"options": {"main": Limits(200, 700)}}, "da 1,00 a 5.000,00", "da 2,00 a 7,00"),
        ("majority-eu", {"timers": {"vote": 9}}, "8 secondi per votare", "9 secondi per votare"),
        ("majority-eu", {"options": {"vote_threshold": 7}}, "da 3 giocatori", "da 7 giocatori"),
        ("majority-eu", {"options": {"insurance": False}}, "ti è offerta l'assicurazione", "non è offerta"),
        (
            "majority-eu",
            {"options": {"buster_keeps_dealer": False}},
            "completa la mano anche se tutti hanno sballato",
            "Se tutte le mani del tavolo hanno sballato il banco non prende altre carte",
        ),
        (
            "majority-us",
            {"options": {"side_bets_off": ("buster",)}},
            "Buster Blackjack: il banco",
            "Lucky Lucky",
        ),
        (
            "majority-us",
            {"options": {"golden": GoldenOptions(mixing=False, cap=4)}},
            "non c'è un massimo",
            "al massimo 4 fiche",
        ),
        ("cashback", {"options": {"cashback_margin": 250}}, "meno il 1", "meno il 2,5 %"),
        ("link", {"options": {"max_win": 12_345}}, "500.000,00", "123,45"),
        ("link", {"house": {"abandoned_hours": 1}}, "dopo 24 ore le mani", "dopo 1 ora le mani"),
    ],
)
def test_what_is_in_force_is_what_is_said(
    name: str, changes: dict[str, Any], before: str, after: str
) -> None:
    usual, other = words(facts(name)), words(facts(name, **changes))
    assert before in usual
    assert before not in other
    assert after in other


@pytest.mark.rule("LNK-36", "COM-27", "PLT-66")
def test_only_a_bonus_win_can_be_staked_in_its_round() -> None:
    """Elsewhere no payment can; in Link what the bonus paid can, from when it is credited."""
    without = "non si possono puntare nello stesso round."
    assert without in words(facts("surrender"))
    link = words(facts("link"))
    assert without not in link
    assert "fa eccezione la vincita del bonus" in link


@pytest.mark.rule("PLT-04", "PLT-64", "PLT-66")
def test_a_cap_is_stated_where_there_is_one() -> None:
    """What the window says in which money is brought; without a cap no amount is named."""
    assert "per sessione" not in words(facts("surrender")) + words(facts("freebet"))
    solo = words(facts("surrender", caps=(("low", 90_000), ("mine", 24_100_000))))
    assert "secondo i limiti scelti: bassi 900,00; mine 241.000,00." in solo
    assert "A questo tavolo porti al massimo 900,00 per sessione." in words(
        facts("freebet", caps=(("", 90_000),))
    )


@pytest.mark.rule("FRB-07", "SB-09", "SB-13", "LNK-30", "COM-45", "PLT-66")
def test_what_the_guide_once_had_wrong() -> None:
    freebet = words(facts("freebet"))
    assert "Un tuo blackjack non risente mai del 22" in freebet
    majority = words(facts("majority-us"))
    assert "Si decide quando la mano del banco è finita" in majority
    assert "Coppia del croupier: come" in majority
    assert "Si decide quando il banco mostra la seconda carta" in majority
    link = words(facts("link"))
    assert "Link paga da 3 a 1 fino a 6.900 a 1, Mega Link da 6 a 1 fino a 13.800 a 1." in link
    assert "ALLA PARI: un tuo blackjack" in link
    assert "un 21 soft di 9 carte" in link
    assert "un 21 soft di 6 carte" in words(facts("surrender"))
    assert "21 soft di" not in freebet
    assert "Link pays from 3 to 1 up to 6,900 to 1" in words(facts("link"), "en")


@pytest.mark.rule("STU-30", "STU-01")
@pytest.mark.parametrize("name", ["freebet", "majority-eu", "majority-us"])
def test_at_a_studio_table_the_guide_says_what_stands_in_place_of_a_commitment(name: str) -> None:
    house, studio = facts(name), facts(name, studio=True)
    assert sorted(wanted(name) - stated(studio)) == []
    assert {"STU-01", "STU-08", "STU-30"} <= stated(studio) - stated(house)
    for language, none, stands, shuffle in (
        ("it", "non ha impegno", "il video", "mescolamento si può verificare"),
        ("en", "has no commitment", "the video", "shuffle can be verified"),
    ):
        text = words(studio, language)
        assert none in text
        assert stands in text
        assert shuffle not in text
        assert none not in words(house, language)
