"""How workflow scripts end: whatever they print or raise is in their log file too."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from typing import TextIO

from ccerates.errors import InputError


class _Tee:
    """Writes to the terminal and to the log."""

    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    def write(self, text: str) -> int:
        for stream in self._streams:
            stream.write(text)
            stream.flush()
        return len(text)

    def flush(self) -> None:
        """Do nothing: every write is flushed."""

    def isatty(self) -> bool:
        """Return False: progress bars would fill the log."""
        return False


@contextmanager
def logged(log: str) -> Iterator[None]:
    """Keep a copy of standard error in `log`, and end the process if the body fails.

    Bad input (`InputError`) is reported in one line and exit code 2; anything else is a defect
    and leaves a traceback and exit code 1.

    Parameters
    ----------
    log
        File to write.
    """
    path = Path(log)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file, redirect_stderr(_Tee(sys.stderr, file)):
        try:
            yield
        except InputError as error:
            print(f"error: {error}", file=sys.stderr)  # noqa: T201
            raise SystemExit(2) from None
        except Exception:
            traceback.print_exc()
            raise SystemExit(1) from None
