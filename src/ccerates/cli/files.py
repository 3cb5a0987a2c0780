"""Places to write to, looked at before any work is done."""

import os
from pathlib import Path

from ccerates.errors import InputError


def check_output(output: str, *, force: bool, inputs: tuple[str, ...] = ()) -> None:
    """Raise InputError unless a file can be written.

    Parameters
    ----------
    output
        Where to write.
    force
        Whether a file that is already there may be replaced.
    inputs
        Files that must not be replaced in any case.
    """
    path = Path(output)
    if path.is_dir():
        raise InputError(f"{output}: is a folder; name a file")
    if not path.parent.is_dir():
        raise InputError(f"{output}: there is no folder {path.parent}; make it first")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{output}: cannot write to folder {path.parent}; name another")
    if not path.exists():
        return
    if any(Path(each).exists() and path.samefile(each) for each in inputs):
        raise InputError(f"{output}: is the input; name another file")
    if not force:
        raise InputError(f"{output}: exists; name another file or add --force to replace it")
