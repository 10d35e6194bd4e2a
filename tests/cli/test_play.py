"""Games at the terminal: what a player types and what is shown."""

from __future__ import annotations

from io import StringIO
from random import Random

import pytest
from rich.console import Console

from sabot.cli.render.layout import Faces
from tests.support.bench import Bench

#: 20 against 19.
WIN = "10 9 10 10"
ACE_UP = "10 A 9 7"


def test_a_round_of_surrender_in_italian() -> None:
    text = Bench("surrender", "10h 9c 6d 10s 5h", lang="it").play("1 10", "DISTRIBUISCI", "c")
    assert "Mano 1 10,00" in text
    assert "Banco 9 9♣ ▒▒" in text
    assert "▸ Mano 1 16 10♥ 6♦ 10,00" in text
    assert "[c] CARTA [s] STAI [r] RADDOPPIA (10,00) [e] RESA (incassi 5,00)" in text
    assert "Mano 1: 5♥, totale 21" in text
    assert "Banco 19 9♣ 10♠ puntata pagato" in text
    assert "Mano 1 21 10♥ 6♦ 5♥ 10,00 20,00 vinta" in text
    assert "Puntati 10,00 · pagati 20,00 · netto +10,00" in text
    assert "Saldo 110,00 FUN" in text
    assert "Arrivederci. Round giocati: 1. Esci con 110,00 FUN." in text


def test_a_round_of_surrender_in_english() -> None:
    text = Bench("surrender", "10 10 6 10").play("1 10", "deal", "r")
    assert "The dealer looks at the hole card: no blackjack." in text
    assert "[r] SURRENDER (pays 5.00)" in text
    assert "10.00 5.00 surrendered" in text
    assert "net -5.00" in text


def test_soft_totals_are_marked() -> None:
    text = Bench("surrender", "A 9 6 10").play("1 10", "deal", "s")
    assert "▸ Hand 1 soft 17 A♠ 6♠" in text


def test_side_bets_are_told_and_settled() -> None:
    text = Bench("surrender", "8h 8s 8d 10s").play("1 10", "1 pp 5", "1 213 2", "dp 1", "deal", "s")
    assert "Hand 1 10.00 player pair 5.00 · 21+3 2.00" in text
    assert "Dealer dealer pair 1.00" in text
    assert "Player pair, hand 1: coloured pair, pays 12 to 1" in text
    assert "21+3, hand 1: three of a kind, pays 30 to 1" in text
    assert "Player pair, hand 1 5.00 65.00 won" in text
    assert "21+3, hand 1 2.00 62.00 won" in text
    assert "Dealer pair 1.00 0.00 lost" in text


def test_a_split_shows_two_hands() -> None:
    text = Bench("surrender", "8 9 8 10 3 10 10").play("1 10", "deal", "p", "d", "s")
    assert "[p] SPLIT (10.00)" in text
    assert "▸ Hand 1a 11 8♠ 3♠" in text
    assert "Hand 1b 18 8♥ 10♥" in text
    assert "Hand 1a 21 8♠ 3♠ 10♦ 20.00 40.00 won" in text
    assert "Hand 1b 18 8♥ 10♥ 10.00 0.00 lost" in text


@pytest.mark.rule("COM-24")
def test_what_the_balance_does_not_cover_is_shown_with_the_reason() -> None:
    bench = Bench("surrender", "8 9 8 10 3 10 10", balance=1500, lang="it")
    text = bench.play("1 10", "deal", "dividi", "aggiungi 20", "dividi", "s", "s")
    assert "[c] CARTA [s] STAI [e] RESA (incassi 5,00)" in text
    assert "RADDOPPIA non disponibile: Il saldo di 5,00 non copre 10,00: prima" in text
    assert "DIVIDI non disponibile" in text
    assert "Aggiunti 20,00.\nSaldo 25,00 FUN" in text
    assert "[d] DIVIDI (10,00)" in text
    assert "▸ Mano 1a" in text


def test_an_action_the_cards_do_not_allow_names_those_they_do() -> None:
    text = Bench("surrender", WIN.replace("10 9 10", "10 9 9")).play("1 10", "deal", "split", "s")
    assert "Not possible now: SPLIT. You may: STAND, HIT, DOUBLE, SURRENDER." in text


# Insurance


