"""How a box decides: mode, consent, votes and best strategy (MAJ-11, MAJ-12, MAJ-20 to MAJ-23, MAJ-31, MAJ-42, MAJ-43)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.cards import Hand, parse_card
from sabot.engine.commands import Vote
from sabot.engine.events import Acted, BettingClosed, StakeAdded, VoteCast
from sabot.engine.handlers.votes import Ballot, box_move
from sabot.errors import Refusal
from sabot.games.options import TableOptions
from sabot.games.rules import Action
from sabot.games.strategy import BestTable
from sabot.record.notation import format_command
from tests.support.table import ADA, Table, cards_of, voters

EU = "majority-eu"
ACTIONS: tuple[Action, ...] = ("hit", "stand", "double", "split")
NAMES = [ADA, "bob", "cleo", "dan", "eve", "fay", "gil"]

#: The cells that the seed prints, for the up cards 2 to 10 and the ace.
SEED = BestTable(
    hard={20: "SSSSSSSSSS"},
    soft={
        13: "HHHDDHHHHH",
        14: "HHHDDHHHHH",
        15: "HHDDDHHHHH",
        16: "HHDDDHHHHH",
        17: "HDDDDHHHHH",
        18: "SDDDDSSHHH",
        19: "SSSSSSSSSS",
        20: "SSSSSSSSSS",
    },
    pairs={2: "PPPPPPHHHH", 3: "PPPPPPHHHH"},
)
#: The seed's cells and some of the classic table, for hands that the seed does not print.
CLASSIC = BestTable(
    hard={11: "DDDDDDDDDH", 12: "HHSSSHHHHH", 16: "SSSSSHHHHH"},
    soft=SEED.soft,
    pairs={**SEED.pairs, 8: "P" * 10},
)


def ballot_of(votes: Sequence[Action]) -> Ballot:
    """A ballot with these votes, one player each."""
    ballot = Ballot()
    for player, action in enumerate(votes):
        ballot.cast(str(player), action)
    return ballot


def box(
    cards: str, *commands: str, players: int = 3, consents: str = "none", options: TableOptions | None = None
) -> Table:
    """So many players with 1000 each on box 0 of an EU table, dealt and played."""
    table = Table(EU, cards, purses=dict.fromkeys(NAMES, 100_000), options=options)
    for name in NAMES[:players]:
        table.do(f"consent {consents} @{name}").bet((0, "main", 1000), player=name)
    return table.deal(*commands)


def votes(hand: str, *actions: str) -> list[str]:
    """Votes of Ada, Bob, Cleo and so on; `-` for one who does not vote."""
    return [f"{hand} vote {a} @{name}" for name, a in zip(NAMES, actions, strict=False) if a != "-"]


def moved(table: Table, best: BestTable = CLASSIC) -> str:
    """What the box does now."""
    return format_command(box_move(table.round, best))


def refusal(table: Table, command: str) -> str:
    """The code with which a command is refused."""
    with pytest.raises(Refusal) as refused:
        table.do(command)
    return refused.value.code


# MAJ-11: the number of players picks the mode


@pytest.mark.rule("MAJ-11")
@pytest.mark.parametrize(
    ("players", "mode"), [(1, "best-strategy"), (2, "best-strategy"), (3, "vote"), (4, "vote")]
)
def test_three_players_vote_by_default(players: int, mode: str) -> None:
    table = box("10 9 6", players=players)
    assert table.round.mode(0) == mode
    (closed,) = table.all(BettingClosed)
    assert [(spot.backers, spot.mode) for spot in closed.spots] == [(players, mode)]


@pytest.mark.rule("MAJ-11")
@pytest.mark.parametrize("threshold", [1, 2, 5])
def test_the_threshold_is_configuration(threshold: int) -> None:
    options = TableOptions(vote_threshold=threshold)
    for players in range(1, 7):
        expected = "vote" if players >= threshold else "best-strategy"
        assert box("10 9 6", players=players, options=options).round.mode(0) == expected


@pytest.mark.rule("MAJ-11")
def test_each_box_counts_its_own_players() -> None:
    table = Table(EU, "10 10 9 6 6", purses=dict.fromkeys(NAMES, 10_000))
    table.bet((0, "main", 1000), (1, "main", 1000))  # Ada counts on both
    for name in NAMES[1:3]:
        table.bet((0, "main", 1000), player=name)
    table.bet((1, "main", 1000), player=NAMES[3]).deal()
    assert (table.round.mode(0), table.round.mode(1)) == ("vote", "best-strategy")


@pytest.mark.rule("MAJ-11")
def test_stakes_that_go_back_at_the_close_do_not_count() -> None:
    table = Table(EU, "10 9 6", purses=dict.fromkeys(NAMES, 10_000))
    for name, stake in zip(NAMES, (1000, 1000, 99), strict=False):
        table.bet((0, "main", stake), player=name)
    assert table.deal().round.mode(0) == "best-strategy"


@pytest.mark.rule("MAJ-11")
def test_players_who_take_their_bets_back_do_not_count() -> None:
    table = Table(EU, "10 9 6", purses=dict.fromkeys(NAMES, 10_000))
    for name in NAMES[:3]:
        table.bet((0, "main", 1000), player=name)
    table.bet((0, "main", 2000))  # a changed bet is still one player
    assert table.bet(player=NAMES[1]).deal().round.mode(0) == "best-strategy"


@pytest.mark.rule("MAJ-11")
def test_the_mode_is_fixed_for_the_round() -> None:
    # only Ada follows the split: the left hand has one player and still votes
    table = box("8 9 8 10 2 3", *votes("0.0", "split"), "0.0 split", "0.0 stand")
    assert table.round.turn == (0, 1)
    assert table.round.mode(0) == "vote"
    table.do("0.1 vote hit @ada")
    assert moved(table) == "0.1 hit"


@pytest.mark.rule("MAJ-11")
def test_below_the_threshold_nobody_votes_and_the_table_decides() -> None:
    table = box("10 9 6", players=2)
    assert refusal(table, "0.0 vote stand @ada") == "vote/none"
    assert table.round.legal_votes(ADA) == ()
    assert moved(table) == "0.0 hit"  # 16 against 9


# MAJ-12: consent is fixed at the close


@pytest.mark.rule("MAJ-12")
@pytest.mark.parametrize(
    ("said", "follows"),
    [
        ([], False),
        (["double"], True),
        (["split"], False),
        (["double split"], True),
        (["double", "none"], False),
        (["none", "double"], True),
    ],
)
def test_the_last_answer_before_the_close_holds(said: list[str], follows: bool) -> None:
    table = Table(EU, "8 9 3 8 8").bet((0, "main", 1000))
    for consent in said:
        table.do(f"consent {consent} @ada")
    table.deal("0.0 double")
    assert len(table.all(StakeAdded)) == follows


@pytest.mark.rule("MAJ-12")
@pytest.mark.parametrize("consent", ["double split", "none"])
def test_no_answer_is_taken_after_the_close(consent: str) -> None:
    before = "none" if consent != "none" else "double split"
    table = box("8 9 3 8 8", players=1, consents=before)
    assert refusal(table, f"consent {consent} @ada") == "consent/closed"
    table.do("0.0 double")
    assert len(table.all(StakeAdded)) == (before != "none")


@pytest.mark.rule("MAJ-12")
def test_no_answer_is_taken_while_insurance_is_open() -> None:
    table = box("8 A 3")
    assert refusal(table, "consent double @ada") == "consent/closed"


@pytest.mark.rule("MAJ-12")
def test_consent_may_come_before_the_first_bet_and_is_each_players_own() -> None:
    table = Table(EU, "8 9 3 8 8", purses=dict.fromkeys(NAMES, 10_000)).do("consent double @ada")
    for name in NAMES[:2]:
        table.bet((0, "main", 1000), player=name)
    table.deal("0.0 double")
    assert [event.player for event in table.all(StakeAdded)] == [ADA]


# MAJ-20: the most votes win


@pytest.mark.rule("MAJ-20")
@pytest.mark.parametrize(
    ("tally", "winner"),
    [
        ({"hit": 9, "stand": 6, "double": 5}, "hit"),  # the seed's example
        ({"hit": 11, "stand": 9}, "hit"),  # more than half
        ({"stand": 1}, "stand"),
        ({"hit": 1, "stand": 1, "double": 1, "split": 2}, "split"),
        ({"hit": 5, "stand": 5, "double": 6}, "double"),
    ],
)
def test_the_action_with_the_most_votes_wins(tally: dict[Action, int], winner: str) -> None:
    cast = [action for action, count in tally.items() for _ in range(count)]
    for order in (cast, cast[::-1]):
        ballot = ballot_of(order)
        assert ballot.winner() == winner
        assert dict(ballot.tally()) == tally
        assert ballot.cast_votes == sum(tally.values())


@pytest.mark.rule("MAJ-20")
@pytest.mark.parametrize(
    ("cast", "move"),
    [
        (("stand", "stand", "hit"), "stand"),
        (("stand", "hit", "hit"), "hit"),
        (("double", "double", "-", "stand"), "double"),
        (("stand", "-", "-", "-", "-"), "stand"),  # one vote of five is the most
        (("split", "split", "hit", "stand", "double"), "split"),
    ],
)
def test_the_box_does_what_its_vote_says(cast: tuple[str, ...], move: str) -> None:
    # best strategy would split eights against a 9 in every case but the last
    table = box("8 9 8", *votes("0.0", *cast), players=len(cast))
    best = BestTable(hard={}, soft={}, pairs={8: "H" * 10 if move == "split" else "P" * 10})
    assert moved(table, best) == f"0.0 {move}"


@pytest.mark.rule("MAJ-20")
def test_the_vote_repeats_at_every_decision() -> None:
    table = box("2 9 3 4 5 7", *votes("0.0", "hit", "hit", "hit"))
    assert moved(table) == "0.0 hit"
    table.do("0.0 hit")
    assert table.round.ballot.cast_votes == 0
    table.do(*votes("0.0", "stand", "hit", "hit"))  # the same players again
    assert moved(table) == "0.0 hit"
    table.do("0.0 hit", *votes("0.0", "stand", "stand", "hit"))
    assert moved(table) == "0.0 stand"


@pytest.mark.rule("MAJ-20")
def test_each_hand_of_a_split_has_its_own_vote() -> None:
    table = box("8 9 8 2 3", *votes("0.0", "split", "split", "split"), "0.0 split")
    table.do(*votes("0.0", "stand", "stand", "stand"), "0.0 stand")
    assert table.round.ballot.cast_votes == 0
    table.do(*votes("0.1", "hit", "hit"))
    assert moved(table) == "0.1 hit"


@pytest.mark.rule("MAJ-20")
def test_the_tally_is_told_with_the_action() -> None:
    table = box("10 9 2 5", *votes("0.0", "hit", "stand", "hit"), "0.0 hit")
    (acted,) = table.all(Acted)
    assert acted.tally == (("hit", 2), ("stand", 1))
    assert [(event.player, event.action) for event in table.all(VoteCast)] == [
        (ADA, "hit"),
        ("bob", "stand"),
        ("cleo", "hit"),
    ]


@pytest.mark.rule("MAJ-20")
@pytest.mark.parametrize(
    ("cast", "outstanding", "closes"),
    [
        (("hit",), 0, True),  # all have voted
        ((), 0, True),
        ((), 3, False),
        (("hit",), 1, False),  # the one still out could tie
        (("hit", "hit"), 1, True),
        (("hit", "hit"), 2, False),
        (("hit", "hit", "hit"), 2, True),
        (("hit", "hit", "stand"), 1, False),
        (("hit", "hit", "hit", "stand"), 1, True),
        (("hit", "hit", "stand", "stand"), 0, True),  # a tie of all votes
        (("hit", "hit", "stand", "stand"), 1, False),
        (("hit",) * 4 + ("stand", "double"), 2, True),  # margin 3, not the majority
        (("hit",) * 4 + ("stand", "double"), 3, False),
    ],
)
def test_the_vote_closes_when_the_margin_exceeds_the_votes_still_out(
    cast: tuple[Action, ...], outstanding: int, closes: bool
) -> None:
    assert ballot_of(cast).certain(outstanding) is closes


@pytest.mark.rule("MAJ-20")
@given(cast=st.lists(st.sampled_from(ACTIONS), max_size=9), outstanding=st.integers(1, 4))
def test_a_vote_is_certain_exactly_when_no_completion_changes_it(
    cast: list[Action], outstanding: int
) -> None:
    """Over all that those still out may do, silence included; a tie is a change: best strategy decides it."""
    ballot = ballot_of(cast)
    winner = ballot.winner()
    ends = {
        ballot_of([*cast, *(vote for vote in late if vote is not None)]).winner()
        for late in product((*ACTIONS, None), repeat=outstanding)
    }
    assert ballot.certain(outstanding) is (ends == {winner})


@pytest.mark.rule("MAJ-20", "MAJ-21")
@given(cast=st.lists(st.sampled_from(ACTIONS), max_size=40))
def test_the_winner_is_the_only_one_with_the_most_votes(cast: list[Action]) -> None:
    counts = {action: cast.count(action) for action in ACTIONS}
    leaders = [action for action in ACTIONS if cast and counts[action] == max(counts.values())]
    assert ballot_of(cast).winner() == (leaders[0] if len(leaders) == 1 else None)


# MAJ-21: ties and silence


@pytest.mark.rule("MAJ-21")
@pytest.mark.parametrize(
    "cast",
    [
        ("-", "-", "-"),
        ("hit", "stand", "-"),
        ("hit", "stand", "double"),
        ("hit", "hit", "stand", "stand", "double"),
        ("stand", "stand", "hit", "hit", "double"),
    ],
)
@pytest.mark.parametrize(("row", "move"), [("H" * 10, "hit"), ("S" * 10, "stand"), ("D" * 10, "double")])
def test_a_tie_or_no_vote_is_left_to_best_strategy(cast: tuple[str, ...], row: str, move: str) -> None:
    table = box("10 9 2", *votes("0.0", *cast), players=len(cast))
    assert moved(table, BestTable(hard={12: row}, soft={}, pairs={})) == f"0.0 {move}"


@pytest.mark.rule("MAJ-21")
def test_best_strategy_may_break_a_tie_to_an_action_nobody_voted_for() -> None:
    table = box("8 9 8", *votes("0.0", "hit", "stand", "-"))
    assert moved(table) == "0.0 split"


@pytest.mark.rule("MAJ-21")
def test_one_who_does_not_vote_follows_the_others() -> None:
    table = box("10 9 6 K", *votes("0.0", "hit", "hit", "-"), "0.0 hit")
    assert [table.net(name) for name in NAMES[:3]] == [-1000, -1000, -1000]


# MAJ-22: who may vote, for what


@pytest.mark.rule("MAJ-22")
def test_a_vote_is_final_and_one_each() -> None:
    table = box("10 9 6", "0.0 vote hit @ada")
    for action in ("hit", "stand"):
        assert refusal(table, f"0.0 vote {action} @ada") == "vote/final"
    assert table.round.ballot.tally() == (("hit", 1),)
    assert table.round.legal_votes(ADA) == ()


@pytest.mark.rule("MAJ-22")
@pytest.mark.parametrize(
    ("cards", "before", "action"),
    [
        ("10 9 6", [], "split"),
        ("8 9 8 2", ["0.0 hit"], "double"),
        ("8 9 8 2", ["0.0 hit"], "split"),
        ("8 9 8 8 8", ["0.0 vote split @ada", "0.0 split"], "split"),
    ],
)
def test_a_vote_for_an_action_not_legal_is_refused_and_not_counted(
    cards: str, before: list[str], action: str
) -> None:
    table = box(cards, *before)
    assert refusal(table, f"0.0 vote {action} @ada") == "action/not-legal"
    assert table.round.ballot.cast_votes == 0
    table.do("0.0 vote stand @ada")  # the refused one may still vote
    assert table.round.ballot.cast_votes == 1


@pytest.mark.rule("MAJ-22")
@pytest.mark.parametrize("action", ["surrender", "cashback"])
def test_there_is_no_vote_for_what_the_game_does_not_have(action: Action) -> None:
    table = box("10 9 6")
    assert not table.round.can(Vote(0, 0, player=ADA, action=action))


@pytest.mark.rule("MAJ-22")
def test_only_players_with_a_stake_on_the_box_vote() -> None:
    table = Table(EU, "10 10 9 6 6", purses=dict.fromkeys(NAMES, 10_000))
    table.bet((0, "main", 1000), (1, "main", 1000))
    for spot, name in ((0, "bob"), (0, "cleo"), (1, "dan"), (1, "eve")):
        table.bet((spot, "main", 1000), player=name)
    table.deal()
    assert voters(table.round) == [ADA, "bob", "cleo"]
    assert refusal(table, "0.0 vote stand @dan") == "vote/no-stake"
    assert refusal(table, "0.0 vote stand @gil") == "vote/no-stake"
    table.do("0.0 vote stand @ada", "0.0 stand", "1.0 vote stand @ada", "1.0 vote stand @dan")
    assert refusal(table, "1.0 vote stand @bob") == "vote/no-stake"


@pytest.mark.rule("MAJ-22")
def test_no_vote_on_a_hand_whose_turn_it_is_not() -> None:
    table = Table(EU, "10 10 9 6 6", purses=dict.fromkeys(NAMES, 10_000))
    for name in NAMES[:3]:
        table.bet((0, "main", 1000), (1, "main", 1000), player=name)
    table.deal()
    assert refusal(table, "1.0 vote stand @ada") == "vote/none"
    assert refusal(table, "0.1 vote stand @ada") == "vote/none"


@pytest.mark.rule("MAJ-22")
def test_no_vote_while_offers_are_open_or_after_the_round() -> None:
    table = box("10 A 6 9")
    assert refusal(table, "0.0 vote stand @ada") == "round/offers-open"
    table.do("close-offers", "0.0 vote stand @ada", "0.0 stand")
    assert refusal(table, "0.0 vote stand @bob") == "round/over"


@pytest.mark.rule("MAJ-22")
def test_a_refused_vote_changes_nothing() -> None:
    table = box("10 9 6")
    log, commands = len(table.round.log), len(table.round.commands)
    assert refusal(table, "0.0 vote split @ada") == "action/not-legal"
    assert (len(table.round.log), len(table.round.commands)) == (log, commands)


# MAJ-23: lack of money or consent bars no vote


@pytest.mark.rule("MAJ-23")
@pytest.mark.parametrize("action", ["double", "split"])
def test_votes_of_the_poor_and_unwilling_count_for_the_box(action: str) -> None:
    # Ada and Bob have nothing left, Cleo does not consent and votes to stand
    purses = {ADA: 1000, "bob": 1000, "cleo": 5000, "dan": 5000}
    table = Table(EU, "4 9 4 10 8 8 10 10", purses=purses)
    table.do("consent double split @ada", "consent double split @dan")
    for name in purses:
        table.bet((0, "main", 1000), player=name)
    table.deal(*votes("0.0", action, action, "stand"))
    assert table.round.can(Vote(0, 0, player="dan", action="double"))
    assert moved(table) == f"0.0 {action}"
    table.do(f"0.0 {action}")
    assert [event.player for event in table.all(StakeAdded)] == ["dan"]


@pytest.mark.rule("MAJ-23")
def test_a_double_is_open_to_the_vote_when_nobody_can_pay_it() -> None:
    table = Table(EU, "4 9 4 10 8", purses=dict.fromkeys(NAMES[:3], 1000))
    for name in NAMES[:3]:
        table.bet((0, "main", 1000), player=name)
    table.deal(*votes("0.0", "double", "double", "double"))
    assert table.round.options_now["double"].unavailable is None
    assert moved(table) == "0.0 double"
    # 18 against 9 + 8 with single stakes
    assert table.do("0.0 double").net(brought=1000) == 1000


@pytest.mark.rule("MAJ-22", "MAJ-42")
def test_money_brought_during_a_vote_leaves_it_and_pays_the_double() -> None:
    table = Table(EU, "8 9 3 8 8", purses=dict.fromkeys(NAMES[:3], 1000))
    for name in NAMES[:3]:
        table.bet((0, "main", 1000), player=name)
    table.deal(*votes("0.0", "double", "double"), "add-money 1000 @ada")
    assert table.round.ballot.tally() == (("double", 2),)
    assert refusal(table, "0.0 vote stand @ada") == "vote/final"
    table.do("0.0 double")
    assert [event.player for event in table.all(StakeAdded)] == [ADA]


# MAJ-42: a vote for it is a consent to it


@pytest.mark.rule("MAJ-42")
def test_a_vote_for_the_double_holds_also_when_a_tie_was_broken_to_it() -> None:
    table = box("8 9 3 8 8", *votes("0.0", "double", "stand", "-"))
    assert moved(table) == "0.0 double"
    table.do("0.0 double")
    assert [event.player for event in table.all(StakeAdded)] == [ADA]
    assert [table.net(name) for name in NAMES[:3]] == [2000, 1000, 1000]


@pytest.mark.rule("MAJ-42")
def test_a_vote_for_the_split_holds_also_when_a_tie_was_broken_to_it() -> None:
    table = box("8 9 8 10 10 8", *votes("0.0", "stand", "split", "-"))
    assert moved(table) == "0.0 split"
    table.do("0.0 split", "0.0 stand", "0.1 stand")
    assert [table.net(name) for name in NAMES[:3]] == [1000, 2000, 1000]


@pytest.mark.rule("MAJ-42")
def test_a_vote_for_the_double_is_none_for_the_split() -> None:
    table = box("8 9 8 10 10", *votes("0.0", "double", "split", "split"), "0.0 split")
    assert [event.player for event in table.all(StakeAdded)] == ["bob", "cleo"]


@pytest.mark.rule("MAJ-42")
def test_votes_of_an_earlier_decision_are_no_consent() -> None:
    # Ada votes to split and so has both hands; for the double of the right one she did not vote
    table = box("8 9 8 3 10 8 8", *votes("0.0", "split", "split", "split"), "0.0 split")
    table.do(*votes("0.0", "stand", "double", "double"), "0.0 double", "0.1 stand")
    # right 19, left 18 against 17
    assert [table.net(name) for name in NAMES[:3]] == [2000, 3000, 3000]


# MAJ-43: who votes after a split


@pytest.mark.rule("MAJ-43", "MAJ-22")
def test_one_who_did_not_follow_votes_on_the_right_hand_and_not_on_the_left() -> None:
    table = box("8 9 8 2 3 4 8", *votes("0.0", "split", "split", "-"), "0.0 split")
    assert set(voters(table.round)) == set(NAMES[:3])
    table.do("0.0 vote stand @cleo")
    assert moved(table) == "0.0 stand"
    table.do("0.0 stand")
    assert set(voters(table.round)) == set(NAMES[:2])
    assert refusal(table, "0.1 vote stand @cleo") == "vote/no-stake"
    table.do("0.1 vote hit @ada", "0.1 vote hit @bob", "0.1 hit", "0.1 stand")
    # right 10 loses; left 8 3 4 = 15 against 17 loses
    assert [table.net(name) for name in NAMES[:3]] == [-2000, -2000, -1000]


# MAJ-31: the table and its fallbacks

COLUMNS = ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "10s", "As"]
WORDS: dict[str, Action] = {"H": "hit", "S": "stand", "D": "double", "P": "split"}
PRINTED = [
    ("10 10", "SSSSSSSSSS"),
    ("A 2", "HHHDDHHHHH"),
    ("A 3", "HHHDDHHHHH"),
    ("A 4", "HHDDDHHHHH"),
    ("A 5", "HHDDDHHHHH"),
    ("A 6", "HDDDDHHHHH"),
    ("A 7", "SDDDDSSHHH"),
    ("A 8", "SSSSSSSSSS"),
    ("A 9", "SSSSSSSSSS"),
    ("2 2", "PPPPPPHHHH"),
    ("3 3", "PPPPPPHHHH"),
]


@pytest.mark.rule("MAJ-31")
@pytest.mark.parametrize(("hand", "row"), PRINTED)
def test_every_printed_cell_is_played_as_printed_where_it_is_legal(hand: str, row: str) -> None:
    for up, letter in zip(COLUMNS, row, strict=True):
        assert SEED.action(Hand(cards_of(hand)), parse_card(up), ACTIONS) == WORDS[letter]


@pytest.mark.rule("MAJ-31")
@pytest.mark.parametrize("up", ["10s", "Js", "Qs", "Ks"])
def test_all_ten_values_share_a_column(up: str) -> None:
    table = BestTable(hard={16: "HHHHHHHHSH"}, soft={}, pairs={})
    assert table.action(Hand(cards_of("10 6")), parse_card(up), ACTIONS) == "stand"


@pytest.mark.rule("MAJ-31")
@pytest.mark.parametrize(("hand", "row"), [row for row in PRINTED if "D" in row[1]])
def test_a_double_not_legal_stands_on_soft_18_and_hits_otherwise(hand: str, row: str) -> None:
    for up, letter in zip(COLUMNS, row, strict=True):
        instead: Action = "stand" if hand == "A 7" else "hit"
        expected = instead if letter == "D" else WORDS[letter]
        assert SEED.action(Hand(cards_of(hand)), parse_card(up), ("stand", "hit")) == expected


@pytest.mark.rule("MAJ-31")
@pytest.mark.parametrize(
    ("hand", "up", "legal", "expected"),
    [
        ("A 5 2", "4s", ("stand", "hit"), "stand"),  # soft 18 of three cards
        ("A 4 2", "4s", ("stand", "hit"), "hit"),  # soft 17
        ("8 3", "6s", ("stand", "hit"), "hit"),  # hard 11
        ("2 6 3", "6s", ("stand", "hit"), "hit"),
        ("2 2", "2s", ("stand", "hit", "double"), "hit"),  # no split: hard 4 hits
        ("2 2", "6s", ("stand", "hit"), "hit"),
        ("8 8", "6s", ("stand", "hit", "double"), "stand"),  # hard 16 stands against a 6
        ("8 8", "7s", ("stand", "hit", "double"), "hit"),
        ("8 8", "7s", ("stand", "hit", "double", "split"), "split"),
    ],
)
def test_what_is_played_where_the_table_is_not_legal(
    hand: str, up: str, legal: tuple[Action, ...], expected: str
) -> None:
    assert CLASSIC.action(Hand(cards_of(hand)), parse_card(up), legal) == expected


@pytest.mark.rule("MAJ-31")
@pytest.mark.parametrize(
    ("legal", "expected"),
    [(("stand", "hit", "double"), "double"), (("stand", "hit"), "hit")],
)
def test_a_split_not_legal_reads_the_totals_row_with_its_own_fallback(
    legal: tuple[Action, ...], expected: str
) -> None:
    table = BestTable(hard={10: "D" * 10}, soft={}, pairs={5: "P" * 10})
    assert table.action(Hand(cards_of("5 5")), parse_card("6s"), legal) == expected


@pytest.mark.rule("MAJ-31")
def test_a_pair_of_aces_not_split_is_a_soft_12() -> None:
    table = BestTable(hard={12: "S" * 10}, soft={12: "H" * 10}, pairs={1: "P" * 10})
    assert table.action(Hand(cards_of("A A")), parse_card("6s"), ("stand", "hit")) == "hit"
    assert table.action(Hand(cards_of("A A")), parse_card("6s"), ACTIONS) == "split"


@pytest.mark.rule("MAJ-31")
def test_a_hard_18_that_would_double_hits() -> None:
    # the exception is for soft 18 alone
    table = BestTable(hard={18: "D" * 10}, soft={}, pairs={})
    assert table.action(Hand(cards_of("10 5 3")), parse_card("6s"), ("stand", "hit")) == "hit"


@pytest.mark.rule("MAJ-31")
@pytest.mark.parametrize(
    ("cards", "before", "move"),
    [
        # eyes on the round: which actions are legal comes from its cards
        ("A 4 5 2", ["0.0 hit"], "0.0 stand"),  # A 5 2 against 4
        ("A 4 4 2", ["0.0 hit"], "0.0 hit"),  # A 4 2 against 4
        ("A 4 7", [], "0.0 double"),
        ("3 6 3 3 9", ["0.0 split"], "0.0 hit"),  # 3 3 again: hard 6
        ("3 6 3", [], "0.0 split"),
    ],
)
def test_a_box_under_best_strategy_plays_by_what_is_legal(cards: str, before: list[str], move: str) -> None:
    table = box(cards, *before, players=1, consents="double split")
    assert moved(table, CLASSIC) == move


@pytest.mark.parametrize("row", ["HHHHHHHHH", "HHHHHHHHHHH", "HHHHHHHHHX", ""])
def test_a_row_that_is_no_row_is_refused(row: str) -> None:
    with pytest.raises(ValueError, match="is not ten letters of"):
        BestTable(hard={12: row}, soft={}, pairs={})


def test_no_box_no_move() -> None:
    with pytest.raises(ValueError, match="no box has a decision"):
        box_move(Table(EU, "").round, SEED)
