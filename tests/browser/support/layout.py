"""What is wrong with a page as it is laid out: out of reach, covered, cut, too small; at every size, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from playwright.sync_api import Page, ViewportSize, expect

#: Widths and heights of windows.
Sizes = tuple[tuple[int, int], ...]

#: Sizes at which everything must be in reach, beside those that a felt is made for.
SIZES = ((375, 553), (640, 360), (740, 360), (820, 1180), (1280, 800), (3840, 2160))
#: The narrowest phone: a table is higher than it, as than any short phone, and is scrolled; on a less short one it is laid out
#: the same way.
NARROWEST = ((320, 568),)
#: A short phone, whose browser takes some of its height.
SHORT = ((375, 553),)
#: The sizes that a felt is made for.
MADE_FOR = ((1440, 900), (1280, 720), (390, 844), (844, 390), (360, 740))
#: 1440x900 and 1280x720 enlarged to 200 %.
ENLARGED = ((720, 450), (640, 360))
#: The size at which tests press.
PLAYED_AT: ViewportSize = {"width": 1280, "height": 800}
#: In which languages a table is looked at, and at which sizes: English where words have little room.
LANGUAGES = {
    "en": ((844, 390), (360, 740), (640, 360), *NARROWEST),
    "it": MADE_FOR + ENLARGED + NARROWEST + SHORT,
}
ITALIAN = {"it": LANGUAGES["it"]}

#: A page whose window has another size is laid out anew, and so is what it makes smaller.
_FRAMES = "for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));"
SETTLED = f"async () => {{ {_FRAMES} }}"

_COMMON = (
    _FRAMES
    + """
  const faults = [];
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
  /** Texts that stick out of their places, are cut by what they are in, or are too small to read. */
  const readTexts = (root, places) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement: parent, textContent } = texts.currentNode;
      const words = textContent.trim();
      // What is on a card or a chip is a picture: its total and its amount stand beside it.
      if (!words || parent.closest(".card, .stack, .chip, .unseen, [role=log]") || !isSeen(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      // A name that is too long is shortened: the rest of it is not seen.
      const name = parent.closest(".name");
      const text = (name && getComputedStyle(name).textOverflow === "ellipsis" ? name : range).getBoundingClientRect();
      if (!text.width || getComputedStyle(parent).clipPath !== "none") continue;
      const { a, b } = parent.getScreenCTM?.() ?? { a: 1, b: 0 };
      const size = parseFloat(getComputedStyle(parent).fontSize) * Math.hypot(a, b);
      if (size < 11.99) faults.push(`"${words}" is ${size.toFixed(1)}px`);
      if (parent.closest("svg")) continue;
      // What scrolls can be read by scrolling.
      const place = parent.closest(`${places}, .scrolls`) ?? document.body;
      const room = place.getBoundingClientRect();
      const out = text.left < room.left - 1 || text.right > room.right + 1;
      if (out && !place.matches(".scrolls")) faults.push(`"${words}" sticks out`);
      if (!parent.matches(".real") && parent.closest("main .felt") && /sha-?256|hash|impegno|commitment|seed|radice|[0-9a-f]{12}/i.test(words))
        faults.push(`"${words}" is no word for a felt`);
      if (name) continue;
      for (let around = parent; around && around !== document.body; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around);
        if ([overflowX, overflowY].some((flow) => flow === "auto" || flow === "scroll")) break;
        const edge = around.getBoundingClientRect();
        const across = overflowX !== "visible" && (text.left < edge.left - 1 || text.right > edge.right + 1);
        const along = overflowY !== "visible" && (text.top < edge.top - 3 || text.bottom > edge.bottom + 3);
        if (across || along) faults.push(`"${words}" is cut by ${around.className}`);
      }
    }
  };
"""
)

#: What is outside of the window, covered, or smaller than a target may be; and whether anything scrolls.
_REACH = """
  const root = document.documentElement;
  const scrolled = innerWidth <= 320 || (innerWidth < innerHeight && innerHeight < 736);
  if (root.scrollWidth > innerWidth || (!scrolled && root.scrollHeight > innerHeight)) faults.push("the page scrolls");
  const targets = [...document.querySelectorAll("button, [role=button], a, input, .card .face")];
  for (const target of targets) {
    if (scrolled) target.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, right, bottom, width, height } = target.getBoundingClientRect();
    if (!width || getComputedStyle(target).visibility === "hidden") continue;
    const name = target.dataset.testid ?? target.getAttribute("aria-label") ?? target.className;
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
      faults.push(`${name} is outside`);
    if (target.matches(".face")) continue;
    if (Math.min(width, height) < 24) faults.push(`${name} is ${width} by ${height}`);
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!target.contains(at) && !at?.contains(target)) faults.push(`${name} is covered by ${at?.className}`);
  }
  scrollTo(0, 0);
