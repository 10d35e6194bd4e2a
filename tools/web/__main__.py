"""Write the client's files into folders: `python -m tools.web web/src`."""

import sys
from pathlib import Path

from tools.web.typescript import modules

for folder in sys.argv[1:]:
    for name, text in modules().items():
        Path(folder, name).write_text(text, "utf-8")
