"""One word for one thing in Italian: those of the regulations."""

from __future__ import annotations

import re

import pytest

from sabot.texts import Catalogue

IT = Catalogue("it")


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        (r"\blateral[ei]\b", "puntate collaterali"),
        (r"[Pp]untat[ae] dietro\b", "puntate alle spalle"),
        (r"\bpartita \{", "round {code}; «partita» is the word of its code alone"),
    ],
)
def test_words_that_no_text_has(word: str, instead: str) -> None:
    assert [key for key, text in IT._texts.items() if re.search(word, text)] == [], instead


def test_the_head_of_a_report_has_the_words_of_its_page() -> None:
    assert (IT.text("report.house"), IT.text("report.made")) == ("Casa", "Generato il")
    assert IT.text("office.reports.made", at="") == "generato il  UTC"
    assert IT.text("office.page.floor") == "Sala live"
