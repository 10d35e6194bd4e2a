"""The game loop: rounds until the player leaves."""

from __future__ import annotations

from rich.console import Console

from sabot.cli.play.betting import BettingPrompt
from sabot.cli.play.chance import Source
from sabot.cli.play.playing import RoundPrompt
from sabot.cli.play.records import RecordFolder
from sabot.cli.play.session import PlaySession
from sabot.cli.play.terminal import PlayerLeft, Terminal
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
        self._terminal = Terminal(session, catalogue, console, read)
        self._betting = BettingPrompt(self._terminal, hands)
        self._playing = RoundPrompt(self._terminal)

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
        game, terminal = self._session.game, self._terminal
        terminal.say("play.title", "bold", title=game.title, decks=game.rules.decks)
        self._betting.show_limits()
        terminal.say("play.welcome")
        if self._practice:
            terminal.say("play.seeded", "yellow")

    def _commit(self) -> None:
        commitment = self._source.prepare()
        self._terminal.print()
        if commitment:
            self._terminal.say("play.commitment", "dim", commitment=commitment)

    def _reveal(self) -> None:
        """Print the seeds of the last round, and save its record if choice."""
        revealed = self._source.reveal()
        if revealed is not None:
            self._terminal.say("play.revealed", "dim", seed=revealed.server_seed)
            if self._session.rounds_played == 1:
                self._terminal.say("play.client-seed", "dim", seed=revealed.client_seed)
        round = self._session.round
        if self._records is not None and round is not None:
            self._terminal.say("play.recorded", "dim", path=self._records.save(round, revealed))

    def _farewell(self) -> None:
        session, terminal = self._session, self._terminal
        if session.in_round:
            terminal.say("play.abandoned", "yellow")
            session.play_out()
            self._playing.show_results()
            self._reveal()
        rounds, balance = session.rounds_played, terminal.money(session.leave())
        terminal.say("play.farewell", rounds=rounds, balance=balance)
