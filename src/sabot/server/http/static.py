"""The built client: files of one folder, and its first page for every address that is no file."""

import html
import re
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler

import sabot
from sabot.server.http.middleware import COOKIE

_PACKAGE = Path(sabot.__file__).resolve().parent
#: In the wheel the pages stand beside the package's other parts; in a checkout they are built into web/dist.
_FOLDERS = (_PACKAGE / "web", _PACKAGE.parents[1] / "web" / "dist")

#: Every path outside the API.
PAGES = "/{path:(?!api/).*}"

_TITLE = re.compile("<title>[^<]*</title>")
#: Files whose names change with their contents may be kept for good.
_FOR_GOOD = "public, max-age=31536000, immutable"
#: Paths of files and pages.
_PATH = re.compile(r"(?:[A-Za-z0-9@._-]{1,100}/){0,8}[A-Za-z0-9@._-]{0,100}")


def find_pages() -> Path | None:
    """The folder of the built client, if there is one."""
    return next((folder for folder in _FOLDERS if (folder / "index.html").is_file()), None)


def serve_pages(folder: Path, name: str) -> Handler:
    """Serves the client under the house's name; compressed files are used if the browser accepts them."""
    root = folder.resolve()
    first = _TITLE.sub(
        lambda _: f"<title>{html.escape(name)}</title>", (root / "index.html").read_text("utf-8")
    )

    async def page(request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"]
        if not _PATH.fullmatch(path):  # the file system need not see it
            raise web.HTTPNotFound
        file = (root / path).resolve()
        if file.is_file() and file.is_relative_to(root):
            kept = _FOR_GOOD if file.parent.name == "assets" else "no-cache"
            return web.FileResponse(file, headers={"Cache-Control": kept})
        if "." in file.name:
            raise web.HTTPNotFound
        # The client of a visitor without a login need not ask who is logged in.
        text = first if COOKIE in request.cookies else first.replace("<html", "<html data-nobody", 1)
        return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-cache"})

    return page
