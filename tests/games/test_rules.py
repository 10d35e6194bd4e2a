"""The rule sets as data: what each says, how it prints, what its hash covers, and how a new one is found."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import invalidate_caches
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import sabot.games
from sabot.engine import Round, StackedShoe
from sabot.engine.commands import Bet, PlaceBets
from sabot.errors import Refusal
from sabot.games import CATALOGUE, Game, Rules, TableOptions, UnknownGameError, find
from sabot.games.bonus import Bonus, BonusTable
from sabot.games.options import GoldenOptions, LimitChoice, Limits
from sabot.games.rules import field_docs
from sabot.games.sidebets import SideBet
from sabot.record import dumps, loads, write
from sabot.record import replay as replay_record
from sabot.record.notation import parse_command
from tests.support.table import Table, cards_of, solo

NAMES = ("surrender", "cashback", "link", "freebet", "majority-eu", "majority-us", "classic-6", "classic-8")
games = pytest.mark.parametrize("name", NAMES)

# What each game says, from its chapter of the rule book. Order: SUR CSH LNK FRB MAJ-EU MAJ-US classic classic.
FACTS: dict[str, tuple[object, ...]] = {
    "decks": (6, 6, 6, 8, 8, 8, 6, 8),
    "spots": (5, 5, 5, 7, 2, 2, 1, 1),
    "backing": ("solo", "solo", "solo", "seats", "boxes", "boxes", "solo", "solo"),
    "hole_card": (True, True, True, True, False, True, True, True),
    "checks": (("ace", "ten"), (), (), ("ace",), (), ("ace",), ("ace", "ten"), ("ace", "ten")),
    "dealer_hits_soft_17": (False,) * 8,
    "win_pays": ((1, 1),) * 8,
    "blackjack_pays": ((3, 2),) * 8,
    "insurance_pays": ((2, 1),) * 8,
    "even_money": (False, False, True, False, False, False, False, False),
    "double_after_split": (True, True, True, False, True, True, True, True),
    "free_double": ((), (), (), (9, 10, 11), (), (), (), ()),
    "free_split": ((), (), (), (1, 2, 3, 4, 5, 6, 7, 8, 9), (), (), (), ()),
    "surrender": (True, False, False, False, False, False, False, False),
    "cashback": (False, True, False, False, False, False, False, False),
    "charlie": (7, 10, 10, 0, 10, 10, 0, 0),
    "dealer_22_pushes": (False, False, False, True, False, False, False, False),
    "ten_up_returns_double": (False, True, True, False, True, True, False, False),
    "buster_keeps_dealer": (True,) * 8,
}

# The rules that are a number or odds and no more; the others are proved by playing.
RULES_OF = {
    "decks": "COM-01",
    "win_pays": "COM-22",
    "blackjack_pays": "COM-22",
    "insurance_pays": "COM-22",
}

SIDE_BETS = {
    "surrender": {"player-pair", "21+3", "dealer-pair"},
    "cashback": {"player-pair", "21+3", "dealer-pair"},
    "link": {"player-pair", "21+3", "dealer-pair", "link"},
    "freebet": {"player-pair", "21+3"},
    "majority-eu": {"player-pair", "dealer-pair", "21+3", "top-3", "buster", "lucky-lucky"},
    "majority-us": {"player-pair", "dealer-pair", "21+3", "top-3", "buster", "lucky-lucky"},
    "classic-6": set(),
    "classic-8": set(),
}

#: What a laboratory would have certified. A change of any rule, prize or weight shows here.
SHA256 = {
    "surrender": "f57cf3306c88567396bcd287cfd691ff577ff417310922a5e96bbe5b5d5fa52b",
    "cashback": "d893978eaf48ab0b04112630fcdf77feabd8a98adebacbc1c73d8f9ad2c71116",
    "link": "af1d682ef3991937f4fbe40bb92a9086e2ace783c3c2ddcc42b0be259035a9c9",
    "freebet": "92d5813d5b734b2835760b36f6d1ecf1d013f915decc3667ed38e12de5f887ad",
    "majority-eu": "82a150bdbd02a661181a03d0101e2becd024c739fe178bce281dcfffc3b576d1",
    "majority-us": "6e5f199434ab49e19ef090e156fd9e9a6578c7999ae344e44c2d49be28f42bdd",
    "classic-6": "605f22f59e24518951b564c1f79e4060ab832003890987e910718b2624497b10",
    "classic-8": "429d8aa3bcb1bc588ec900926722aea803a48ed85272558d07496833b0faab3c",
}


def marks(field: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.rule(RULES_OF[field])] if field in RULES_OF else []


def test_the_catalogue_has_the_eight_rule_sets() -> None:
    assert set(CATALOGUE) == set(NAMES)
    assert all(find(name).rules.name == find(name).name == name for name in NAMES)


@pytest.mark.parametrize("name", ["blackjack", "", "Link", "classic"])
def test_an_unknown_game_is_named_with_those_there_are(name: str) -> None:
    with pytest.raises(UnknownGameError, match=f"no game '{name}': the games are cashback, classic-6"):
        find(name)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        pytest.param(name, field, value, id=f"{name}-{field}", marks=marks(field))
        for field, values in FACTS.items()
        for name, value in zip(NAMES, values, strict=True)
    ],
)
def test_what_each_game_says(name: str, field: str, value: object) -> None:
    assert getattr(find(name).rules, field) == value


def test_the_facts_leave_no_field_out() -> None:
    assert {*FACTS, "name", "side_bets", "bonus"} == set(Rules.__struct_fields__)


@pytest.mark.rule("SB-01", "SB-02", "SB-03", "SB-04", "SB-05", "SB-06", "SB-07")
@games
def test_the_side_bets_of_each_game(name: str) -> None:
    bets = find(name).rules.side_bets
    assert {bet.name for bet in bets} == SIDE_BETS[name]
    assert len(bets) == len(SIDE_BETS[name])


@pytest.mark.rule("SB-02")
@games
def test_only_a_solo_rounds_dealer_pair_is_one_for_the_round(name: str) -> None:
    rules = find(name).rules
    expected = ["dealer-pair"] if name in ("surrender", "cashback", "link") else []
    assert [bet.name for bet in rules.side_bets if bet.once] == expected


PAIRS = {"perfect": 25, "coloured": 12, "mixed": 6}
PRIZES = {
    "player-pair": PAIRS,
    "dealer-pair": PAIRS,
    "21+3": {"suited-three": 100, "straight-flush": 40, "three": 30, "straight": 10, "flush": 5},
    "top-3": {"suited-three": 270, "straight-flush": 180, "three": 90},
    "buster": {"8+-blackjack": 2000, "7-blackjack": 800, "8+": 250, "7": 50, "6": 18, "5": 4, "3-4": 2},
    "lucky-lucky": {
        "suited-777": 200,
        "suited-678": 100,
        "777": 50,
        "678": 25,
        "suited-21": 15,
        "21": 3,
        "20": 2,
        "19": 2,
    },
    "link": {},
}


RULE_OF_PRIZES = {
    "player-pair": "SB-10",
    "dealer-pair": "SB-10",
    "21+3": "SB-11",
    "top-3": "SB-12",
    "buster": "SB-13",
    "lucky-lucky": "SB-14",
    "link": "SB-07",
}


@pytest.mark.parametrize(
    ("kind", "prizes"),
    [
        pytest.param(kind, prizes, marks=pytest.mark.rule(RULE_OF_PRIZES[kind]))
        for kind, prizes in PRIZES.items()
    ],
)
def test_the_prizes_of_the_side_bets(kind: str, prizes: dict[str, int]) -> None:
    bets = [bet for name in NAMES for bet in find(name).rules.side_bets if bet.name == kind]
    assert bets
    for bet in bets:
        assert dict(bet.prizes) == prizes
        assert all(bet.prize(category) == pays for category, pays in prizes.items())
        assert bet.prize("") == bet.prize("no such category") == 0


@pytest.mark.rule("LNK-31")
@games
def test_only_link_has_a_bonus(name: str) -> None:
    assert find(name).rules.bonus == (Bonus() if name == "link" else None)


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("surrender", {"main": "99.66", "21+3": "95.38", "player-pair": "93.89", "dealer-pair": "93.89"}),
        ("cashback", {"main": "99.55", "21+3": "95.38", "player-pair": "93.89", "dealer-pair": "93.89"}),
        ("link", {"main": "99.57", "21+3": "95.38", "player-pair": "93.89", "dealer-pair": "93.89"}),
        ("freebet", {"main": "98.26", "player-pair": "95.90", "21+3": "96.30"}),
        *(
            (
                name,
                {
                    "main": "99.54",
                    "21+3": "96.30",
                    "player-pair": "95.90",
                    "dealer-pair": "95.90",
                    "top-3": "91.00",
                    "buster": "93.87",
                    "lucky-lucky": "96.10",
                },
            )
            for name in ("majority-eu", "majority-us")
        ),
        ("classic-6", {}),
        ("classic-8", {}),
    ],
)
def test_the_published_returns(name: str, published: dict[str, str]) -> None:
    assert find(name).published == published


@games
def test_live_games_are_those_of_many_players(name: str) -> None:
    assert find(name).live == (name in ("freebet", "majority-eu", "majority-us"))


# The hash


@games
def test_the_hash_is_the_certified_one(name: str) -> None:
    assert find(name).rules.sha256 == SHA256[name]


def test_every_game_has_a_hash_of_its_own() -> None:
    assert len(set(SHA256.values())) == len(NAMES)


@games
def test_equal_rules_have_equal_hashes(name: str) -> None:
    rules = find(name).rules
    again = msgspec.json.decode(msgspec.json.encode(rules), type=Rules)
    assert again == rules
    assert again.sha256 == rules.sha256


OTHER: dict[str, object] = {
    "name": "other",
    "decks": 4,
    "spots": 3,
    "backing": "seats",
    "hole_card": False,
    "checks": ("ten",),
    "dealer_hits_soft_17": True,
    "win_pays": (2, 1),
    "blackjack_pays": (6, 5),
    "insurance_pays": (3, 1),
    "even_money": False,
    "double_after_split": False,
    "free_double": (8,),
    "free_split": (10,),
    "surrender": True,
    "cashback": True,
    "charlie": 5,
    "dealer_22_pushes": True,
    "ten_up_returns_double": False,
    "buster_keeps_dealer": False,
    "side_bets": (find("link").rules.side_bets[2],),
    "bonus": Bonus(spins=4),
}


@pytest.mark.parametrize("field", Rules.__struct_fields__)
def test_the_hash_covers_every_field(field: str) -> None:
    rules = find("link").rules
    assert replace(rules, **{field: OTHER[field]}).sha256 != rules.sha256


def test_the_hash_covers_prizes_and_weights() -> None:
    link = find("link").rules
    first = link.side_bets[0]
    dearer = replace(first, prizes=(("perfect", 26), *first.prizes[1:]))
    wheel = ((5, 351), *Bonus().wheel[1:])
    hashes = {
        link.sha256,
        replace(link, side_bets=(dearer, *link.side_bets[1:])).sha256,
        replace(link, bonus=replace(Bonus(), wheel=wheel)).sha256,
        replace(link, bonus=replace(Bonus(), spins=4)).sha256,
        replace(link, bonus=replace(Bonus(), link=BonusTable(columns=6, start=4))).sha256,
    }
    assert len(hashes) == 5


# The printed form

PRINTED = {
    "surrender": """\
