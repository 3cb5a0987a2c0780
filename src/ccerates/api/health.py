"""Whether this installation can be relied on."""

import os
import platform
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import NamedTuple

from ccerates.api.games import has_openspiel
from ccerates.api.packages import check_packages

THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


class HealthCheck(NamedTuple):
    """One thing that was looked at.

    Attributes
    ----------
    name
        What was looked at.
    status
        ``"ok"``, ``"warning"`` (results may differ a little or take longer) or ``"failed"``.
    detail
        What was found and, unless all is well, what to do.
    """

    name: str
    status: str
    detail: str


def doctor() -> Iterator[HealthCheck]:
    """Look at the installation, one thing after the other; needs no network.

    Yields
    ------
    HealthCheck
        As soon as it is known: the first run of a learner compiles it, which takes a while.
    """
    for name, check in _CHECKS.items():
        try:
            status, detail = check()
        except Exception as error:  # whatever is broken here is what the user wants to know
            status, detail = "failed", f"{type(error).__name__}: {error}"
        yield HealthCheck(name, status, " ".join(detail.split()))


def _python() -> tuple[str, str]:
    return "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}"


def _cores() -> tuple[str, str]:
    usable = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    count = len(usable(0)) if usable else os.cpu_count()
    return "ok", f"{count} usable, of {os.cpu_count()}"


def _linear_algebra() -> tuple[str, str]:
    found = {name: os.environ.get(name) for name in THREAD_VARIABLES}
    text = ", ".join(f"{name} is {value or 'not set'}" for name, value in found.items())
    if set(found.values()) == {"1"}:
        return "ok", text
    return "warning", f"{text}; last digits depend on the number of threads: set both to 1"


def _cache() -> tuple[str, str]:
    from ccerates.compilation import CACHE_DIRECTORY  # noqa: PLC0415  (imports the compiler)

    if CACHE_DIRECTORY is None:
        return "failed", (
            "no folder to keep compiled code in, so every run compiles anew; "
            "set NUMBA_CACHE_DIR to one that can be written"
        )
    return "ok", str(CACHE_DIRECTORY)


def _compiler() -> tuple[str, str]:
    from ccerates.api.trials import try_compiler  # noqa: PLC0415  (imports the compiler)

    return try_compiler()


def _learners() -> tuple[str, str]:
    from ccerates.api.trials import try_learners  # noqa: PLC0415  (imports the compiler)

    return try_learners()


def _openspiel() -> tuple[str, str]:
    if not has_openspiel():
        return "ok", "not installed; optional, pip install open_spiel adds its games"
    import pyspiel  # noqa: PLC0415  (an optional dependency)

    pyspiel.registered_names()
    return "ok", version("open_spiel")


_CHECKS: dict[str, Callable[[], tuple[str, str]]] = {
    "python": _python,
    "packages": check_packages,
    "cores": _cores,
    "linear algebra": _linear_algebra,
    "compile cache": _cache,
    "compiler": _compiler,
    "learners": _learners,
    "openspiel": _openspiel,
}
