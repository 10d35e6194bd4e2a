"""Puts the built pages into the wheel, as `sabot/web`; an editable install finds them in web/dist."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs when a wheel is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the pages to what is packed."""
        if version == "editable":
            return
        pages = Path(self.root) / "web" / "dist"
        if not (pages / "index.html").is_file():
            raise RuntimeError(f"there are no pages in {pages}: run `make web` first")
        build_data["force_include"][str(pages)] = "sabot/web"
