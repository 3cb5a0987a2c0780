"""How kernels are compiled: one set of Numba options and a disk cache that notices every edit.

Numba's own cache looks only at the file that holds a function, so that an edit of a kernel called
from another file would go unnoticed. Here the cache directory is named by a hash of all sources
of the package and of the compiler's versions: any edit starts a fresh directory.

The directory lies in ``$NUMBA_CACHE_DIR`` if that is set, else in ``$XDG_CACHE_HOME/ccerates``,
else in ``~/.cache/ccerates``. It can be deleted at any time.
"""

import hashlib
import os
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

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


SOURCE_KEY = source_key(Path(__file__).parent)
"""That of this package as it was when it was imported."""


def _cache_directory() -> Path | None:
    """Return the directory of this state of the sources, or None if it cannot be written."""
    preset = os.environ.get("NUMBA_CACHE_DIR")
    user_cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    base = Path(preset) if preset else Path(user_cache, "ccerates")
    directory = base.absolute() / SOURCE_KEY
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError:
        return None
    return directory


CACHE_DIRECTORY = _cache_directory()


def kernel(function: Kernel) -> Kernel:
    """Compile a function without Python objects, cached on disk, free of the interpreter lock.

    Floating-point arithmetic follows IEEE (no fastmath), so that results do not depend on how
    loops were vectorised; division by zero gives inf or NaN as in NumPy.

    Parameters
    ----------
    function
        Function in the subset of Python that Numba compiles. It may not be recursive: cached
        recursive functions make later processes abort. Numbers and strings taken from an enclosing
        function are constants to the compiler and tell cached versions apart; another kernel taken
        from there would keep the function from being found on disk, and is refused.

    Returns
    -------
    callable
        The compiled function; its attribute ``py_func`` is the original.

    Raises
    ------
    TypeError
        If the function takes another kernel from an enclosing one.
    """
    return _compile(function)


def allocation_free_kernel(function: Kernel) -> Kernel:
    """Compile as `kernel` does a function that creates no array; views are no new arrays.

    Nothing in it is reference-counted. Where many arrays go through inlined parts, counting can
    take longer than the arithmetic. A function that creates arrays does not compile.

    Parameters
    ----------
    function
        As for `kernel`.

    Returns
    -------
    callable
        As for `kernel`.
    """
    return _compile(function, _nrt=False)


def _compile(function: Kernel, **options: bool) -> Kernel:
    for cell in function.__closure__ or ():
        if isinstance(cell.cell_contents, Dispatcher):
            inner = cell.cell_contents.py_func.__qualname__
            raise TypeError(
                f"{function.__qualname__}: takes the kernel {inner} from an enclosing function and "
                "would be compiled by every process; define that kernel in a module"
            )
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIRECTORY)  # read while the function is decorated
    try:
        use_cache = CACHE_DIRECTORY is not None
        compiled = numba.njit(cache=use_cache, nogil=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = previous
    if use_cache:
        # Processes that compile different versions of one function at a time number their files
        # alike and would overwrite each other's: the index could lead to the wrong machine code.
        compiled._cache._cache_file._data_name_pattern = f"{uuid.uuid4().hex}.{{number:d}}.nbc"
    return cast(Kernel, compiled)


def inline_kernel(function: Kernel) -> Kernel:
    """Compile a part of a kernel that is always inlined into its caller.

    A loop bound that is a constant in the calling kernel thereby becomes one here. The compiled
    code lives in the caller, which is cached.

    Parameters
    ----------
    function
        As for `kernel`.

    Returns
    -------
    callable
        The compiled function; its attribute ``py_func`` is the original.
    """
    return cast(Kernel, numba.njit(inline="always", nogil=True, error_model="numpy")(function))
