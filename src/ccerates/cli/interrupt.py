"""Long work that Ctrl-C ends at once: signals do not reach Python while a kernel runs."""

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def interruptible(work: Callable[[], Result], stop: Callable[[], None] | None = None) -> Result:
    """Do `work` in a thread while the main thread stays open to signals.

    Parameters
    ----------
    work
        What to do; must not write files, unless it can be stopped.
    stop
        Tells the work to stop; it then ends by itself with an exception. Without it the work goes
        on in the background after an interruption until the process ends, and so it does after a
        second one.

    Returns
    -------
    Result
        What `work` returned; what it raised is raised here.
    """
    results: list[Result] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    try:
        _wait(done)
    except KeyboardInterrupt:
        if stop is None:
            raise
        stop()
        _wait(done)
    if errors:
        raise errors[0]
    return results[0]


def _wait(done: threading.Event) -> None:
    # Not Thread.join: interrupted, it takes a thread that runs for one that has ended.
    while not done.wait(timeout=0.2):  # without a timeout Windows would not wake up
        pass