@pytest.mark.rule("COM-31", "COM-32", "COM-53")
def test_insurance_for_one_hand_and_for_all() -> None:
    bench = Bench("surrender", "10 10 10 A 9 9 9 7", lang="it")
    text = bench.play("1 10", "2 10", "3 10", "deal", "a", "tn", "s", "s", "s")
    assert "Il banco mostra un asso. Assicuri mano 1 per 5,00?" in text
    assert "[a] ACCETTA [n] RIFIUTA [ta] ACCETTA TUTTI [tn] RIFIUTA TUTTI" in text
    assert "Assicuri mano 2 per 5,00?" in text
    assert "Assicuri mano 3" not in text
    assert "Assicurazione, mano 1 5,00 0,00 persa" in text
    assert bench.session.insurance_on


@pytest.mark.rule("COM-24", "COM-32")
def test_accepting_all_is_unavailable_if_the_balance_covers_only_one() -> None:
    text = Bench("surrender", "10 10 A 9 9 7", balance=2500).play("1 10", "2 10", "deal", "all", "y", "n")
    assert "[y] ACCEPT [n] REFUSE [na] REFUSE ALL" in text
    assert "ACCEPT ALL is unavailable: The balance 5.00 does not cover 10.00: add money" in text
    assert "The balance 5.00 does not cover 10.00: add money first." in text


@pytest.mark.rule("CSH-12")
def test_cashback_refusal_for_all_lasts() -> None:
    bench = Bench("cashback", ACE_UP, ACE_UP, ACE_UP, lang="it")
    text = bench.play(
        "1 10", "deal", "Applica a tutte + RIFIUTO", "s", "ripunta e distribuisci", "s",
        "assicurazione", "assicurazione sì", "ripunta e distribuisci", "n", "s",
    )  # fmt: skip
    assert "[a] ACCETTO [n] RIFIUTO [tn] Applica a tutte + RIFIUTO" in text
    assert "L'assicurazione è disattivata per questa sessione" in text
    assert "L'assicurazione è disattivata.\n" in text
    assert "L'assicurazione è attiva." in text
    assert text.count("Assicuri mano 1") == 2


@pytest.mark.rule("SUR-06")
def test_surrender_switches_insurance_in_the_settings() -> None:
    text = Bench("surrender", ACE_UP).play("insurance off", "1 10", "deal", "s")
    assert "Insurance is off." in text
    assert "Insure hand 1" not in text


def test_link_has_no_insurance_switch() -> None:
    text = Bench("link").play("insurance off", "insurance")
    assert "Insurance cannot be switched off in Blackjack Link." in text
    assert "In this game insurance is always offered." in text


def test_even_money_is_asked_for_one_hand() -> None:
    text = Bench("link", "A A K K", lang="it").play("1 10", "deal", "ta", "x", "a")
    assert "La prendi ALLA PARI (1 a 1)?" in text
    assert "Rispondi [a] ACCETTA, [n] RIFIUTA." in text
    assert "Mano 1 21 A♠ K♠ 10,00 20,00 alla pari" in text


# Cashback


def test_the_cashback_price_is_on_the_button() -> None:
    text = Bench("cashback", "10 10 6 10").play("1 10", "deal", "c")
    assert "[c] CASHBACK (pays 4.95)" in text
    assert "10.00 4.95 cashback" in text


def test_a_returned_double_is_told() -> None:
    text = Bench("link", "5 10 6 A 9").play("1 10", "deal", "d")
    assert "Hand 1 20 5♠ 6♠ 9♠ 20.00 10.00 lost, double returned" in text


# The bonus


@pytest.mark.rule("LNK-21")
def test_the_wheel_stops_on_cash() -> None:
    bench = Bench("link", "A 9 K 10", draws=[350], lang="it")
    text = bench.play("1 10", "1 link 2", "deal", "salta", "continua", "gira")
    assert "Mano 1 è un blackjack con puntata LINK: si gira la ruota!" in text
    assert "X5 X10 X15 X25 X50 LINK MEGA LINK" in text
    assert "non c'è nulla da saltare" in text
    assert "Premi [g] GIRA." in text
    assert "La ruota si ferma su X10." in text
    assert "▲" in text
    assert "Il bonus paga 10 a 1: 20,00 sulla puntata LINK di 2,00." in text
    assert "LINK, mano 1 2,00 22,00 vinta" in text


#: Tiles X2, X3 and a diamond; 1X on the cells 0, 1 and 2.
LINK_TABLE = [875, 0, 50, 85, *(0, 0), *(0, 0), *(0, 0)]