surrender: as classic-6, but
  spots = 5
  surrender = True
  charlie = 7
  side_bets = player-pair, 21+3, dealer-pair""",
    "cashback": """\
cashback: as classic-6, but
  spots = 5
  checks = ()
  cashback = True
  charlie = 10
  ten_up_returns_double = True
  side_bets = player-pair, 21+3, dealer-pair""",
    "link": """\
link: as classic-6, but
  spots = 5
  checks = ()
  even_money = True
  charlie = 10
  ten_up_returns_double = True
  side_bets = player-pair, 21+3, link, dealer-pair
  bonus = wheel, link, mega-link""",
    "classic-6": "classic-6: the classic game",
    "classic-8": "classic-8: as classic-6, but\n  decks = 8",
}


@pytest.mark.parametrize(("name", "text"), PRINTED.items())
def test_the_printed_form(name: str, text: str) -> None:
    assert str(find(name).rules) == text


@games
def test_only_what_differs_is_printed(name: str) -> None:
    rules, classic = find(name).rules, find("classic-6").rules
    printed = [line.split(" = ")[0].strip() for line in str(rules).splitlines()[1:]]
    differing = [
        field
        for field in Rules.__struct_fields__
        if field != "name" and getattr(rules, field) != getattr(classic, field)
    ]
    assert printed == differing


def test_the_defaults_are_the_classic_game() -> None:
    assert Rules("classic-6") == find("classic-6").rules
    assert Rules("classic-6").differences(find("classic-6").rules) == {}


# Documentation


@pytest.mark.parametrize("field", Rules.__struct_fields__)
def test_every_field_has_a_line_of_documentation(field: str) -> None:
    line = field_docs()[field]
    assert 10 < len(line) < 120
    assert line.endswith(".")
    assert "\n" not in line


def test_the_documentation_has_no_other_field() -> None:
    assert list(field_docs()) == list(Rules.__struct_fields__)


# Frozen


@pytest.mark.parametrize(
    "value",
    [
        find("link").rules,
        find("link"),
        find("link").options,
        Bonus(),
        Bonus().link,
        find("link").rules.side_bets[0],
        Limits(),
        GoldenOptions(),
        LimitChoice("low", 0, Limits(), Limits()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_rules_and_options_cannot_be_changed(value: msgspec.Struct) -> None:
    for field in value.__struct_fields__:
        before = getattr(value, field)
        with pytest.raises(AttributeError):
            setattr(value, field, before)
        with pytest.raises(AttributeError):
            delattr(value, field)


@games
def test_rules_are_frozen_to_the_bottom(name: str) -> None:
    """No list or dictionary inside, or the hash that was certified could be outrun."""

    def parts(value: object) -> list[object]:
        if isinstance(value, msgspec.Struct):
            return [
                value,
                *(part for field in value.__struct_fields__ for part in parts(getattr(value, field))),
            ]
        if isinstance(value, tuple):
            return [part for item in value for part in parts(item)]
        return [value]

    frozen = (Rules, Bonus, BonusTable, SideBet, int, str, bool, type(None))
    assert all(isinstance(part, frozen) for part in parts(find(name).rules))
    assert hash(find(name).rules) == hash(find(name).rules)


# A sixth game

SIXTH = '''
"""A game of one deck: blackjack at 6:5, the dealer draws on soft 17, five cards win, half back on any first hand."""

from sabot.games.game import Game
from sabot.games.options import Limits, TableOptions
from sabot.games.rules import Rules
from sabot.games.sidebets import SideBet

GAMES = (
    Game(
        Rules(
            "sixth",
            decks=1,
            spots=3,
            checks=(),
            blackjack_pays=(6, 5),
            dealer_hits_soft_17=True,
            surrender=True,
            charlie=5,
            double_after_split=False,
            side_bets=(SideBet("player-pair", "hand-pair", (("mixed", 9), ("perfect", 90))),),
        ),
        "The Sixth",
        options=TableOptions(main=Limits(500, 2_000)),
    ),
)
'''


@pytest.fixture
def sixth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The catalogue with one more file in it."""
    (tmp_path / "sixth.py").write_text(SIXTH)
    monkeypatch.setattr(sabot.games, "__path__", [*sabot.games.__path__, str(tmp_path)])
    # Undone with the test: the module, and its name in the package.
    monkeypatch.setitem(sys.modules, "sabot.games.sixth", None)
    monkeypatch.delitem(sys.modules, "sabot.games.sixth")
    monkeypatch.setattr(sabot.games, "sixth", None, raising=False)
    invalidate_caches()
    discover: Callable[[], dict[str, Game]] = sabot.games._discover
    monkeypatch.setattr(sabot.games, "CATALOGUE", discover())
    return find("sixth")


