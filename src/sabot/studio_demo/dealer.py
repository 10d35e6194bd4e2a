"""The dealer: does at a studio table what its console says, with real cards in a shoe (STU-25)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import structlog

from sabot.client.connection import RequestError
from sabot.server.http.handlers.studio import Console
from sabot.studio_demo.broadcast import Scene
from sabot.studio_demo.desk import LOST, Sleep, StudioDesk
from sabot.studio_demo.picture import FACE_DOWN
from sabot.studio_demo.shoe import DealingShoe, PrintedCards, ShoeFile

#: The labels of the two shoes: one is shuffled while the other is dealt from.
LABELS = ("A", "B")
#: Seconds between two looks while there is nothing to do, and after the house did not answer.
_LOOK, _LOST = 0.25, 1.0
#: Seconds after which a waiting presenter shows to be there.
_TOUCH = 60.0
#: The refusal while nobody is there to play.
_NOBODY = "studio/nobody"
_STRANGE_SHOE = "the cards of this shoe are not at the table"

_log = structlog.get_logger()


class Dealer:
    """A presenter who deals at one table."""

    def __init__(
        self,
        desk: StudioDesk,
        cards: PrintedCards,
        file: ShoeFile,
        scene: Scene,
        *,
        cut: int,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._desk = desk
        self._cards = cards
        self._file = file
        self._shoe = file.read()
        self._scene = scene
        self._cut = cut
        self._steady = steady
        self._acted_at = steady()
        self._round, self._first = "", 0
        #: Cards read and rounds paid.
        self.dealt = self.paid = 0
        self._refused = ""

    async def run(self, pace: float, sleep: Sleep = asyncio.sleep) -> None:
        """Deal until cancelled, a card every `pace` seconds."""
        while True:
            try:
                await sleep(pace if await self.act() else _LOOK)
            except LOST:
                await sleep(_LOST)

    async def act(self) -> bool:
        """Do the next thing; gives whether there was one."""
        try:
            console = await self._desk.console()
            self._show(console)
            done = await self._do(console)
        except RequestError as error:
            await self._answer(error)
            return False
        if done:
            self._acted_at = self._steady()
        elif self._steady() - self._acted_at > _TOUCH and console.presenter_id is not None:
            self._acted_at = self._steady()
            await self._desk.order("touch")
        return done

    async def _do(self, console: Console) -> bool:
        match console.step:
            case "shift":
                await self._desk.order("shift")
            case "locked":
                await self._desk.unlock()
            case "shoe":
                await self._change_shoe(console)
            case "open" if not self._has_shoe(console):
                await self._change_shoe(console)
            case "open":
                await self._desk.order("open-betting")
            case "pay":
                await self._desk.order("pay")
                self.paid += 1
            case "card" | "hole" | "burn" | "turn" if not self._has_shoe(console):
                await self._desk.order("call-supervisor", why=_STRANGE_SHOE)
            case "card" | "hole" | "burn":
                await self._deal(console)
            case "turn":
                await self._turn(console)
            case _:
                return False
        return True

    async def _answer(self, error: RequestError) -> None:
        """What the house refused: the login ended, another device deals, or it is not the time.

        `RequestError` if this presenter may not deal at all.
        """
        if error.code not in (self._refused, _NOBODY):
            self._refused = error.code
            _log.warning("the house refused the dealer", table=self._desk.table, code=error.code)
        if error.code in ("login/required", "login/idle"):
            await self._desk.log_in()
        elif error.code.startswith(("login/", "factor/", "device/")):
            raise error
        elif error.code == "scan/other-device":
            await self._desk.take_shoe(await self._desk.console())

    # The shoe

    def _has_shoe(self, console: Console) -> bool:
        """Whether the cards of the shoe in use are here."""
        return self._shoe is not None and self._shoe.label == console.shoe

    @property
    def _in_use(self) -> DealingShoe:
        assert self._shoe is not None
        return self._shoe

    async def _change_shoe(self, console: Console) -> None:
        """Count what is left of the last shoe, and bring the other one, shuffled and cut (STU-07)."""
        if self._shoe is None:
            for label in LABELS:
                for what in ("arrived", "checked"):
                    await self._desk.order("note-shoe", what=what, label=label)
        elif self._has_shoe(console):
            await self._desk.order("count-shoe", counted=len(self._shoe.codes) - console.dealt)
        label = LABELS[0] if console.shoe != LABELS[0] else LABELS[1]
        await self._desk.order("note-shoe", what="shuffled", label=label)
        self._shoe = self._cards.shuffled(label, console.decks, self._cut)
        self._file.keep(self._shoe)
        await self._desk.order("change-shoe", label=label)

    # Cards

    async def _deal(self, console: Console) -> None:
        """Read the next card; the cut card lies before it when its place has come."""
        shoe = self._in_use
        if console.dealt >= shoe.cut and not console.cut_seen:
            await self._show_cut_card()
        elif console.dealt >= len(shoe.codes):
            await self._desk.order("shoe-empty")
        else:
            await self._desk.scan(shoe.codes[console.dealt])
            self.dealt += 1
            down = console.step in ("hole", "burn")
            name = FACE_DOWN if down else self._cards.name(shoe.codes[console.dealt])
            self._scene.cards = (*self._scene.cards, name)

    async def _show_cut_card(self) -> None:
        if self._cards.cut_card is None:
            await self._desk.order("cut-card")
        else:
            await self._desk.scan(self._cards.cut_card)

    async def _turn(self, console: Console) -> None:
        """Read the hole card again, and turn it."""
        hole = self._place_of_hole(console)
        code = self._in_use.codes[hole]
        await self._desk.scan(code)
        place, lies = hole - self._first, self._scene.cards
        self._scene.cards = (*lies[:place], self._cards.name(code), *lies[place + 1 :])

    @staticmethod
    def _place_of_hole(console: Console) -> int:
        """The place of the hole card in the shoe: the last of the round's cards that lies face down."""
        faces = [card.card for card in console.cards]
        return console.dealt - len(faces) + max(place for place, face in enumerate(faces) if face is None)

    def _show(self, console: Console) -> None:
        """Lay the table for the camera: the cards of the round, without those that lie face down."""
        if console.round != self._round:
            self._round, self._first = console.round, console.dealt - len(console.cards)
        if not console.round or not self._has_shoe(console):
            self._scene.cards = ()
            return
        down = {place for place, card in enumerate(console.cards) if card.card is None}
        names = map(self._cards.name, self._in_use.codes[self._first : console.dealt])
        self._scene.cards = tuple(FACE_DOWN if place in down else name for place, name in enumerate(names))
