"""SVG drawings: text and shapes on white, with a title for screen readers."""

from html import escape

INK = "#222222"
MARGIN = 24
_FONT = "font-family=\"'DejaVu Sans', Verdana, Arial, sans-serif\""


class Pen:
    """Collects elements; `down` is how far down they reach."""

    def __init__(self) -> None:
        self.down = 0.0
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: int = 13,
        bold: bool = False,
        anchor: str = "start",
        ink: str = INK,
    ) -> None:
        """Draw a text; `anchor` is the part of it that is at x."""
        weight = "bold" if bold else "normal"
        self.draw(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
            f'fill="{ink}">{escape(text)}</text>'
        )

    def draw(self, element: str) -> None:
        """Add an SVG element."""
        self._parts.append(element)

    def page(self, width: float, height: float, title: str, description: str = "") -> str:
        """The whole drawing; `description` describes it in words."""
        labels = "title desc" if description else "title"
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
                f'viewBox="0 0 {width:g} {height:g}" role="img" aria-labelledby="{labels}" {_FONT}>',
                f'<title id="title">{escape(title)}</title>',
                *([f'<desc id="desc">{escape(description)}</desc>'] if description else []),
                '<rect width="100%" height="100%" fill="#ffffff"/>',
                *self._parts,
                "</svg>\n",
            ]
        )
