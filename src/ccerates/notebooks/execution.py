"""Running notebooks: the same bytes every time, and a failing cell told so that it can be found."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from ccerates.errors import InputError
from ccerates.notebooks.results import VARIABLE

TIME_LIMIT = 600
"""Seconds that a cell may take."""

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def execute(
    notebook: NotebookNode, name: str, folder: Path, config: Mapping[str, Any] | None = None
) -> None:
    """Run all cells of a notebook in a fresh kernel of this Python and keep what they show.

    Neither the times of the run nor the user's settings of IPython and Jupyter leave a trace.

    Parameters
    ----------
    notebook
        Gets the outputs.
    name
        What messages call it.
    folder
        Where it runs.
    config
        The configuration whose results `ccerates.notebooks.results.find_results` is to find.

    Raises
    ------
    InputError
        If a cell fails, writes to standard error (as warnings do) or takes longer than
        `TIME_LIMIT`; the message holds the cell and the error.
    """
    with TemporaryDirectory() as scratch:
        environment = os.environ | {"IPYTHONDIR": scratch, "JUPYTER_RUNTIME_DIR": scratch}
        if config is not None:
            path = Path(scratch, f"{config['name']}.yaml")
            path.write_text(yaml.safe_dump(dict(config), sort_keys=False), encoding="utf-8")
            environment[VARIABLE] = str(path)
        # No other folder: a kernel of the same name there would be another Python.
        manager = AsyncKernelManager(
            kernel_name="python3",
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
            connection_file=str(Path(scratch, "kernel.json")),
            transport="ipc",
        )
        client = NotebookClient(
            notebook,
            km=manager,
            resources={"metadata": {"path": str(folder)}},
            timeout=TIME_LIMIT,
            record_timing=False,
            coalesce_streams=True,
        )
        client.owns_km = True  # so that it ends the kernel, whatever happens
        try:
            with suppress(CellExecutionError):  # its cell holds the error
                client.execute(env=environment)
        except (CellTimeoutError, DeadKernelError) as error:
            raise InputError(f"{name}: {error}") from error
    _check(notebook, name)


def _check(notebook: NotebookNode, name: str) -> None:
    """Raise InputError for the first cell that failed or wrote to standard error."""
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                complaint = f"failed: {output.ename}"
                text = "\n".join(output.traceback)
            elif output.output_type == "stream" and output.name == "stderr":
                complaint, text = "wrote to standard error, as warnings do", output.text
            else:
                continue
            source = "\n".join(f"    {line}" for line in cell.source.splitlines())
            raise InputError(
                f"{name}, cell {number} ({cell.id}), {complaint}\n\n{source}\n\n"
                f"{_COLOURS.sub('', text).rstrip()}"
            )
