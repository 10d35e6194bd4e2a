"""A picture to be taken of a page, and the sizes it is taken at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page

from sabot.rounds.shoes import ShoeSource
from tests.browser.pictures.picture import packed
from tests.browser.support.guest import Guest
from tests.browser.support.room import PAINTED
from tests.support.shoes import StackedShoes

SIZES = {"phone": (390, 844), "side": (844, 390), "laptop": (1280, 720), "desktop": (1440, 900)}
#: How wide a picture stands in a document.
SHOWN = {"phone": 200, "side": 430, "laptop": 480, "desktop": 520}
LANGUAGES = {"it": "it-IT", "en": "en-GB"}

#: Frames until a page that has another size is drawn at it.
_DRAWN = """
async () => {
  for (let frame = 0; frame < 4; frame++) await new Promise((next) => requestAnimationFrame(next));
}
"""


class Device(NamedTuple):
    """What a player holds: a phone either way up, or a screen with a pointer."""

    touch: bool
    #: The size at which every screen is shown, and the one at which only key screens are.
    sizes: tuple[str, str]

    @property
    def context(self) -> dict[str, Any]:
        """The settings of a browser's context."""
        width, height = SIZES[self.sizes[0]]
        return {
            "viewport": {"width": width, "height": height},
            "has_touch": self.touch,
            "is_mobile": self.touch,
            "reduced_motion": "reduce",
            "timezone_id": "Europe/Rome",
        }


PHONE = Device(touch=True, sizes=("phone", "side"))
SCREEN = Device(touch=False, sizes=("laptop", "desktop"))


class Shot(NamedTuple):
    """What it is called, how a guest gets there, whether all of the page is in it, and the shoes if it needs its own."""

    name: str
    title: str
    go: Callable[[Guest], None]
    whole: bool = True
    #: Whether it is taken at all four sizes, in both languages.
    key: bool = False
    shoes: Callable[[], ShoeSource] | None = None


def stacked(*cards: str, draws: Sequence[Sequence[int]] = ()) -> Callable[[], ShoeSource]:
    """Shoes with chosen cards, and chosen draws of a bonus."""
    return lambda: StackedShoes(*cards, draws=draws)


def prepare(folder: Path, *, whole: bool) -> None:
    """Make the folder of the pictures; if all are taken, remove those of an earlier run, whose screens may be gone."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in folder.glob("*.webp") if whole else ():
        picture.unlink()


def file_name(name: str, size: str, language: str) -> str:
    """The file of a picture."""
    return f"{name}-{size}{'-en' if language == 'en' else ''}.webp"


def photograph(
    page: Page, folder: Path, name: str, device: Device, *, language: str, key: bool, whole: bool = False
) -> None:
    """Take a page as it is, at each size of a device; then it has the size again at which it is played."""
    for size in device.sizes if key else device.sizes[:1]:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(PAINTED)
        page.evaluate(_DRAWN)
        picture = page.screenshot(full_page=whole, animations="disabled")
        (folder / file_name(name, size, language)).write_bytes(packed(picture))
    width, height = SIZES[device.sizes[0]]
    page.set_viewport_size({"width": width, "height": height})


def shown(folder: Path, name: str, title: str) -> Iterator[str]:
    """The lines of a document that show the pictures of a screen."""
    for language in LANGUAGES:
        for size, width in SHOWN.items():
            file = folder / file_name(name, size, language)
            if file.exists():
                words = f"{title}: {size}{', English' if language == 'en' else ''}"
                yield f'<img src="{folder.name}/{file.name}" alt="{words}" width="{width}">'
