"""Commands as text: what is written can be read, what is read can be written, and nothing else is a command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.engine.commands import (
    AddMoney,
    AllowBehind,
    AnyCommand,
    Bet,
    BoundLoss,
    Cashback,
    CloseOffers,
    Consent,
    Continue,
    Deal,
    DealerCommand,
    Double,
    EvenMoney,
    Hit,
    Insure,
    Join,
    PlaceBets,
    Spin,
    Split,
    Stand,
    Surrender,
    Void,
    Vote,
)
from sabot.record.notation import NotationError, format_command, parse_command

#: Every kind of command with its text.
TEXTS: list[tuple[AnyCommand, str]] = [
    (Hit(0, 0), "0.0 hit"),
    (Stand(6, 1), "6.1 stand"),
    (Double(2, 1), "2.1 double"),
    (Split(4), "4.0 split"),
    (Surrender(3), "3.0 surrender"),
    (Cashback(1, 1, price=396), "1.1 cashback 396"),
    (Cashback(0, price=0), "0.0 cashback 0"),
    (Vote(1, 0, player="bob", action="double"), "1.0 vote double @bob"),
    (Deal(), "deal"),
    (Deal(insurance=False), "deal no-insurance"),
    (Insure("ada", True), "all insure yes @ada"),
    (Insure("ada", False, 0), "0 insure no @ada"),
    (EvenMoney(2, True), "2 even-money yes"),
    (EvenMoney(0, False), "0 even-money no"),
    (CloseOffers(), "close-offers"),
    (Spin(4), "4 spin"),
    (Continue(4), "4 continue"),
    (Consent("ada", double=False, split=False), "consent none @ada"),
    (Consent("ada", double=True, split=False), "consent double @ada"),
    (Consent("ada", double=False, split=True), "consent split @ada"),
    (Consent("ada", double=True, split=True), "consent double split @ada"),
    (AddMoney("ada", 5000), "add-money 5000 @ada"),
    (BoundLoss("ada", 1500), "bound-loss 1500 @ada"),
    (Join("ada", 5000), "join 5000 @ada"),
    (Join("ada", 0, {500: 2, 2500: 1}), "join 0 500x2 2500x1 @ada"),
    (AllowBehind(6, False), "6 behind no"),
    (AllowBehind(0, True), "0 behind yes"),
    (Void("shoe-empty"), "void shoe-empty"),
    (Void("the lights went out"), "void the lights went out"),
]

spots = st.integers(0, 6)
hand_of = st.integers(0, 1)
amounts = st.integers(0, 10**12)
players = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1)
reasons = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1).filter(
    lambda reason: not reason[0].isspace()
)
commands: st.SearchStrategy[AnyCommand] = st.one_of(
    st.builds(Hit, spots, hand_of),
    st.builds(Stand, spots, hand_of),
    st.builds(Double, spots, hand_of),
    st.builds(Split, spots, hand_of),
    st.builds(Surrender, spots, hand_of),
    st.builds(Cashback, spots, hand_of, price=amounts),
    st.builds(
        Vote,
        spots,
        hand_of,
        player=players,
        action=st.sampled_from(["hit", "stand", "double", "split"]),
    ),
    st.builds(Deal, st.booleans()),
    st.builds(Insure, players, st.booleans(), st.none() | spots),
    st.builds(EvenMoney, spots, st.booleans()),
    st.just(CloseOffers()),
    st.builds(Spin, spots),
    st.builds(Continue, spots),
    st.builds(Consent, players, st.booleans(), st.booleans()),
    st.builds(AddMoney, players, amounts),
    st.builds(BoundLoss, players, amounts),
    st.builds(Join, players, amounts, st.dictionaries(st.integers(1, 10**12), st.integers(0, 999_999))),
    st.builds(AllowBehind, spots, st.booleans()),
    st.builds(Void, reasons),
)


@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize(("command", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_how_each_command_is_written(command: AnyCommand, text: str) -> None:
    assert format_command(command) == text
    assert parse_command(text) == command


def test_every_kind_of_command_is_among_them() -> None:
    """But for bets, which a record has a table for, and what a dealer does who is a person: a record has the cards."""
    others = {PlaceBets, *DealerCommand.__args__}
    assert {type(command) for command, _ in TEXTS} | others == set(AnyCommand.__args__)


@pytest.mark.slow  # many random commands
@pytest.mark.rule("PLT-22")
@given(commands)
def test_what_is_written_is_read_as_the_same(command: AnyCommand) -> None:
    text = format_command(command)
    assert parse_command(text) == command
    assert format_command(parse_command(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "hit",
        "0 hit",
        "0.0",
        "0.0 ",
        "0.0 hit ",
        " 0.0 hit",
        "0.0  hit",
        "0.0\thit",
        "0.0 hit\n",
        "0.0 HIT",
        "0.2 hit",
        "-1.0 hit",
        "10.0 hit",
        "0,0 hit",
        "0.0 hit @ada",
        "0.0 hit hit",
        "0.0 cashback",
        "0.0 cashback -1",
        "0.0 cashback 3.96",
        "0.0 cashback 1_000",
        "0.0 cashback 396 ",
        "0.0 vote @ada",
        "0.0 vote surrender @ada",
        "0.0 vote cashback @ada",
        "0.0 vote hit",
        "0.0 vote hit @",
        "0.0 vote hit ada",
        "0.0 vote hit @ada bob",
        "Deal",
        "deal insurance",
        "deal no insurance",
        "insure yes @ada",
        "all insure @ada",
        "all insure maybe @ada",
        "all insure yes",
        "0.0 insure yes @ada",
        "0 even-money",
        "0 even-money yes @ada",
        "all even-money yes",
        "closeoffers",
        "spin",
        "0.0 spin",
        "0 spin now",
        "continue",
        "consent @ada",
        "consent split double @ada",
        "consent none double @ada",
        "consent double",
        "add-money @ada",
        "add-money -1 @ada",
        "add-money 1.00 @ada",
        "add-money 100",
        "behind yes",
        "0 behind",
        "void",
        "void ",
        "place-bets @ada",
        "say hello",
        "deal\ndeal",
        "0.0 hit; 0.0 stand",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as refusal:
        parse_command(text)
    assert str(refusal.value).startswith(f"{text!r} is no command: write it like")


@pytest.mark.parametrize(
    "text",
    [
        "\u0660.0 hit",  # an Arabic zero
        "0.0 cashback \u0663\u0669\u0666",
        "\uff10 spin",  # a full-width zero
        "0.0 cashback 0396",
        "add-money 00 @ada",
        "add-money 05 @ada",
    ],
)
def test_one_command_has_one_text(text: str) -> None:
    """Another script's digits and leading zeros would be a second text for the same command."""
    with pytest.raises(NotationError):
        parse_command(text)


