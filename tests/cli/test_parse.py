"""What a player may type."""

from __future__ import annotations

import pytest

from sabot.cli.play import parse
from sabot.cli.play.parse import (
    Add,
    Answer,
    Ask,
    Decide,
    Go,
    Insurance,
    Limits,
    NotUnderstoodError,
    Press,
    Stake,
    parse_answer,
    parse_bet,
    parse_decision,
    parse_step,
    parse_yes,
)
from sabot.texts import Catalogue

NAMES = (
    *("hit", "stand", "double", "split", "surrender", "cashback"),
    *("accept", "refuse", "accept-all", "refuse-all", "spin", "continue"),
)
IT = {name: Catalogue("it").text(f"key.{name}") for name in NAMES}
EN = {name: Catalogue("en").text(f"key.{name}") for name in NAMES}


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("1 10", Stake(0, "main", 1000)),
        ("5 2.50", Stake(4, "main", 250)),
        ("mano 2 2,5", Stake(1, "main", 250)),
        ("10", Stake(None, "main", 1000)),
        ("€10", Stake(None, "main", 1000)),
        ("1 pp 5", Stake(0, "player-pair", 500)),
        ("pp 5", Stake(None, "player-pair", 500)),
        ("1 213 5", Stake(0, "21+3", 500)),
        ("213 5", Stake(None, "21+3", 500)),
        ("1 21 + 3 5", Stake(0, "21+3", 500)),
        ("1 LINK 2", Stake(0, "link", 200)),
        ("dp 5", Stake(-1, "dealer-pair", 500)),
        ("1 coppia del banco 5", Stake(-1, "dealer-pair", 500)),
        ("rebet", Press("repeat")),
        ("RIPETI PUNTATA", Press("repeat")),
        ("rebet deal", Press("repeat-deal")),
        ("  Ripunta  e  DISTRIBUISCI ", Press("repeat-deal")),
        ("double deal", Press("double-deal")),
        ("RADDOPPIA E DISTRIBUISCI", Press("double-deal")),
        ("double", Press("double")),
        ("raddoppia", Press("double")),
        ("undo", Press("undo")),
        ("INDIETRO", Press("undo")),
        ("CANCELLA PUNTATE", Press("clear")),
        ("DISTRIBUISCI", Press("deal")),
        ("add 100", Add(10_000)),
        ("AGGIUNGI DENARO 2,50", Add(250)),
        ("limits", Limits("")),
        ("limiti alti", Limits("alti")),
        ("insurance", Insurance(None)),
        ("insurance off", Insurance(False)),
        ("assicurazione sì", Insurance(True)),
        ("?", Ask("help")),
        ("regole", Ask("rules")),
        ("esci", Ask("quit")),
    ],
)
def test_bets(line: str, meant: parse.BetInput) -> None:
    assert parse_bet(line, spots=5) == meant


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("", "parse.empty"),
        ("mano", "parse.empty"),
        ("hello", "parse.unknown"),
        ("1 ten", "parse.amount"),
        ("1 1.000", "parse.amount"),
        ("1 -5", "parse.amount"),
        ("10.", "parse.amount"),
        ("0 10", "parse.hand"),
        ("6 10", "parse.hand"),
        ("1 foo 5", "parse.kind"),
        ("add", "parse.amount"),
        ("add lots", "parse.amount"),
        ("insurance maybe", "parse.switch"),
        ("²", "parse.unknown"),
        ("² 5", "parse.kind"),
        ("1 9999999999", "parse.amount"),
    ],
)
def test_lines_that_are_no_bet(line: str, key: str) -> None:
    with pytest.raises(NotUnderstoodError) as error:
        parse_bet(line, spots=5)
    assert error.value.key == key
    for language in ("it", "en"):
        assert Catalogue(language).text(key, **error.value.params)


def test_a_letter_means_what_its_language_says() -> None:
    assert parse_decision("d", EN) == Decide("double")
    assert parse_decision("d", IT) == Decide("split")
    assert parse_decision("r", IT) == Decide("double")
    assert parse_decision("r", EN) == Decide("surrender")


@pytest.mark.parametrize("keys", [IT, EN])
def test_words_are_understood_in_both_languages(keys: dict[str, str]) -> None:
    for words, action in (
        ("hit CARTA prendi_carta", "hit"),
        ("stand STAI", "stand"),
        ("double RADDOPPIA", "double"),
        ("split DIVIDI", "split"),
        ("surrender RESA", "surrender"),
        ("CASHBACK", "cashback"),
    ):
        for word in words.split():
            assert parse_decision(word.replace("_", " "), keys) == (action,)


def test_no_two_buttons_of_one_prompt_share_a_letter() -> None:
    for keys in (IT, EN):
        for prompt in (NAMES[:6], NAMES[6:10]):
            assert len({keys[name] for name in prompt}) == len(prompt)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("y", Answer(True, False)),
        ("ACCETTA", Answer(True, False)),
        ("sì", Answer(True, False)),
        ("n", Answer(False, False)),
        ("rifiuto", Answer(False, False)),
        ("ya", Answer(True, True)),
        ("all", Answer(True, True)),
        ("ACCETTA TUTTO", Answer(True, True)),
        ("na", Answer(False, True)),
        ("rifiuta tutti", Answer(False, True)),
        ("Applica a tutte + RIFIUTO", Answer(False, True)),
        ("help", Ask("help")),
    ],
)
def test_answers(line: str, answer: Answer | Ask) -> None:
    assert parse_answer(line, EN) == answer


def test_italian_answers_by_letter() -> None:
    answers = [parse_answer(letter, IT) for letter in ("a", "n", "ta", "tn")]
    assert answers == [Answer(True, False), Answer(False, False), Answer(True, True), Answer(False, True)]


def test_steps_of_the_bonus() -> None:
    assert parse_step("", IT, "spin") == Go("spin")
    assert parse_step("g", IT, "spin") == Go("spin")
    assert parse_step("GIRA", EN, "spin") == Go("spin")
    assert parse_step("o", IT, "continue") == Go("continue")
    assert parse_step("salta", IT, "spin") == Go("skip")
    with pytest.raises(NotUnderstoodError):
        parse_step("x", IT, "spin")


def test_yes() -> None:
    assert [parse_yes(line) for line in ("y", "S", "sì", "yes", "n", "", "quit")] == [True] * 4 + [False] * 3