@pytest.mark.rule("LNK-27")
def test_the_link_table() -> None:
    blank, fifty = 0, 4999
    # Three cells fill the first block, then three spins of the other twelve stay blank.
    draws = [*LINK_TABLE, *[fifty] * 3, *[blank] * 12, *[blank] * 36]
    bench = Bench("link", "A 9 K 10", draws=draws, lang="it")
    text = bench.play("1 10", "1 link 2", "deal", "", "g", "o", "", "g", "gira", "GIRA")
    assert "La ruota si ferma su LINK." in text
    assert "GRAND X2000 MAJOR X500 MINOR X100 MINI X20" in text
    assert text.count("1X · | · · | · ·") == 3
    assert "1X +50X | · · | · ·" in text
    assert "X2 | X3 | ◆" in text
    assert "[o] CONTINUA" in text
    assert "Nuovi premi: 3. Giri rimasti: di nuovo 3." in text
    assert "Nessun premio nuovo. Giri rimasti: 0." in text
    # (3 x 1 + 3 x 50) x 2
    assert "Il bonus paga 306 a 1: 612,00 sulla puntata LINK di 2,00." in text


@pytest.mark.rule("LNK-29")
def test_a_full_diamond_block_draws_a_prize() -> None:
    draws = [875, 85, 85, 85, *(0, 0) * 3, *[4999] * 15, 99, 70, 0]
    text = Bench("link", "A 9 K 10", draws=draws).play("1 10", "1 link 1", "deal", "", "", "")
    assert "Diamond! Block 1 wins GRAND X2000." in text
    assert "Diamond! Block 2 wins MINOR X100." in text
    assert "Diamond! Block 3 wins MINI X20." in text
    assert "The bonus pays 2873 to 1" in text


def test_the_mega_table_fits_eighty_columns() -> None:
    draws = [999, *[0] * 6, *(0, 0) * 6, *[4999] * 30]
    text = Bench("link", "A 9 K 10", draws=draws).play("1 10", "1 link 1", "deal", "", "", "")
    assert "MEGA LINK: the bonus table opens." in text
    assert "+50X +50X | +50X +50X" in text
    assert "X2 | X2 | X2 | X2 | X2 | X2" in text


def test_the_maximum_win_is_told() -> None:
    draws = [875, 85, 85, 85, *(0, 0) * 3, *[4999] * 15, 99, 99, 99]
    bench = Bench("link", "A 9 K 10", draws=draws, balance=100_000)
    text = bench.play("1 10", "1 link 100", "deal", "", "", "")
    assert "The maximum win of a round is 500,000.00: it takes off" in text


# Betting


@pytest.mark.rule("COM-51", "COM-52")
def test_the_buttons_of_the_slip() -> None:
    bench = Bench("surrender", WIN, WIN, WIN)
    text = bench.play(
        "1 10",
        "double",
        "undo",
        "2 5",
        "clear",
        "1 10",
        "deal",
        "s",
        "rebet",
        "deal",
        "s",
        "double deal",
        "s",
    )
    assert "You may: DEAL, DOUBLE, UNDO, CLEAR BETS" in text
    assert '"rebet" puts 10.00 down again' in text
    assert "You may: REBET, REBET AND DEAL, DOUBLE AND DEAL" in text
    assert bench.session.balance == 14_000
    assert "You leave with FUN 140.00." in text


def test_a_bare_amount_is_staked_on_each_hand() -> None:
    text = Bench("surrender", "10 10 9 10 10 10", hands=2).play("10", "pp 1", "deal", "s", "s")
    assert "On the table 22.00" in text
    assert "Hand 2 20 10♥ 10♣ 10.00 20.00 won" in text


@pytest.mark.rule("COM-54")
def test_limits_are_shown_and_chosen() -> None:
    text = Bench("surrender", vip=1, balance=100_000, lang="it").play(
        "limiti", "limiti alti", "1 5", "limits vip", "limiti salotto"
    )
    assert "Limiti normali: Min 1,00, Max 500,00" in text
    assert "alti: Min 10,00, Max 2.000,00" in text
    assert "Limiti alti: Min 10,00, Max 2.000,00" in text
    assert "La puntata di 5,00 (principale) è sotto il minimo: punta da 10,00 a 2.000,00." in text
    assert "I limiti 'vip' non sono disponibili per te: puoi scegliere bassi, normali, alti." in text
    assert "I limiti salotto richiedono il livello VIP 2, il tuo è 1" in text


