"""What is wrong with a page for anyone who cannot see, hold or read it well: axe, targets, words, and what is cut off."""

from __future__ import annotations

import re

from playwright.sync_api import ViewportSize, expect

from tests.browser.support.guest import Guest
from tests.browser.support.layout import sideways

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
#: The size at which axe looks at a page in each language.
LOOKS = {"en": DESKTOP, "it": PHONE}
#: Sizes at which a page is read: a narrow phone, and desktops enlarged to 200 %.
READ = ((320, 568), (360, 740), (640, 360), (720, 450), (1280, 800))
#: Things to press that are smaller than a finger; links in a sentence are as high as their line.
_SMALL = """
() => [...document.querySelectorAll("button, a, input, select, textarea, summary")]
  .filter((found) => found.checkVisibility() && !found.matches(".unseen, .skip, p a"))
  .map((found) => [found, found.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))
  .map(([found, box]) => `${found.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)
"""
#: Text that is a key of the catalogue, or has a hole where something should stand.
_KEYS = r"\b(web|label|kind|error|limits|category|result|ending)\.[a-z]|\{\w+\}|undefined|NaN"


def faults(guest: Guest, *languages: str) -> list[str]:
    """What is wrong with the page as it is, in these languages or in the one it has."""
    page, found = guest.page, list[str]()
    for language in languages or ("",):
        if language:
            page.set_viewport_size(DESKTOP)
            page.get_by_role("banner").get_by_test_id(f"language-{language}").click()
            expect(page.locator("html")).to_have_attribute("lang", language)
        found += [key[0] for key in re.finditer(_KEYS, page.locator("body").inner_text())]
        found += sideways(page, READ)
        page.set_viewport_size(LOOKS.get(language, PHONE))
        found += guest.axe()
        found += [f"small: {what}" for what in page.evaluate(_SMALL)]
    page.set_viewport_size(DESKTOP)
    return found
