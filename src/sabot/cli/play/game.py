"""The game loop: rounds until the player leaves."""

from pathlib import Path
from time import time

from sabot.cli.play.betting import BettingPrompt
from sabot.cli.play.chance import SeedSource
from sabot.cli.play.playing import RoundPrompt
from sabot.cli.play.terminal import PlayerLeft, Terminal
from sabot.engine import Round
from sabot.record import Seeds, dumps, write
from sabot.rounds.codes import secure_code


class TerminalGame:
    """A play session at a terminal; `source` gives its chance, `records` is a folder for its rounds."""

    def __init__(
        self,
        terminal: Terminal,
        source: SeedSource,
        *,
        hands: int = 1,
        practice: bool = False,
        records: Path | None = None,
    ) -> None:
        self._terminal = terminal
        self._session = terminal.session
        self._source = source
        self._practice = practice
        self._records = records
        self._betting = BettingPrompt(terminal, hands)
        self._playing = RoundPrompt(terminal)

    def run(self) -> None:
        """Play until the player leaves or the input ends."""
        self._welcome()
        try:
            while True:
                self._terminal.print()
                self._terminal.say("play.commitment", "dim", commitment=self._source.prepare())
                self._betting.until_dealt()
                self._playing.until_over()
                self._reveal()
        except PlayerLeft:
            self._goodbye()

    def _welcome(self) -> None:
        game, terminal = self._session.game, self._terminal
        terminal.say("play.title", "bold", title=game.title, decks=game.rules.decks)
        self._betting.show_limits()
        terminal.say("play.welcome")
        if self._practice:
            terminal.say("play.seeded", "yellow")

    def _reveal(self) -> None:
        """Print the seeds of the last round, and save its record if there is a folder."""
        revealed = self._source.reveal()
        self._terminal.say("play.revealed", "dim", seed=revealed.server_seed.hex())
        if self._session.rounds_played == 1:
            self._terminal.say("play.client-seed", "dim", seed=revealed.client_seed)
        round = self._session.round
        if self._records is not None and round is not None:
            self._terminal.say("play.recorded", "dim", path=_save_record(self._records, round, revealed))

    def _goodbye(self) -> None:
        session, terminal = self._session, self._terminal
        if session.in_round:
            terminal.say("play.abandoned", "yellow")
            session.play_out()
            self._playing.show_results()
            self._reveal()
        balance = terminal.money(session.balance)
        terminal.say("play.farewell", rounds=session.rounds_played, balance=balance)


def _save_record(folder: Path, round: Round, seeds: Seeds) -> Path:
    """Write the record of a round to a file, with its seeds."""
    record = write(round, secure_code(int(time() * 1000)), seeds)
    path = folder / f"{record.round.code}.toml"
    path.write_text(dumps(record), encoding="utf-8")
    return path
