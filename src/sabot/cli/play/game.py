"""The game loop: rounds until the player leaves."""

from __future__ import annotations

from rich.console import Console

from sabot.cli.play.betting import BettingPrompt
from sabot.cli.play.chance import Source
from sabot.cli.play.desk import Desk, PlayerLeft
from sabot.cli.play.playing import RoundPrompt
from sabot.cli.play.records import RecordFolder
from sabot.cli.play.session import PlaySession
from sabot.cli.terminal import Read
from sabot.texts import Catalogue


class TerminalGame:
    """A play session at a terminal; `source` gives its chance."""

    def __init__(
        self,
        session: PlaySession,
        source: Source,
        catalogue: Catalogue,
        console: Console,
        read: Read,
        *,
        hands: int = 1,
        practice: bool = False,
        records: RecordFolder | None = None,
    ) -> None:
        self._session = session
        self._source = source
        self._practice = practice
        self._records = records
        self._desk = Desk(session, catalogue, console, read)
        self._betting = BettingPrompt(self._desk, hands)
        self._playing = RoundPrompt(self._desk)

    def run(self) -> None:
        """Play until the player leaves or the input ends."""
        self._welcome()
        try:
            while True:
                self._commit()
                self._betting.until_dealt()
                self._playing.until_over()
                self._reveal()
        except PlayerLeft:
            self._farewell()

    def _welcome(self) -> None:
        game, desk = self._session.game, self._desk
        desk.say("play.title", "bold", title=game.title, decks=game.rules.decks)
        self._betting.show_limits()
        desk.say("play.welcome")
        if self._practice:
            desk.say("play.seeded", "yellow")

    def _commit(self) -> None:
        commitment = self._source.prepare()
        self._desk.print()
        if commitment:
            self._desk.say("play.commitment", "dim", commitment=commitment)

    def _reveal(self) -> None:
        """Print the seeds of the last round, and save its record if asked."""
        revealed = self._source.reveal()
        if revealed is not None:
            self._desk.say("play.revealed", "dim", seed=revealed.server_seed)
            if self._session.rounds_played == 1:
                self._desk.say("play.client-seed", "dim", seed=revealed.client_seed)
        round = self._session.round
        if self._records is not None and round is not None:
            self._desk.say("play.recorded", "dim", path=self._records.save(round, revealed))

    def _farewell(self) -> None:
        session, desk = self._session, self._desk
        if session.in_round:
            desk.say("play.abandoned", "yellow")
            session.play_out()
            self._playing.show_results()
            self._reveal()
        rounds, balance = session.rounds_played, desk.money(session.leave())
        desk.say("play.farewell", rounds=rounds, balance=balance)
