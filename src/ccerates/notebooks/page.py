"""An executed notebook as one HTML file that loads nothing, neither files nor from the network."""

# mypy: allow-untyped-calls

import re
from copy import deepcopy
from pathlib import Path

from nbconvert import HTMLExporter
from nbformat import NotebookNode

_LINK = re.compile(r"\]\(([\w-]+)\.ipynb\)")
"""To another notebook: its page stands beside this one."""

_TEMPLATES = Path(__file__).with_name("templates")


def to_html(notebook: NotebookNode) -> str:
    """Return a notebook as HTML with everything in it.

    Formulas are text: there is no script that would typeset them.

    Parameters
    ----------
    notebook
        With outputs; its metadata may hold a title.
    """
    exporter = HTMLExporter(
        template_name="page",
        extra_template_basedirs=[str(_TEMPLATES)],
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    linked = deepcopy(notebook)
    for cell in linked.cells:
        if cell.cell_type == "markdown":
            cell.source = _LINK.sub(r"](\1.html)", cell.source)
    body, _ = exporter.from_notebook_node(linked)
    return str(body)
