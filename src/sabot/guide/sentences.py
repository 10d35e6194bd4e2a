"""The sentences of the guide: which rules each states, for which games, with which numbers.

Their texts are in the catalogue under `guide`; all numbers come from here.
"""

from __future__ import annotations

from collections.abc import Mapping

from sabot.games.bonus import Bonus
from sabot.games.options import Limits
from sabot.games.rules import EVEN_MONEY, Odds
from sabot.guide.facts import Applies, Facts, Params, Sentence, Speaker


def _always(_: Facts) -> bool:
    return True


def _nothing(_: Speaker, __: Facts) -> Mapping[str, object]:
    return {}


def _say(key: str, rules: str, applies: Applies = _always, params: Params = _nothing) -> Sentence:
    return Sentence(key, tuple(rules.split()), applies, params)


# For which games


def _solo(facts: Facts) -> bool:
    return facts.rules.backing == "solo"


def _live(facts: Facts) -> bool:
    return not _solo(facts)


def _seats(facts: Facts) -> bool:
    return facts.rules.backing == "seats"


def _boxes(facts: Facts) -> bool:
    return facts.rules.backing == "boxes"


def _insured(facts: Facts) -> bool:
    return facts.options.insurance


def _free(facts: Facts) -> bool:
    return bool(facts.rules.free_double or facts.rules.free_split)


def _late(facts: Facts) -> bool:
    """A dealer blackjack may be found after the decisions."""
    return "ten" not in facts.rules.checks


def _sides(facts: Facts) -> bool:
    return any(facts.has(bet.name) for bet in facts.rules.side_bets)


def _link(facts: Facts) -> bool:
    return facts.rules.bonus is not None


def _charlie(facts: Facts) -> bool:
    return facts.rules.charlie > 0


def _bet(name: str) -> Applies:
    return lambda facts: facts.has(name)


def _both(*each: Applies) -> Applies:
    return lambda facts: all(applies(facts) for applies in each)


def _not(applies: Applies) -> Applies:
    return lambda facts: not applies(facts)


# What is filled in


def _odds(odds: Odds) -> dict[str, object]:
    return {"num": odds[0], "den": odds[1]}


def _range(speaker: Speaker, limits: Limits) -> dict[str, object]:
    return {"minimum": limits.minimum, "maximum": limits.maximum}


def _seconds(name: str) -> Params:
    return lambda speaker, facts: {"time": speaker.count("second", getattr(facts.timers, name))}


def _prizes(name: str) -> Params:
    """The categories of a side bet with what each pays, from the highest."""

    def params(speaker: Speaker, facts: Facts) -> Mapping[str, object]:
        bet = facts.rules.side_bet(name)
        assert bet is not None
        game = facts.game.name
        told = (
            speaker.text("prize", name=speaker.catalogue.named("category", category, game), n=pays)
            for category, pays in bet.prizes
        )
        return {"prizes": "; ".join(told)}

    return params


def _bonus(facts: Facts) -> Bonus:
    assert facts.rules.bonus is not None
    return facts.rules.bonus


def _wheel(speaker: Speaker, facts: Facts) -> Mapping[str, object]:
    cash = [f"X{section}" for section, _ in _bonus(facts).wheel if isinstance(section, int)]
    return {"cash": ", ".join(cash)}


def _tables(speaker: Speaker, facts: Facts) -> Mapping[str, object]:
    bonus = _bonus(facts)
    return {
        "cells": bonus.link.cells,
        "mega_cells": bonus.mega_link.cells,
        "tiles": bonus.link.blocks,
        "mega_tiles": bonus.mega_link.blocks,
        "start": bonus.link.start,
        "mega_start": bonus.mega_link.start,
        "multipliers": ", ".join(f"X{tile}" for tile, _ in bonus.tiles if isinstance(tile, int)),
        "prizes": ", ".join(f"{name.upper()} X{pays}" for name, pays in bonus.pays),
        "spins": speaker.count("spin", bonus.spins),
        "values": ", ".join(f"{value}X" for value, _ in bonus.cells if value),
        "top": max(value for value, _ in bonus.cells),
    }


def _ranges(speaker: Speaker, facts: Facts) -> Mapping[str, object]:
    (least, most), (mega_least, mega_most) = _bonus(facts).range("link"), _bonus(facts).range("mega-link")
    found = {"least": least, "most": most, "mega_least": mega_least, "mega_most": mega_most}
    return {name: speaker.number(value) for name, value in found.items()}


