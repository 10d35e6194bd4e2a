"""What a player may type."""

from __future__ import annotations

import pytest

from sabot.cli.play import parse
from sabot.cli.play.parse import (
    AnswerOffer,
    BringMoney,
    MenuChoice,
    NotUnderstoodError,
    PlaceChips,
    ShowLimits,
    SwitchInsurance,
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
        ("1 10", PlaceChips(0, "main", 1000)),
        ("5 2.50", PlaceChips(4, "main", 250)),
        ("mano 2 2,5", PlaceChips(1, "main", 250)),
        ("10", PlaceChips(None, "main", 1000)),
        ("€10", PlaceChips(None, "main", 1000)),
        ("1 pp 5", PlaceChips(0, "player-pair", 500)),
        ("pp 5", PlaceChips(None, "player-pair", 500)),
        ("1 213 5", PlaceChips(0, "21+3", 500)),
        ("213 5", PlaceChips(None, "21+3", 500)),
        ("1 21 + 3 5", PlaceChips(0, "21+3", 500)),
        ("1 LINK 2", PlaceChips(0, "link", 200)),
        ("dp 5", PlaceChips(-1, "dealer-pair", 500)),
        ("1 coppia del banco 5", PlaceChips(-1, "dealer-pair", 500)),
        ("rebet", "repeat"),
        ("RIPETI PUNTATA", "repeat"),
        ("rebet deal", "repeat-deal"),
        ("  Ripunta  e  DISTRIBUISCI ", "repeat-deal"),
        ("double deal", "double-deal"),
        ("RADDOPPIA E DISTRIBUISCI", "double-deal"),
        ("double", "double"),
        ("raddoppia", "double"),
        ("undo", "undo"),
        ("INDIETRO", "undo"),
        ("CANCELLA PUNTATE", "clear"),
        ("DISTRIBUISCI", "deal"),
        ("add 100", BringMoney(10_000)),
        ("AGGIUNGI DENARO 2,50", BringMoney(250)),
        ("limits", ShowLimits("")),
        ("limiti alti", ShowLimits("alti")),
        ("insurance", SwitchInsurance(None)),
        ("insurance off", SwitchInsurance(False)),
        ("assicurazione sì", SwitchInsurance(True)),
        ("?", MenuChoice("help")),
        ("regole", MenuChoice("rules")),
        ("esci", MenuChoice("quit")),
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
    assert error.value.code == key
    for language in ("it", "en"):
        assert Catalogue(language).text(key, **error.value.params)


def test_a_letter_means_what_its_language_says() -> None:
    assert parse_decision("d", EN) == "double"
    assert parse_decision("d", IT) == "split"
    assert parse_decision("r", IT) == "double"
    assert parse_decision("r", EN) == "surrender"


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
            assert parse_decision(word.replace("_", " "), keys) == action


def test_no_two_buttons_of_one_prompt_share_a_letter() -> None:
    for keys in (IT, EN):
        for prompt in (NAMES[:6], NAMES[6:10]):
            assert len({keys[name] for name in prompt}) == len(prompt)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("y", AnswerOffer(True, False)),
        ("ACCETTA", AnswerOffer(True, False)),
        ("sì", AnswerOffer(True, False)),
        ("n", AnswerOffer(False, False)),
        ("rifiuto", AnswerOffer(False, False)),
        ("ya", AnswerOffer(True, True)),
        ("all", AnswerOffer(True, True)),
        ("ACCETTA TUTTO", AnswerOffer(True, True)),
        ("na", AnswerOffer(False, True)),
        ("rifiuta tutti", AnswerOffer(False, True)),
        ("Applica a tutte + RIFIUTO", AnswerOffer(False, True)),
        ("help", MenuChoice("help")),
    ],
)
def test_answers(line: str, answer: AnswerOffer | MenuChoice) -> None:
    assert parse_answer(line, EN) == answer


def test_italian_answers_by_letter() -> None:
    answers = [parse_answer(letter, IT) for letter in ("a", "n", "ta", "tn")]
    assert answers == [
        AnswerOffer(True, False),
        AnswerOffer(False, False),
        AnswerOffer(True, True),
        AnswerOffer(False, True),
    ]


def test_steps_of_the_bonus() -> None:
    assert parse_step("", IT, "spin") == "spin"
    assert parse_step("g", IT, "spin") == "spin"
    assert parse_step("GIRA", EN, "spin") == "spin"
    assert parse_step("o", IT, "continue") == "continue"
    assert parse_step("salta", IT, "spin") == "skip"
    with pytest.raises(NotUnderstoodError):
        parse_step("x", IT, "spin")


def test_yes() -> None:
    assert [parse_yes(line) for line in ("y", "S", "sì", "yes", "n", "", "quit")] == [True] * 4 + [False] * 3