@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize(
    "line",
    [
        *("", "hello", "0 10", "9 10", "1 -5", "1 1.000", "1 foo 5", "[bold]", "deal", "rebet", "undo"),
        *("double", "insurance maybe", "limits huge", "add", "add 0", "1 link 5", "1 pp 5", "dp 5", "1 9999"),
    ],
)
def test_a_bad_line_is_answered_and_the_prompt_returns(line: str, lang: str) -> None:
    bench = Bench("surrender", WIN, lang=lang, balance=1_000_000)
    text = bench.play(line, "1 10", "deal", "s")
    prompt = "Puntate >" if lang == "it" else "Bets >"
    answer = text.split(prompt)[1].strip().removeprefix(line).strip()
    assert answer.endswith(".")
    assert bench.session.rounds_played == 1


def test_a_side_bet_refusal_counts_hands_from_one() -> None:
    text = Bench("surrender").play("2 pp 5")
    assert "The bet player pair on hand 2 needs a main bet there first." in text


def test_help_and_rules_at_the_table() -> None:
    text = Bench("link", WIN, lang="it").play("aiuto", "1 10", "deal", "regole", "s")
    assert "1 link 2 LINK sulla mano 1" in text
    assert "ripeti puntata rimetti le ultime puntate" in text
    assert "Bonus Link" in text
    assert text.count("▸ Mano 1") == 2


def test_a_player_without_money_is_told_how_to_go_on() -> None:
    text = Bench("surrender", "10 10 9 10", balance=1000).play("1 10", "deal", "s", "add 5")
    assert 'The balance does not cover the smallest stake: "add 100" brings more play money.' in text
    assert "You leave with FUN 5.00." in text


# Leaving


def test_quitting_between_rounds() -> None:
    bench = Bench("surrender")
    assert "Goodbye. Rounds played: 0. You leave with FUN 100.00." in bench.play("1 10", "quit", "1 10")
    assert bench.session.rounds_played == 0


def test_quitting_in_a_round_is_asked_twice_and_the_round_is_played_out() -> None:
    bench = Bench("surrender", WIN)
    text = bench.play("1 10", "deal", "quit", "n", "q", "y")
    assert text.count("The round is not over.") == 2
    assert "Round abandoned: it was finished without you." in text
    assert "10.00 20.00 won" in text
    assert "You leave with FUN 110.00." in text


def test_the_end_of_the_input_plays_a_bonus_out() -> None:
    bench = Bench("link", "A A K 7", draws=[0])
    text = bench.play("1 10", "1 link 2", "deal")
    assert "Round abandoned" in text
    assert "LINK, hand 1 2.00 12.00 won" in text
    assert "10.00 25.00 blackjack" in text


def test_an_empty_shoe_voids_the_round() -> None:
    text = Bench("surrender", "10 9 2 10").play("1 10", "deal", "h")
    assert "Round voided by a malfunction: every stake went back." in text
    assert "You leave with FUN 100.00." in text


WORDS = (
    *(
        "1 10",
        "2 5",
        "1 pp 1",
        "1 213 1",
        "1 link 1",
        "dp 1",
        "deal",
        "rebet deal",
        "double deal",
        "undo",
        "clear",
    ),
    *(
        "hit",
        "stand",
        "double",
        "split",
        "surrender",
        "cashback",
        "yes",
        "no",
        "all",
        "none",
        "spin",
        "continue",
    ),
    *("", "help", "rules", "table", "add 5", "limits low", "insurance off", "what", "deal", "stand", "stand"),
)


@pytest.mark.slow  # hundreds of lines
@pytest.mark.parametrize("game", ["surrender", "cashback", "link", "classic-6"])
@pytest.mark.parametrize("seed", [0, 1])
def test_whatever_is_typed_the_game_goes_on(game: str, seed: int) -> None:
    typist = Random(seed)
    ranks = ("A", "A", "A", "10", "10", "J", "Q", "K", "5", "6", "7", "8", "8", "9")
    decks = [f"{rank}{suit}" for rank in ranks for suit in "shdc"] * 6
    rounds = [" ".join(typist.sample(decks, 80)) for _ in range(150)]
    bench = Bench(game, *rounds, draw=typist.randrange, balance=50_000, lang=typist.choice(["it", "en"]))
    bench.play(*typist.choices(WORDS, k=500))
    assert not bench.session.in_round
    assert bench.session.rounds_played > 3


def test_red_suits_are_red() -> None:
    faces = Faces(Console(file=StringIO()))
    assert [str(faces.card(card).style) for card in (0, 13, 26, 39)] == [
        "bold",
        "bold red",
        "bold red",
        "bold",
    ]