def _threshold(speaker: Speaker, facts: Facts) -> Mapping[str, object]:
    return {"players": speaker.count("player", facts.options.vote_threshold)}


def _margin(speaker: Speaker, facts: Facts) -> Mapping[str, object]:
    return {"margin": speaker.number(facts.options.cashback_margin / 100)}


SECTIONS: dict[str, tuple[Sentence, ...]] = {
    "game": (
        _say("aim", "COM-08 COM-22", params=lambda _, facts: _odds(facts.rules.win_pays)),
        _say("values", "COM-02"),
        _say(
            "shoe-solo",
            "COM-01 COM-11 COM-13 CSH-13",
            _solo,
            lambda speaker, facts: {"decks": speaker.count("deck", facts.rules.decks)},
        ),
        _say(
            "shoe-live",
            "COM-01 COM-12 COM-13 FRB-30",
            _live,
            lambda speaker, facts: {
                "decks": speaker.count("deck", facts.rules.decks),
                "cut": speaker.count("card", facts.options.cut),
            },
        ),
        _say("shuffling-table", "FRB-30", lambda facts: _live(facts) and facts.timers.shuffling_table),
        _say("burn", "MAJ-07", lambda facts: facts.options.burn),
        _say(
            "hands-solo",
            "COM-50",
            _solo,
            lambda speaker, facts: {"hands": speaker.count("hand", facts.rules.spots)},
        ),
        _say(
            "seats",
            "FRB-20 FRB-32",
            _seats,
            lambda speaker, facts: {
                "seats": speaker.count("seat", facts.rules.spots),
                "each": speaker.count("seat", facts.timers.seats_each),
            },
        ),
        _say("boxes", "MAJ-10", _boxes, lambda _, facts: {"boxes": facts.rules.spots}),
        _say("order", "COM-09"),
        _say("blackjack", "COM-03 COM-22 FRB-08", params=lambda _, facts: _odds(facts.rules.blackjack_pays)),
        _say("split-21", "COM-04 FRB-08", params=lambda _, facts: _odds(facts.rules.win_pays)),
        _say("bust", "COM-05"),
        _say("push", "COM-08"),
        _say("pays-meaning", "COM-21"),
    ),
    "dealing": (
        _say("deal-solo", "COM-10", _solo),
        _say("deal-seats", "FRB-01", _seats),
        _say("deal-boxes", "MAJ-14", _boxes),
        _say("dealer-stands", "COM-06 CSH-09", lambda facts: not facts.rules.dealer_hits_soft_17),
        _say("dealer-hits", "COM-06", lambda facts: facts.rules.dealer_hits_soft_17),
        _say(
            "check-both",
            "SUR-02 SUR-07 COM-33",
            lambda facts: set(facts.rules.checks) == {"ace", "ten"},
        ),
        _say(
            "check-ace",
            "FRB-02 MAJ-01 MAJ-02 MAJ-03 COM-33",
            lambda facts: facts.rules.checks == ("ace",),
        ),
        _say(
            "check-none",
            "CSH-07 LNK-02",
            lambda facts: facts.rules.hole_card and not facts.rules.checks,
        ),
        _say("no-hole", "MAJ-01 MAJ-02 MAJ-03", lambda facts: not facts.rules.hole_card),
        _say("dealer-draws", "COM-07 MAJ-06", _not(_free)),
        _say("dealer-draws-free", "COM-07", _free),
        _say(
            "dealer-draws-eu",
            "COM-07 MAJ-06 SB-15",
            lambda facts: not facts.rules.hole_card,
        ),
        _say(
            "late-blackjack",
            "COM-47 CSH-08 LNK-03 MAJ-04",
            lambda facts: _late(facts) and facts.rules.ten_up_returns_double,
        ),
        _say("late-blackjack-free", "FRB-11 FRB-02", _both(_free, _late)),
    ),
    "insurance": (
        _say(
            "insurance",
            "COM-22 COM-26 COM-30",
            _insured,
            lambda _, facts: _odds(facts.rules.insurance_pays),
        ),
        _say("insurance-off", "MAJ-03", _not(_insured)),
        _say("insurance-ten", "COM-30 SUR-07 FRB-02", _insured),
        _say(
            "insurance-blackjack", "COM-32 FRB-02", _both(_insured, lambda facts: not facts.rules.even_money)
        ),
        _say(
            "insurance-solo",
            "COM-31 COM-32 LNK-05",
            _both(_insured, _solo, _not(lambda f: f.game.refusal_lasts)),
        ),
        _say(
            "insurance-apply", "COM-31 COM-32 CSH-12", _both(_insured, lambda facts: facts.game.refusal_lasts)
        ),
        _say(
            "insurance-switch",
            "SUR-06 CSH-12",
            _both(_insured, _solo, lambda facts: facts.game.insurance_switch),
        ),
        _say("insurance-seats", "COM-31 COM-32 FRB-31", _both(_insured, _seats), _seconds("insurance")),
        _say("insurance-boxes", "COM-32 MAJ-03 MAJ-09", _both(_insured, _boxes), _seconds("insurance")),
        _say("insurance-at-check", "COM-33", _both(_insured, lambda facts: "ace" in facts.rules.checks)),
        _say(
            "insurance-waits",
            "COM-33 CSH-14",
            _both(_insured, lambda facts: "ace" not in facts.rules.checks),
        ),
        _say(
            "even-money", "LNK-04 LNK-05", lambda facts: facts.rules.even_money, lambda *_: _odds(EVEN_MONEY)
        ),
    ),
    "decisions": (
        _say("hit-stand", "COM-53"),
        _say("twenty-one", "COM-45", _not(_charlie)),
        _say(
            "twenty-one-charlie",
            "COM-45",
            _charlie,
            lambda speaker, facts: {"cards": speaker.count("card", facts.rules.charlie - 1)},
        ),
        _say("double", "COM-43 COM-44 FRB-03"),
        _say("double-after-split", "COM-43 LNK-07", lambda facts: facts.rules.double_after_split),
        _say("no-double-after-split", "FRB-03", lambda facts: not facts.rules.double_after_split),
        _say("split", "COM-14 COM-40 COM-41 COM-42 FRB-05"),
        _say(
            "charlie",
            "COM-46 SUR-04 CSH-10 LNK-06 MAJ-05",
            _charlie,
            lambda speaker, facts: {"cards": speaker.count("card", facts.rules.charlie)},
        ),
        _say("charlie-waits", "COM-46", _both(_charlie, _late)),
        _say("surrender", "SUR-03", lambda facts: facts.rules.surrender),
        _say("surrender-not", "SUR-02 SUR-03", lambda facts: facts.rules.surrender),
        _say("surrender-insured", "SUR-08", lambda facts: facts.rules.surrender and facts.options.insurance),
        _say("cashback", "CSH-02", lambda facts: facts.rules.cashback),
        _say("cashback-price", "CSH-03 CSH-15", lambda facts: facts.rules.cashback, _margin),
        _say("cashback-when", "CSH-04", lambda facts: facts.rules.cashback),
        _say("cashback-not", "CSH-05", lambda facts: facts.rules.cashback),
        _say("cashback-side", "CSH-06 CSH-14", lambda facts: facts.rules.cashback),
        _say("cashback-stale", "CSH-15", lambda facts: facts.rules.cashback),
        _say("ahead", "FRB-25", _seats),
        _say("time-out-seats", "FRB-26", _seats, _seconds("decision")),
        _say("poor-solo", "COM-24", _solo),
        _say("poor-seats", "COM-24 FRB-27", _seats),
        _say("poor-boxes", "COM-24 MAJ-23 MAJ-41", _boxes),
        _say("no-clock", "PLT-30", _solo),
    ),
    "free": (
        _say(
            "free-double",
            "FRB-04 FRB-09",
            lambda facts: bool(facts.rules.free_double),
            lambda speaker, facts: {
                "totals": speaker.listed([str(total) for total in facts.rules.free_double])
            },
        ),
        _say("free-double-pays", "FRB-04", lambda facts: bool(facts.rules.free_double)),
        _say("free-split", "FRB-06 FRB-09", lambda facts: bool(facts.rules.free_split)),
        _say("free-split-pays", "FRB-06", lambda facts: bool(facts.rules.free_split)),
        _say("free-choice", "FRB-12", _free),
        _say("dealer-22", "FRB-07", lambda facts: facts.rules.dealer_22_pushes),
        _say("dealer-22-stakes", "FRB-07", lambda facts: facts.rules.dealer_22_pushes),
        _say(
            "dealer-22-blackjack",
            "FRB-07",
            lambda facts: facts.rules.dealer_22_pushes,
            lambda _, facts: _odds(facts.rules.blackjack_pays),
        ),
    ),
    "majority": (
        _say("modes", "MAJ-11", _boxes, _threshold),
        _say("vote", "MAJ-20 MAJ-22", _boxes, _seconds("vote")),
        _say("vote-wins", "MAJ-20", _boxes),
        _say("vote-tie", "MAJ-21", _boxes),
        _say("vote-right", "MAJ-22 MAJ-23", _boxes),
        _say("best", "MAJ-30", _boxes),
        _say("best-instead", "MAJ-31", _boxes),
        _say("consent", "MAJ-12 MAJ-40", _boxes),
        _say("consent-no", "MAJ-41 MAJ-43", _boxes),
        _say("consent-voted", "MAJ-42", _boxes),
        _say("nobody-follows", "MAJ-44", _boxes),
    ),
    "golden": (
        _say("golden", "MAJ-50", _boxes),
        _say("golden-spots", "MAJ-51 MAJ-57", _boxes),
        _say(
            "golden-cap",
            "MAJ-51",
            lambda facts: _boxes(facts) and facts.options.golden.cap is not None,
            lambda speaker, facts: {"chips": speaker.count("chip", facts.options.golden.cap or 0)},
        ),
        _say("golden-no-cap", "MAJ-51", lambda facts: _boxes(facts) and facts.options.golden.cap is None),
        _say("golden-mixing", "MAJ-52", lambda facts: _boxes(facts) and facts.options.golden.mixing),
        _say("golden-no-mixing", "MAJ-52", lambda facts: _boxes(facts) and not facts.options.golden.mixing),
        _say("golden-extra", "MAJ-52", lambda facts: _boxes(facts) and facts.options.golden.extra),
        _say("golden-no-extra", "MAJ-52", lambda facts: _boxes(facts) and not facts.options.golden.extra),
        _say("golden-blind", "MAJ-52", lambda facts: _boxes(facts) and facts.options.golden.blind),
        _say("golden-no-blind", "MAJ-52", lambda facts: _boxes(facts) and not facts.options.golden.blind),
        _say("golden-chosen", "MAJ-53 PLT-65", _boxes),
        _say("golden-pays", "MAJ-54", _boxes),
        _say("golden-insurance", "MAJ-55 MAJ-09", _both(_boxes, _insured)),
        _say("golden-mark", "MAJ-56", _boxes),
    ),
    "side": (
        _say("side-needs-main", "SB-08 SUR-05 CSH-11 LNK-01 FRB-10 MAJ-08", _sides),
        _say("side-decided", "SB-09", _sides),
        _say("player-pair", "SB-01 SB-10", _bet("player-pair"), _prizes("player-pair")),
        _say(
            "dealer-pair",
            "SB-02 SB-09 SB-10",
            _both(_bet("dealer-pair"), _solo),
            _prizes("dealer-pair"),
        ),
        _say(
            "dealer-pair-box",
            "SB-02 SB-09 SB-10 SB-15",
            _both(_bet("dealer-pair"), _boxes),
            _prizes("dealer-pair"),
        ),
        _say("21+3", "SB-03 SB-11", _bet("21+3"), _prizes("21+3")),
        _say("straights", "SB-11", _bet("21+3")),
        _say("top-3", "SB-04 SB-12", _bet("top-3"), _prizes("top-3")),
        _say("buster", "SB-05 SB-13", _bet("buster"), _prizes("buster")),
        _say(
            "buster-drawn",
            "SB-13 MAJ-06",
            lambda facts: facts.has("buster") and facts.rules.buster_keeps_dealer,
        ),
        _say("buster-lost", "SB-13", _bet("buster")),
        _say("lucky-lucky", "SB-06 SB-14", _bet("lucky-lucky"), _prizes("lucky-lucky")),
        _say("lucky-ace", "SB-14", _bet("lucky-lucky")),
        _say("link-bet", "SB-07 LNK-35", _bet("link")),
    ),
    "bonus": (
        _say("bonus-turn", "LNK-20 LNK-37", _link),
        _say("wheel", "LNK-21 LNK-22", _link, _wheel),
        _say("bonus-tables", "LNK-23 LNK-24 LNK-25", _link, _tables),
        _say("bonus-start", "LNK-26", _link, _tables),
        _say("bonus-spin", "LNK-27", _link, _tables),
        _say("bonus-end", "LNK-28", _link),
        _say("bonus-pays", "LNK-29", _link),
        _say("bonus-range", "LNK-30", _link, _ranges),
        _say("bonus-weights", "LNK-31 LNK-38", _link),
        _say("bonus-decided", "LNK-32", _link),
        _say("bonus-credit", "LNK-34 LNK-35 LNK-36", _link),
        _say("bonus-back", "LNK-33", _link),
    ),
    "betting": (
        _say("buttons-before", "COM-51 COM-55", _solo),
        _say("buttons-after", "COM-52 COM-55", _solo),
        _say("betting-seats", "FRB-21 FRB-22 FRB-34 ASR-20", _seats, _seconds("betting")),
        _say("betting-boxes", "MAJ-60 ASR-20", _boxes, _seconds("betting")),
        _say("buttons-seats", "FRB-23", _seats),
        _say("buttons-boxes", "MAJ-57 MAJ-60", _boxes),
        _say("start-now", "FRB-24 FRB-32", _seats),
        _say("joining", "FRB-29 MAJ-13", _live),
        _say(
            "seat-lost",
            "FRB-20 FRB-33",
            _seats,
            lambda speaker, facts: {"rounds": speaker.count("round", facts.timers.idle_rounds)},
        ),
        _say("own-action", "ASR-40"),
    ),
    "behind": (
        _say("behind", "FRB-40", _seats),
        _say("behind-back", "FRB-41", _seats),
        _say("behind-decides", "FRB-42", _seats),
        _say("behind-not", "FRB-44", _seats),
        _say("behind-settings", "FRB-43", _seats),
        _say("hot", "FRB-45", _seats),
    ),
    "money": (
        _say(
            "limits-solo",
            "COM-23 COM-25 COM-54 PLT-10 PLT-11",
            _solo,
        ),
        _say(
            "limits-live",
            "COM-23 COM-25 COM-54 FRB-22 PLT-10 PLT-11",
            _live,
            lambda speaker, facts: _range(speaker, facts.options.main),
        ),
        _say("rounding", "COM-20 COM-26"),
        _say("credit-solo", "COM-27", _solo),
        _say("credit-live", "COM-27 MAJ-60", _live),
        _say(
            "max-win",
            "LNK-08 PLT-10",
            lambda facts: facts.options.max_win is not None,
            lambda _, facts: {"amount": facts.options.max_win},
        ),
        _say(
            "sitting",
            "PLT-04 LNK-09",
            params=lambda speaker, facts: {
                "cap": facts.house.sitting_cap,
                "idle": speaker.count(
                    "minute", facts.house.idle_minutes if _solo(facts) else facts.timers.absence / 60
                ),
            },
        ),
        _say("session", "COM-57", _solo),
        _say("cashier", "PLT-01 PLT-02", params=lambda _, facts: {"amount": facts.house.demo_money}),
        _say(
            "own-limits",
            "PLT-50 PLT-51 ASR-41",
            params=lambda speaker, facts: {"cooling": speaker.count("hour", facts.house.cooling_hours)},
        ),
    ),
    "breaks": (
        _say(
            "breaks-solo",
            "PLT-30",
            _solo,
            lambda speaker, facts: {"time": speaker.count("hour", facts.house.abandoned_hours)},
        ),
        _say("breaks-seats", "PLT-31 FRB-26 FRB-29", _seats, _seconds("grace")),
        _say("breaks-boxes", "PLT-31 MAJ-61", _boxes, _seconds("grace")),
        _say("pause", "PLT-33", _live),
        _say("void", "PLT-32"),
        _say("restart", "PLT-34"),
        _say("told", "PLT-49"),
    ),
    "around": (
        _say("code", "PLT-20 FRB-28"),
        _say("history", "PLT-21 PLT-22"),
        _say("assistance", "PLT-63"),
        _say(
            "terms",
            "PLT-62",
            params=lambda speaker, facts: {"age": speaker.count("year", facts.house.least_age)},
        ),
        _say("settings", "PLT-42 PLT-43 PLT-44"),
        _say("talk", "PLT-40 PLT-41 PLT-47", _live),
        _say("keys", "PLT-45"),
    ),
}
