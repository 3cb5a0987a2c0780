"""JAX on one core and in double precision, if it is installed: it is not in requirements.lock."""

import importlib.util
import os
from typing import Any


def is_installed() -> bool:
    """Return whether there is a JAX to compare with."""
    return importlib.util.find_spec("jax") is not None


def load() -> Any:
    """Return the module `jax`; flags count if nothing has imported it before."""
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flags}".strip()
    os.environ["PJRT_NPROC"] = "1"
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    return jax
