"""Both languages say everything, and the buttons are called what the regulations call them."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from string import Formatter
from typing import get_args

import pytest

from sabot.errors import ENGLISH, REFUSALS, Refusal
from sabot.games import CATALOGUE
from sabot.games.rules import field_docs
from sabot.tables.live.timers import Phase
from sabot.texts import LANGUAGES, Catalogue, UnknownLanguageError
from tests.support.table import card_name

IT, EN = Catalogue("it"), Catalogue("en")
#: Headings whose English stands in the code.
ENGLISH_IN_CODE = ("error.", "rule.")
SENTENCES = {code: entry.sentence for code, entry in REFUSALS.items()}


def params(sentence: str) -> set[tuple[str, str | None]]:
    """Each param of a sentence with its format, quotes apart."""
    return {(name, spec) for _, name, spec, _ in Formatter().parse(sentence) if name is not None}


def overrides(catalogue: Catalogue) -> set[str]:
    """Labels and decisions that one game calls differently."""
    return {key for key in catalogue.keys() if key.startswith(("label.", "action.")) and key.count(".") == 2}  # noqa: SIM118


def own_keys(catalogue: Catalogue) -> set[str]:
    return {key for key in catalogue.keys() - overrides(catalogue) if not key.startswith(ENGLISH_IN_CODE)}


def test_both_languages_have_the_same_keys() -> None:
    assert own_keys(IT) == own_keys(EN)


def test_both_languages_use_the_same_params() -> None:
    for key in own_keys(IT):
        assert params(IT._texts[key]) == params(EN._texts[key]), key


def test_an_own_label_stands_for_a_usual_one() -> None:
    families = {name.partition("-")[0] for name in CATALOGUE}
    for catalogue in (IT, EN):
        for key in overrides(catalogue):
            heading, game, label = key.split(".")
            assert game in families
            assert f"{heading}.{label}" in catalogue


def test_italian_has_every_refusal_with_its_params() -> None:
    codes = {key.removeprefix("error.") for key in IT.keys() if key.startswith("error.")}  # noqa: SIM118
    assert codes == set(SENTENCES)
    for code, sentence in SENTENCES.items():
        assert params(IT._texts[f"error.{code}"]) == params(sentence), code


def test_english_sentences_of_the_code_stand_nowhere_else() -> None:
    source = tomllib.loads(files("sabot.texts").joinpath("en.toml").read_text("utf-8"))
    assert not {"error", "rule"} & source.keys()
    assert ENGLISH.items() <= EN._texts.items()


def test_italian_documents_every_rule_field() -> None:
    fields = {key.removeprefix("rule.") for key in IT.keys() if key.startswith("rule.")}  # noqa: SIM118
    assert fields == set(field_docs())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_side_bet_and_category_has_a_name(language: str) -> None:
    catalogue = Catalogue(language)
    for game in CATALOGUE.values():
        assert all(f"kind.{bet}" in catalogue for bet in game.published)
        for bet in game.rules.side_bets:
            assert f"kind.{bet.name}" in catalogue
            assert all(f"category.{category}" in catalogue for category, _ in bet.prizes)


LABELS = {
    "surrender": {
        "undo": "ANNULLA",
        "repeat": "RIPUNTA",
        "hit": "CARTA",
        "split": "DIVIDI",
        "double": "RADDOPPIA",
        "accept": "ACCETTA",
        "refuse": "RIFIUTA",
        "accept-all": "ACCETTA TUTTI",
        "refuse-all": "RIFIUTA TUTTI",
    },
    "cashback": {
        "undo": "ANNULLA",
        "repeat": "RIPUNTA",
        "hit": "CARTA",
        "split": "DIVIDI",
        "double": "RADDOPPIA",
        "accept": "ACCETTO",
        "refuse": "RIFIUTO",
        "apply-all": "Applica a tutte",
        "accept-all": "Applica a tutte + ACCETTO",
        "refuse-all": "Applica a tutte + RIFIUTO",
    },
    "link": {
        "undo": "INDIETRO",
        "repeat": "RIPETI PUNTATA",
        "hit": "PRENDI CARTA",
        "split": "SPLIT",
        "double": "RADDOPPIA",
        "accept": "ACCETTA",
        "refuse": "RIFIUTA",
        "accept-all": "ACCETTA TUTTO",
        "refuse-all": "RIFIUTA TUTTO",
    },
    "freebet": {
        "undo": "ANNULLA",
        "repeat": "RIPETI",
        "hit": "CARTA",
        "split": "DIVIDI",
        "free-split": "DIVIDI GRATIS",
        "double": "RADDOPPIA",
        "free-double": "RADDOPPIA GRATIS",
        "accept": "ACCETTA",
        "refuse": "RIFIUTA",
    },
    "majority-eu": {
        "undo": "ANNULLA",
        "repeat": "RIPUNTA",
        "hit": "PRENDI CARTA",
        "split": "DIVIDI",
        "double": "RADDOPPIA",
        "accept": "ACCETTA",
        "refuse": "RIFIUTA",
    },
}
LABELS["majority-us"] = LABELS["majority-eu"]


@pytest.mark.rule("COM-53")
@pytest.mark.parametrize(
    ("game", "name", "label"),
    [(game, name, label) for game, labels in LABELS.items() for name, label in labels.items()],
)
def test_each_game_has_the_labels_of_its_regulation(game: str, name: str, label: str) -> None:
    assert IT.label(name, game) == label


@pytest.mark.rule("COM-51", "COM-52", "COM-53")
def test_labels_that_all_games_share() -> None:
    shared = {
        "deal": "DISTRIBUISCI",
        "clear": "CANCELLA PUNTATE",
        "double-stakes": "RADDOPPIA",
        "repeat-deal": "RIPUNTA E DISTRIBUISCI",
        "double-deal": "RADDOPPIA E DISTRIBUISCI",
        "stand": "STAI",
        "surrender": "RESA",
        "cashback": "CASHBACK",
        "even-money": "ALLA PARI",
        "spin": "GIRA",
        "skip": "SALTA",
        "continue": "CONTINUA",
        "add-money": "AGGIUNGI DENARO",
    }
    for game in CATALOGUE:
        assert {name: IT.label(name, game) for name in shared} == shared


@pytest.mark.parametrize(
    ("cents", "italian", "english"),
    [
        (0, "0,00 €", "€0.00"),
        (5, "0,05 €", "€0.05"),
        (123_450, "1.234,50 €", "€1,234.50"),
        (-123_456_789, "-1.234.567,89 €", "-€1,234,567.89"),
    ],
)
def test_money_follows_the_language(cents: int, italian: str, english: str) -> None:
    assert (IT.money(cents), EN.money(cents)) == (italian, english)
    assert (IT.money(100_000, "FUN"), EN.money(100_000, "FUN")) == ("1.000,00 FUN", "FUN 1,000.00")


def test_card_names_follow_the_language() -> None:
    assert [card_name(IT, card) for card in (0, 22, 36, 51)] == [
        "asso di picche",
        "dieci di cuori",
        "fante di quadri",
        "re di fiori",
    ]
    assert card_name(EN, 50) == "queen of clubs"
    assert len({card_name(IT, card) for card in range(52)}) == 52


def test_a_refusal_is_told_in_the_language() -> None:
    error = Refusal("bet/below-minimum", kind="player-pair", stake=50, minimum=100, maximum=1_000_000)
    assert IT.error(error) == (
        "La puntata di 0,50 (coppia del giocatore) è sotto il minimo: punta da 1,00 a 10.000,00"
    )
    assert EN.error(error) == ("Stake 0.50 on player pair is below the minimum: stake from 1.00 to 10,000.00")


def test_lists_in_a_refusal_are_translated() -> None:
    error = Refusal("action/not-legal", action="split", named="0.0", legal="stand, hit, surrender")
    assert IT.error(error) == "“dividi” ora non è possibile (mano 1): puoi scegliere stai, carta, resa"


@pytest.mark.rule("PLT-46")
@pytest.mark.parametrize(
    ("game", "place", "half"),
    [
        ("surrender", "mano 2", "mano 2, parte 2"),
        ("freebet", "posto 2", "posto 2, parte 2"),
        ("majority-us", "postazione 2", "postazione 2, parte 2"),
    ],
)
def test_places_are_counted_from_one_in_the_words_of_the_felt(game: str, place: str, half: str) -> None:
    turn = Refusal("turn/not-yours", turn="1.1", named="1.0")
    assert IT.error(turn, game) == f"Tocca a {half}, non a {place}"
    bet = Refusal("bet/no-main-bet", kind="player-pair", spot=1)
    assert f" ({place}) " in IT.error(bet, game)
    asked = Refusal("offer/not-now", turn=1)
    assert IT.error(asked, game).endswith(f" ({place})")
    assert EN.error(Refusal("bet/twice", kind="main", spot=1), "majority-eu").startswith(
        "Two equal bets main on box 2"
    )


def test_no_sentence_shows_a_spot_or_a_hand_as_the_engine_counts_it() -> None:
    """Every place in every sentence has a format that counts from 1; so have times, which know one and many."""
    formats = {
        "spot": {"place", "number"},
        "last": {"number"},
        "named": {"hand"},
        "seconds": {"second"},
        "minutes": {"minute"},
        "pause": {"minute"},
    }
    for code, sentence in SENTENCES.items():
        for text in (sentence, IT._texts[f"error.{code}"]):
            for name, spec in params(text):
                assert name not in formats or spec in formats[name], code


def test_one_second_and_many() -> None:
    for seconds, words in ((1, "1 secondo"), (15, "15 secondi")):
        assert IT.error(Refusal("rate/limited", seconds=seconds)) == f"Troppe richieste: riprova tra {words}"
    assert str(Refusal("rate/limited", seconds=1)) == "Too many requests: try again in 1 second"


def test_one_seat_and_many() -> None:
    for most, words in ((1, "1 posto"), (2, "2 posti")):
        assert IT.error(Refusal("seat/too-many", most=most)).startswith(f"Hai già {words}:")
    assert str(Refusal("seat/too-many", most=1)).startswith("You have 1 seat already:")


@pytest.mark.parametrize(
    ("game", "hit", "split"),
    [
        ("surrender", "carta", "dividi"),
        ("link", "prendi carta", "split"),
        ("majority-eu", "prendi carta", "dividi"),
    ],
)
def test_a_decision_has_the_words_of_its_button(game: str, hit: str, split: str) -> None:
    error = Refusal("action/not-legal", action="split", named="0.0", legal="hit")
    assert IT.error(error, game).startswith(f"“{split}” ora non è possibile")
    assert IT.error(error, game).endswith(f": puoi scegliere {hit}")
    assert (IT.label("hit", game), IT.label("split", game)) == (hit.upper(), split.upper())


def test_one_golden_chip_and_many() -> None:
    for count, words in ((1, "1 Fiche Dorata"), (2, "2 Fiche Dorate")):
        error = Refusal("golden/not-held", count=count, value=500, held=0)
        assert IT.error(error) == f"Non hai {words} da 5,00: ne hai 0"


@pytest.mark.parametrize("phase", get_args(Phase))
def test_a_refusal_in_a_wrong_phase_says_what_is_going_on(phase: str) -> None:
    error = Refusal("table/not-now", phase=phase)
    assert IT.error(error) == f"Ora non è possibile: {IT.text(f'phase.{phase}')}"
    assert EN.error(error) == f"Not possible now: {EN.text(f'phase.{phase}')}"


def test_a_session_refusal_is_told_in_the_language() -> None:
    error = Refusal("session/no-switch", game="Blackjack Link")
    assert IT.error(error) == "In Blackjack Link l'assicurazione non si può disattivare"
    assert EN.error(error) == "Insurance cannot be switched off in Blackjack Link"


def test_a_refusal_that_is_the_reason_of_another_is_told_in_the_language() -> None:
    """Limits of a table that are upside down: 5.00 to 1.00."""
    error = Refusal("table/settings", table="one", reason=Refusal("option/limits", minimum=500, maximum=100))
    assert IT.error(error) == (
        "Il tavolo 'one' non si può aprire: limiti da 5,00 a 1,00: il minimo deve essere maggiore di 0 e non superare "
        "il massimo"
    )
    assert EN.error(error) == str(error)
    assert str(error) == (
        "The table 'one' cannot be opened: limits 5.00 to 1.00: the minimum must be above 0 and not above the maximum"
    )


def test_an_unknown_language_names_the_known() -> None:
    with pytest.raises(UnknownLanguageError, match="the languages are it, en"):
        Catalogue("fr")


@pytest.mark.rule("SB-01", "SB-02", "SB-10", "SB-11")
@pytest.mark.parametrize(
    ("game", "bets", "categories"),
    [
        (
            "surrender",
            {"player-pair": "coppia del giocatore", "dealer-pair": "coppia del croupier"},
            {"mixed": "coppia rossa/nera", "suited-three": "tris dello stesso seme"},
        ),
        (
            "cashback",
            {"dealer-pair": "coppia del croupier"},
            {"perfect": "coppia perfetta", "suited-three": "tris di un seme"},
        ),
        ("link", {"dealer-pair": "coppia del banco", "link": "LINK"}, {"mixed": "coppia rossa/nera"}),
        (
            "freebet",
            {"player-pair": "coppie perfette", "behind": "puntata alle spalle"},
            {"perfect": "coppia perfetta", "mixed": "coppia mista", "suited-three": "tris perfetto"},
        ),
        (
            "majority-eu",
            {"dealer-pair": "coppia del croupier", "top-3": "migliori 3"},
            {"perfect": "Perfect Pair", "mixed": "coppia rosso/nero", "suited-777": "777 di un seme"},
        ),
    ],
)
def test_bets_have_the_names_of_their_games_regulation(
    game: str, bets: dict[str, str], categories: dict[str, str]
) -> None:
    assert {bet: IT.named("kind", bet, game) for bet in bets} == bets
    assert {name: IT.named("category", name, game) for name in categories} == categories
    for heading in ("kind", "category", "web.short"):
        own = {key for key in IT.keys() if key.startswith(f"{heading}.{game.partition('-')[0]}.")}  # noqa: SIM118
        assert own <= EN.keys()