def test_a_sixth_game_is_one_new_file(sixth: Game) -> None:
    assert set(sabot.games.CATALOGUE) == {*NAMES, "sixth"}
    assert {name: find(name).rules.sha256 for name in NAMES} == SHA256
    assert sixth.rules.sha256 not in SHA256.values()
    assert "blackjack_pays = (6, 5)" in str(sixth.rules)


@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        ("A 9 K 8", "", 1200),  # 6:5
        ("10 6 8 A 4", "stand", -1000),  # soft 17 draws a four: 21
        ("2 9 2 2 2 3 3 10", "hit hit hit", 1000),  # five cards
        ("10 9 6 10", "surrender", -500),
        ("9 9 7 10 5 2", "hit", 1000),  # 21 against 19
    ],
)
def test_a_sixth_game_plays_by_its_rules(sixth: Game, cards: str, commands: str, net: int) -> None:
    assert solo("sixth", cards, *(f"0.0 {word}" for word in commands.split())).net() == net


def test_a_sixth_game_has_its_own_bets_and_limits(sixth: Game) -> None:
    table = (
        Table("sixth", "8s 9h 8h 10c 2s 3s").bet((0, "main", 1000), (0, "player-pair", 100)).deal("0.0 split")
    )
    assert "0.0 double" not in table.legal()
    with pytest.raises(Refusal, match=r"below the minimum: stake from 5\.00 to 20\.00"):
        Table("sixth", "").bet((0, "main", 499))
    with pytest.raises(Refusal, match="You cannot bet on hand 4 here: the numbers are 1 to 3"):
        Table("sixth", "").bet((3, "main", 1000))


