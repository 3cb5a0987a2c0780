"""Compiled kernels come back from disk, and only while no source has changed."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytest

import ccerates
from ccerates.compilation import allocation_free_kernel, inline_kernel, kernel, source_key

SCRIPT = """
import sys
from ccerates.compilation import kernel

def build(lanes):
    @kernel
    def scale(value):
        return value * lanes + lanes

    return scale

scale = build(int(sys.argv[1]))
print(scale(10), "from disk" if scale.stats.cache_hits else "compiled")
"""

WAIT = """
import os, sys, time
from pathlib import Path
import ccerates.compilation

folder = Path(sys.argv[2])
(folder / f"ready-{os.getpid()}").touch()
while not (folder / "go").exists():
    time.sleep(0.001)
"""


@pytest.fixture
def package(tmp_path):
    """Copy the package, to be edited and run while the original may change."""
    ignore = shutil.ignore_patterns("__pycache__")
    return shutil.copytree(Path(ccerates.__file__).parent, tmp_path / "ccerates", ignore=ignore)


@pytest.fixture
def run(package):
    """Run SCRIPT with that copy in a process of its own; return what it printed."""
    folder = package.parent
    script = folder / "kernels.py"
    script.write_text(SCRIPT)

    def call(lanes: int, **environment: str) -> str:
        inherited = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
        inherited |= {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
        result = subprocess.run(
            [sys.executable, script, str(lanes)],
            env=inherited | environment,
            capture_output=True,
            check=True,
            text=True,
        )
        return result.stdout.strip()

    return call


def test_cache_notices_constants_and_edits(run, package, tmp_path) -> None:
    assert run(4) == "44 compiled"
    assert run(8) == "88 compiled"
    assert run(4) == "44 from disk"
    assert run(8) == "88 from disk"
    (directory,) = (tmp_path / "cache" / "ccerates").iterdir()
    assert directory.name == source_key(package)
    edited = package / "errors.py"
    edited.write_text(edited.read_text() + "# an edit of a module the kernel does not even use\n")
    assert run(4) == "44 compiled"
    assert len(list((tmp_path / "cache" / "ccerates").iterdir())) == 2


def test_processes_that_compile_at_the_same_time_do_not_mix_up_code(run, tmp_path) -> None:
    run(4)
    index = {path: path.read_bytes() for path in tmp_path.rglob("*.nbi")}
    for path in index:
        path.unlink()
    run(8)  # as if it had looked for an index before the first process wrote one
    for path, content in index.items():
        path.write_bytes(content)
    assert run(4) == "44 from disk"


def test_many_processes_may_start_with_an_empty_cache(run, package) -> None:
    folder = package.parent
    (folder / "wait.py").write_text(WAIT + SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "new")}
    processes = [
        subprocess.Popen(
            [sys.executable, folder / "wait.py", str(lanes), str(folder)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for lanes in (4, 8) * 3
    ]
    while len(list(folder.glob("ready-*"))) < len(processes):
        assert all(process.poll() is None for process in processes)
        time.sleep(0.05)
    (folder / "go").touch()
    printed = [process.communicate()[0].split()[0] for process in processes]
    assert printed == ["44", "88"] * 3
    for _ in range(2):  # the first may miss what another process overwrote in the index
        printed = [run(lanes, NUMBA_CACHE_DIR=str(folder / "new")) for lanes in (4, 8)]
    assert printed == ["44 from disk", "88 from disk"]


def test_preset_cache_directory_is_used(run, package, tmp_path) -> None:
    run(4, NUMBA_CACHE_DIR=str(tmp_path / "preset"))
    assert list((tmp_path / "preset" / source_key(package)).rglob("*.nbc"))


def test_kernels_work_without_a_place_for_the_cache(run, tmp_path) -> None:
    (tmp_path / "file").touch()
    assert run(4, XDG_CACHE_HOME=str(tmp_path / "file")) == "44 compiled"


def test_source_key_depends_on_every_name_and_content(package) -> None:
    keys = [source_key(package)]
    source = package / "games" / "model.py"
    source.write_text(source.read_text() + "\n")
    keys.append(source_key(package))
    source.rename(package / "games" / "renamed.py")
    keys.append(source_key(package))
    assert len(set(keys)) == 3


def test_floating_point_is_that_of_numpy() -> None:
    @kernel
    def combine(a, b, c, out):
        for i in range(a.size):
            out[i] = (a[i] * b[i] + c[i]) / (c[i] - c[0])

    generator = np.random.default_rng(0)
    a, b, c = generator.random((3, 1001))
    out = np.empty(1001)
    combine(a, b, c, out)
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(out, (a * b + c) / (c - c[0]))
    assert np.isinf(out[0])


def test_a_kernel_that_creates_arrays_is_not_free_of_allocations() -> None:
    def create(size):
        return np.zeros(size)[0]

    def view(array):
        return array[1:][0]

    assert allocation_free_kernel(view)(np.arange(3.0)) == 1.0
    with pytest.raises(numba.core.errors.NumbaError):
        allocation_free_kernel(create)(2)


def test_a_kernel_in_a_closure_is_refused() -> None:
    @inline_kernel
    def double(value):
        return value + value

    with pytest.raises(TypeError, match=r"quadruple.*takes the kernel .*double"):

        @kernel
        def quadruple(value):
            return double(double(value))
