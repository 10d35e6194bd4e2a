"""Write the golden files again."""

from tests.golden.folds import SOLO, fold
from tests.golden.live import EVENINGS, evening
from tests.golden.pages import game_pages
from tests.golden.playthrough import FOLDER, playthrough
from tests.golden.scenes import SCENES

for game, scenes in SCENES.items():
    (FOLDER / f"{game}.txt").write_text(playthrough(game, scenes), encoding="utf-8")
    print(f"tests/golden/{game}.txt")
for game in SOLO:
    (FOLDER / f"{game}.json").write_text(fold(game), encoding="utf-8")
    print(f"tests/golden/{game}.json")
for name in EVENINGS:
    (FOLDER / f"{name}.json").write_text(evening(name), encoding="utf-8")
    print(f"tests/golden/{name}.json")
(FOLDER / "games.json").write_text(game_pages(), encoding="utf-8")
print("tests/golden/games.json")
