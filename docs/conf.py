"""Sphinx's settings: pages that load nothing from the network, the same bytes every time."""

import re
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "ccerates"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "command_help",
    "config_keys",
    "speed_tables",
]

# Markdown that GitHub shows, too.
myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]

# Docstrings follow numpydoc; types are in the signatures, a name in backticks is code.
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_format = "short"
autodoc_class_signature = "separated"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
python_maximum_signature_line_length = 80
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
# Attributes of one name in several classes are told apart by the class that describes them.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = "ccerates"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
# Summaries of what was found are fetched, which browsers refuse to pages opened as files.
html_show_search_summary = False
html_theme_options = {"footer_icons": [], "navigation_with_keys": True}


def skip_tuple_field(
    _app: Sphinx, _what: str, name: str, member: Any, _skip: bool, _options: Any
) -> bool | None:
    """Leave out what is made of the fields of named tuples: the docstring describes them."""
    return True if name == "__new__" or type(member).__name__ == "_tuplegetter" else None


def escape_subscripts(
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Keep a subscript such as `a_-i` from being taken for the name of a link."""
    lines[:] = [re.sub(r"(?<=\w)_(?=[{-])", r"\\_", line) for line in lines]


def setup(app: Sphinx) -> None:
    """Register what Sphinx calls."""
    app.connect("autodoc-skip-member", skip_tuple_field)
    app.connect("autodoc-process-docstring", escape_subscripts)
