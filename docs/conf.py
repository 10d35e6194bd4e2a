"""The site of these documents: `make docs` builds it into build/docs, without a network."""

import re

import sabot

project = "sabot"
release = sabot.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]

# Pages are Markdown as GitHub shows it. `html_image` takes <img> with its width; headings down to the third level have anchors.
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 3

# The reference: members in the order of the source; a word in single backticks is code.
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
default_role = "code"

html_theme = "furo"
html_title = "sabot"
html_show_copyright = False
html_copy_source = False

#: A type with bounds, and the bounds.
_BOUNDED = re.compile(r"Annotated\[([\w.]+), msgspec\.Meta\((?:[^()]|\([^()]*\))*\)\]")


def without_bounds(app, what, name, obj, options, signature, returns):
    """Show `Annotated[int, Meta(ge=0)]` in a signature as `int`."""
    return signature and _BOUNDED.sub(r"\1", signature), returns


def without_alias(app, what, name, obj, options, lines):
    """Drop the docstring that Python gives to every field of a NamedTuple."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app):
    """Connect both."""
    app.connect("autodoc-process-signature", without_bounds)
    app.connect("autodoc-process-docstring", without_alias)