def test_a_number_without_end_is_refused_like_any_bad_text() -> None:
    with pytest.raises(NotationError):
        parse_command(f"add-money {'9' * 5000} @ada")


@pytest.mark.parametrize(
    "command",
    [
        Insure("ada bob", accept=True),
        Insure("", accept=True),
        Vote(0, player="a b", action="hit"),
        Void(""),
        Void(" "),
        Void("two\nlines"),
    ],
    ids=repr,
)
def test_what_could_not_be_read_again_is_not_written(command: AnyCommand) -> None:
    """A round takes these; a record with such a line could never be replayed (PLT-22)."""
    with pytest.raises(NotationError):
        format_command(command)


def test_bets_have_no_text() -> None:
    with pytest.raises(NotationError, match="bets have no command text"):
        format_command(PlaceBets("ada", (Bet(0, "main", 100),)))


@given(
    text=st.sampled_from([text for _, text in TEXTS]),
    at=st.integers(0, 30),
    cut=st.integers(0, 2),
    put=st.text("019.-+ _@hit\n\t\u0663é", max_size=2),
)
def test_a_changed_text_is_refused_or_another_commands_own(text: str, at: int, cut: int, put: str) -> None:
    """Whatever is read is written as it was: no two texts stand for one command."""
    changed = text[:at] + put + text[at + cut :]
    try:
        command = parse_command(changed)
    except NotationError:
        return
    assert format_command(command) == changed