"""

#: What lies on something else on a felt. Cards of one hand may overlap.
_CLASHES = """
  const all = (kind, selector, owner) => [...document.querySelectorAll(selector)]
    .filter(isSeen)
    .map((element) => ({ kind, element, owner: element.closest(owner), box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1.5 && box.height > 1.5);
  const things = [
    ...all("card", ".card .face", ".hand"),
    ...all("plate", ".hand .label", ".hand"),
    ...all("chips", ".stack", ".stacks"),
    ...all("amount", ".amounts", ".stacks"),
    ...all("insurance", ".insured", ".main"),
    ...all("sum", ".sum", ".sum"),
    ...all("lettering", ".print text", ".print"),
    ...all("corner", ".corner .box", ".corner"),
    ...all("shoe", "[data-shoe]", "[data-shoe]"),
    ...all("video", ".filmed", ".host"),
    ...all("presenter", ".host .plate p", ".host"),
    ...all("name", ".seat .plate", ".seat"),
    ...all("clock", ".countdown", ".seat"),
    ...all("figure", ".bar dd", "dl"),
    ...all("more money", ".bar .more", ".bar"),
  ];
  const called = ({ kind, element, owner }) =>
    `${kind} ${element.textContent.trim() || element.firstElementChild?.getAttribute("aria-label") || ""} of ${owner?.closest("[data-testid]")?.dataset.testid}`;
  things.forEach((one, index) => {
    for (const other of things.slice(index + 1)) {
      const fan = one.kind === "card" && other.kind === "card";
      const stack = [one.kind, other.kind].every((kind) => ["chips", "amount"].includes(kind));
      const print = one.kind === "lettering" && other.kind === "lettering"; // arcs: their boxes are wider than they are
      const name = one.kind === "video" && other.kind === "presenter"; // it may stand in the picture's corner
      if (one.owner === other.owner && (fan || stack || print || name)) continue;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > 1 && high > 1) faults.push(`${called(one)} and ${called(other)} overlap by ${wide.toFixed(1)} x ${high.toFixed(1)}`);
    }
  });
  for (const bet of [...document.querySelectorAll(".spot.side.won")].filter(isSeen)) {
    const [name, words] = [".mark", ".amounts"].map((part) => bet.querySelector(part)?.getBoundingClientRect());
    if (words && name.bottom > words.top + 1) faults.push(`${bet.dataset.testid}: its name lies on what it has won with`);
  }
  readTexts(document.querySelector(".page"), "button, .label, .amounts, .box, .saying");
"""

#: What a page that scrolls hides all the same: to the side of the window, or cut.
_SIDEWAYS = """
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window");
  for (const target of document.querySelectorAll("button, a, input, select, textarea, summary")) {
    const { left, right, width } = target.getBoundingClientRect();
    if (!width || !isSeen(target) || target.closest(".unseen, .skip, .scrolls, .strip")) continue;
    if (left < -0.5 || right > innerWidth + 0.5) faults.push(`${target.dataset.testid ?? target.textContent} is outside`);
  }
  readTexts(document.body, "button, .button, .panel, dialog");
"""


def _script(*parts: str) -> str:
    return "async () => {" + "".join((_COMMON, *parts)) + "return [...new Set(faults)]; }"


#: Nobody sees the pages that are measured: what is transparent lies where it lay, and is not drawn at every size.
_PAINT = "(opacity) => { document.documentElement.style.opacity = opacity; }"

_REACHED = _script(_REACH)
_CLEAR = _script(_REACH, _CLASHES)
_READ = _script(_SIDEWAYS)


def _faults(page: Page, script: str, sizes: tuple[tuple[int, int], ...]) -> dict[str, list[str]]:
    found = {}
    page.evaluate(_PAINT, "0")
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        faults = page.evaluate(script)
        if faults:
            found[f"{width}x{height}"] = faults
    page.evaluate(_PAINT, "")
    return found


#: Chooses a language in the menu of a table, without a pointer: what the menu is like is tested elsewhere.
_SPEAK = """async (language) => {
  for (const button of ["menu", `language-${language}`, "close"]) {
    let found;
    while (!(found = document.querySelector(`[data-testid=${button}]`))) await new Promise(requestAnimationFrame);
    found.click();
  }
}"""


def speak(page: Page, language: str) -> None:
    """Let a table be in a language."""
    root = page.locator("html")
    if root.get_attribute("lang") != language:
        page.evaluate(_SPEAK, language)
        expect(root).to_have_attribute("lang", language)
        expect(page.get_by_role("dialog")).to_have_count(0)


def assert_clear(
    page: Page,
    moment: str,
    languages: Mapping[str, Sizes] = LANGUAGES,
) -> None:
    """At a table nothing lies on anything else or is cut, and everything is in reach."""
    faults = {}
    for language, sizes in languages.items():
        speak(page, language)
        faults[language] = _faults(page, _CLEAR, sizes)
    page.set_viewport_size(PLAYED_AT)
    assert not any(faults.values()), (moment, faults)


def assert_fits(page: Page, moment: str) -> None:
    """At a table everything is in reach."""
    faults = _faults(page, _REACHED, SIZES + NARROWEST)
    page.set_viewport_size(PLAYED_AT)
    assert not faults, moment


def sideways(page: Page, sizes: tuple[tuple[int, int], ...]) -> list[str]:
    """What of a page that scrolls cannot be read or reached by scrolling down."""
    return [f"{size}: {fault}" for size, faults in _faults(page, _READ, sizes).items() for fault in faults]
