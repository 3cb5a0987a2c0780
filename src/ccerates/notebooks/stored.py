"""How notebooks are kept: sources alone, so that a difference shows what a person changed.

``python -m ccerates.notebooks.stored notebooks/*.ipynb`` rewrites files so, for example after they
were run and saved.
"""

# mypy: allow-untyped-calls

import argparse
import uuid
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ccerates.errors import InputError

METADATA = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
"""All that a stored notebook says about the machine; beside it stands its title."""


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook.

    Raises
    ------
    InputError
        If the file is missing or no valid notebook of format 4.5.
    """
    try:
        notebook: NotebookNode = nbformat.read(path, as_version=nbformat.NO_CONVERT)
        nbformat.validate(notebook)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such notebook") from None
    except Exception as error:  # of JSON, of the schema and of old formats
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(f"{path}: not a valid notebook ({reason})") from error
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        raise InputError(f"{path}: not of format 4.5; save it with a current Jupyter")
    return notebook


def stored_text(notebook: NotebookNode) -> str:
    """Return the text of a notebook without outputs, counts and metadata but for its title."""
    kept = nbformat.from_dict(notebook)
    kept.metadata = METADATA | {"title": notebook.metadata.get("title", "")}
    for cell in kept.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, []
    return str(nbformat.writes(kept)).rstrip("\n") + "\n"


def write_together(contents: Mapping[Path, str | NotebookNode]) -> None:
    """Write files, all or none: each is complete before the first takes its place.

    Parameters
    ----------
    contents
        Text or notebook of each file; folders are made.
    """
    parts = {path: path.with_name(f"{path.name}.{uuid.uuid4().hex}.part") for path in contents}
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, str) else str(nbformat.writes(content))
            parts[path].write_text(text, encoding="utf-8")
        for path, part in parts.items():
            part.replace(path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def main() -> None:
    """Rewrite the notebooks that the command line names."""
    parser = argparse.ArgumentParser(prog="ccerates.notebooks.stored", description=__doc__)
    parser.add_argument("notebooks", nargs="+", type=Path)
    for path in parser.parse_args().notebooks:
        path.write_text(stored_text(read_notebook(path)), encoding="utf-8")


if __name__ == "__main__":
    main()
