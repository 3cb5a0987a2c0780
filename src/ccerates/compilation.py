"""How kernels are compiled: one set of Numba options and a disk cache that notices every edit.

Numba's own cache looks only at the file that holds a function, so that an edit of a kernel called
from another file would go unnoticed. Here the cache directory is named by a hash of all sources
of the package and of the compiler's versions: any edit starts a fresh directory.

The directory lies in ``$NUMBA_CACHE_DIR`` if that is set, else in ``$XDG_CACHE_HOME/ccerates``,
else in ``~/.cache/ccerates``. It can be deleted at any time.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import llvmlite
import numba
import numpy as np

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def source_key(package: Path) -> str:
    """Return a name for the state of all sources in a package and of the compiler.

    Parameters
    ----------
    package
        Directory of the package.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    digest = hashlib.sha256()
    for module in (numba, np, llvmlite):
        digest.update(f"{module.__name__} {module.__version__}\n".encode())
    for path in sorted(package.rglob("*.py")):
        source = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(source)}\n".encode())
        digest.update(source)
    return digest.hexdigest()[:16]


def _cache_directory() -> Path:
    preset = os.environ.get("NUMBA_CACHE_DIR")
    user_cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    base = Path(preset) if preset else Path(user_cache) / "ccerates"
    return base.absolute() / source_key(Path(__file__).parent)


CACHE_DIRECTORY = _cache_directory()


def kernel(function: Kernel) -> Kernel:
    """Compile a function without Python objects, cached on disk, free of the interpreter lock.

    Floating-point arithmetic follows IEEE (no fastmath), so that results do not depend on how
    loops were vectorised; division by zero gives inf or NaN as in NumPy.

    Parameters
    ----------
    function
        Function in the subset of Python that Numba compiles. It may not be recursive: cached
        recursive functions make later processes abort. Variables it takes from an enclosing
        function are compile-time constants and tell its cached versions apart.

    Returns
    -------
    callable
        The compiled function; `py_func` is the original.
    """
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIRECTORY)  # read while the function is decorated
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = previous
