"""Write the client's files into folders: `python -m tools.web web/src`."""

import subprocess
import sys
from pathlib import Path

from tools.web.typescript import WEB, modules

# The generator of types is one of the page's packages; make installs them where they are not up to date.
subprocess.run(["make", "-s", "web/node_modules/.stamp"], check=True, cwd=WEB.parent)
written = modules()
for folder in sys.argv[1:]:
    for name, text in written.items():
        Path(folder, name).write_text(text, "utf-8")
