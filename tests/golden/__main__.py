"""Write the golden files again."""

from tests.golden.playthrough import FOLDER, playthrough
from tests.golden.scenes import SCENES

for game, scenes in SCENES.items():
    (FOLDER / f"{game}.txt").write_text(playthrough(game, scenes), encoding="utf-8")
    print(f"tests/golden/{game}.txt")
