"""The shoes of a live table: players' seeds, shuffles and exchanges (ASR-02, FRB-30)."""

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.fairness.live import SeedList
from sabot.fairness.vault import VaultError
from sabot.rounds.shoes import KeptShoe
from sabot.store import facts
from sabot.store.entry import LogEntry
from sabot.tables.live.events import NextShoeCommitted, ShoeCommitted, ShoeRevealed, ShoeSeeded
from sabot.tables.live.phases import Phases
from sabot.tables.live.step import StepBuilder
from sabot.tables.table import Table


class ShoeCycle:
    """Changes shoes and shows what is promised of them."""

    def __init__(self, table: Table, phases: Phases, step: StepBuilder, shuffling_table: bool) -> None:
        self._table = table
        self._shoes = table.shoes
        self._phases = phases
        self._step = step
        #: Whether the next shoe is shuffled while one is dealt.
        self.aside = shuffling_table
        self._seeds = SeedList()

    @property
    def is_over(self) -> bool:
        """Whether the cut card is out, or there is no shoe yet."""
        return self._shoes.shoe is None or self._shoes.dealt >= self._table.options.cut

    def seed(self, player: Player, seed: str) -> None:
        """A player's part in the shuffle: one for each shoe, while it is shuffled here or aside."""
        if self._table.by_hand is not None:
            raise Refusal("seed/studio")
        shuffling = self._phases.phase == "shuffle" and not self._shoes.seeded
        if not shuffling and self._shoes.waiting is None:
            raise Refusal("seed/late")
        try:
            self._seeds.add(player, seed)
        except ValueError as error:
            raise Refusal("seed/unusable", reason=str(error)) from None

    def shuffle(self) -> None:
        """Reveal the shoe and commit to a new one, for which players send their seeds."""
        old = self._shoes.shoe
        self._show(self._shoes.shuffle(self._phases.now), old)
        self._seeds = SeedList()
        self._step.announce("shuffle")

    def mix(self) -> bool:
        """Fix the order of the cards, before any bet; False if the shoe is sealed with a key that is gone."""
        try:
            entry = self._shoes.seed_shoe(self._seeds.seeds, self._phases.now)
        except VaultError:
            return False
        self._show(entry, self._shoes.shoe)
        return True

    def exchange(self) -> bool:
        """Go on with the shoe that waits, in one log entry; False if there is none, or it does not open.

        One that waits is used also where the operator has taken the shuffling table away: it was promised.
        """
        old = self._shoes.shoe
        if self._shoes.waiting is None:
            return False
        try:
            entry = self._shoes.exchange(self._seeds.seeds, self._phases.now, commit=self.aside)
        except VaultError:
            return False
        self._show(entry, old)
        self._seeds = SeedList()
        self._step.announce("shoes-exchanged")
        return True

    def prepare_next(self) -> None:
        """Commit to the next shoe as soon as this one is in use, at a shuffling table."""
        if self.aside and self._shoes.waiting is None:
            self._show(self._shoes.commit_next(self._phases.now), self._shoes.shoe)
            self._seeds = SeedList()

    def _show(self, entry: LogEntry, old: KeptShoe | None) -> None:
        """Show what an entry did to the shoes; `old` was in use before it."""
        self._step.store(entry)
        show, shoe = self._step.show, self._shoes.shoe
        for fact in entry.body.facts:
            match fact:
                case facts.ShoeRevealedFact(shoe=id, seed=seed) if old is not None and id == old.id:
                    show(ShoeRevealed(old.commitment, seed, old.client_seed))
                case facts.ShoeCommittedFact(commitment=commitment, waiting=True):
                    show(NextShoeCommitted(commitment))
                case facts.ShoeCommittedFact(commitment=commitment):
                    show(ShoeCommitted(commitment))
                case facts.ShoeSeededFact(client_seed=client_seed, seeds=seeds, root=root):
                    if shoe is not None and old is not None and shoe.id != old.id:  # it waited until now
                        show(ShoeCommitted(shoe.commitment))
                    show(ShoeSeeded(client_seed, len(seeds), root))
