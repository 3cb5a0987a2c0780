"""Long work that Ctrl-C ends at once: signals do not reach Python while a kernel runs."""

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def interruptible(work: Callable[[], Result]) -> Result:
    """Do `work` in a thread while the main thread stays open to signals.

    After an interruption the work goes on in the background until the process ends.

    Parameters
    ----------
    work
        What to do; must not write files.

    Returns
    -------
    Result
        What `work` returned; what it raised is raised here.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(timeout=0.2)  # without a timeout Windows would not wake up
    if errors:
        raise errors[0]
    return results[0]
