"""Why a computed return is not the published one, or why there are two, in sentences (RET-05, RET-07, RET-08)."""

from collections.abc import Iterator

from sabot.games import Rules
from sabot.odds.returns import ordinary_table_return, own_free_table_return, undrawn_buster_return
from sabot.texts import Catalogue


def return_notes(catalogue: Catalogue, rules: Rules) -> Iterator[str]:
    """Yield a sentence for each published return of a game that needs a reason, by the rules that are played.

    >>> from sabot.games import CATALOGUE
    >>> list(return_notes(Catalogue("en"), CATALOGUE["surrender"].rules))
    []
    """
    say = catalogue.text
    if rules.cashback:
        yield say("returns.cashback-note", ordinary=catalogue.percent(ordinary_table_return(rules)))
    if rules.free_split:
        yield say("returns.free-note", own=catalogue.percent(own_free_table_return(rules)))
    if rules.backing == "boxes" and rules.checks:
        yield say("returns.us-note")
    if rules.side_bet("buster"):
        if rules.buster_keeps_dealer:
            yield say("returns.buster-note")
        yield say("returns.buster-undrawn-note", undrawn=catalogue.percent(undrawn_buster_return(rules), 2))
    if rules.side_bet("lucky-lucky"):
        yield say("returns.lucky-note")
