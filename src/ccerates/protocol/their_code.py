"""Calls of code that users wrote: what goes wrong there is told with their line, not with ours."""

import linecache
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from ccerates.errors import InputError


@contextmanager
def their_code(path: Path, doing: str) -> Iterator[None]:
    """Turn an exception of the block into an InputError that names the line in the user's file.

    Parameters
    ----------
    path
        The user's file, as its code objects name it.
    doing
        What was being done, for the message: ``"act in episode 3 at step 0, state 1"``.

    Raises
    ------
    InputError
        If the block raised an exception or wanted to end the process (Ctrl-C still does). Its cause
        is that exception, with the traceback from the first line in the user's file on.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        theirs = _their_part(error.__traceback__, path)
        if theirs is None and isinstance(error, InputError):
            raise  # a complaint of ours about what they returned
        place = _last_line(theirs, path) if theirs else str(path)
        text = str(error)
        if theirs is None and isinstance(error, SyntaxError) and error.lineno:
            # It was found before any line was run; its own text names file and line at the end.
            place = f"{path}, line {error.lineno}: `{(error.text or '').strip()}`"
            text = error.msg
        text = " ".join(text.split()) or "no message"
        raise InputError(
            f"{place}: {type(error).__name__}: {text} ({doing})"
        ) from error.with_traceback(theirs)


def _their_part(trace: TracebackType | None, path: Path) -> TracebackType | None:
    """Return the traceback from the first frame in the user's file on; None without one."""
    while trace is not None and trace.tb_frame.f_code.co_filename != str(path):
        trace = trace.tb_next
    return trace


def _last_line(trace: TracebackType, path: Path) -> str:
    """Return the last place in the user's file that the exception passed, with its source."""
    frames = [frame for frame in traceback.extract_tb(trace) if frame.filename == str(path)]
    source = linecache.getline(str(path), frames[-1].lineno or 0).strip()
    return f"{path}, line {frames[-1].lineno}, in {frames[-1].name}: `{source}`"
