"""The documents: links lead somewhere, README leads to every page, figures name a command that is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
#: Pages of the site alone.
_OF_THE_SITE = {DOCS / "index.md", DOCS / "work" / "contributing.md"}


def links(page: Path) -> list[str]:
    """The links of a page to other files, and its pictures."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    found = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'<img src="([^"]+)"', text)
    return [link for link in found if "://" not in link]


def anchors(page: Path) -> set[str]:
    """The anchors of its headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere() -> None:
    assert sum(len(links(page)) for page in PAGES) > 300
    lost = []
    for page in PAGES:
        for link in links(page):
            place, _, anchor = link.partition("#")
            target = (page.parent / place).resolve() if place else page
            if not target.exists() or (anchor and anchor not in anchors(target)):
                lost.append(f"{page.relative_to(ROOT)}: {link}")
    assert lost == []


def test_the_readme_leads_to_every_page() -> None:
    named = {(ROOT / link).resolve() for link in links(ROOT / "README.md")}
    pages = {page for page in DOCS.rglob("*.md") if "reference" not in page.parts}
    assert pages - named == _OF_THE_SITE


def test_commands_that_print_figures_are_there() -> None:
    text = (DOCS / "performance.md").read_text("utf-8")
    files = set(re.findall(r"`(?:python )?(bench/\w+\.py)", text))
    modules = {name.replace(".", "/") for name in re.findall(r"`python -m ([\w.]+)", text)}
    assert len(files) >= 9
    assert len(modules) >= 3
    assert [file for file in sorted(files) if not (ROOT / file).is_file()] == []
    assert [name for name in sorted(modules) if not (ROOT / f"{name}.py").is_file()] == []
