"""Write the golden files again."""

from tests.golden.folds import SOLO, fold
from tests.golden.playthrough import FOLDER, playthrough
from tests.golden.scenes import SCENES

for game, scenes in SCENES.items():
    (FOLDER / f"{game}.txt").write_text(playthrough(game, scenes), encoding="utf-8")
    print(f"tests/golden/{game}.txt")
for game in SOLO:
    (FOLDER / f"{game}.json").write_text(fold(game), encoding="utf-8")
    print(f"tests/golden/{game}.json")