@pytest.mark.rule("PLT-22")
def test_a_round_of_a_sixth_game_is_recorded_and_replayed(sixth: Game) -> None:
    round = Round(
        sixth.rules, StackedShoe(cards_of("8s 9h 8h 10c")), purses={"ada": 5000}, options=sixth.options
    )
    round.apply(PlaceBets("ada", (Bet(0, "main", 1000), Bet(0, "player-pair", 100))))
    for command in ("deal", "0.0 surrender"):
        round.apply(parse_command(command))
    # Half of 10.00, and 9:1 on 1.00 for the mixed pair of this game.
    assert round.balance("ada") == 5000 - 1100 + 500 + 1000
    again = replay_record(loads(dumps(write(round, "SIXTH"))))
    assert again.balance("ada") == 5400


def test_the_catalogue_is_as_before() -> None:
    """The sixth game was there for its tests only."""
    assert set(CATALOGUE) == set(NAMES)
    assert "sabot.games.sixth" not in sys.modules
    assert find("link").options == find("link").fitted(TableOptions(max_win=50_000_000))


def test_two_games_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from sabot.games import classic, surrender

    monkeypatch.setattr(surrender, "GAMES", classic.GAMES)
    with pytest.raises(ValueError, match=r"two games are named 'classic-6': sabot\.games\.surrender"):
        sabot.games._discover()


def test_a_published_return_is_a_fraction() -> None:
    surrender = find("surrender")
    assert [surrender.published_return(bet) for bet in ("main", "21+3", "behind")] == [0.9966, 0.9538, None]
