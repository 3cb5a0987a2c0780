"""``ccerates doctor``: each thing it looks at fails when it is broken."""

import importlib.metadata
import json
import sys

import numpy as np
import pytest

from ccerates import compilation
from ccerates.api import health, packages, trials


@pytest.fixture
def diagnosis(ccerates):
    """Return exit code and {name: (status, detail)}."""

    def run():
        code, output, errors = ccerates("doctor", "--json")
        assert errors == ""
        found = json.loads(output)
        assert found["healthy"] is (code == 0)
        return code, {each["name"]: (each["status"], each["detail"]) for each in found["checks"]}

    return run


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    for name in health.THREAD_VARIABLES:
        monkeypatch.setenv(name, "1")


@pytest.fixture
def no_network(monkeypatch):
    import socket

    def refuse(*_):
        raise AssertionError("no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def quick(monkeypatch):
    """Leave out the learners, which other tests run."""
    monkeypatch.setitem(health._CHECKS, "learners", lambda: ("ok", ""))


@pytest.mark.usefixtures("no_network")
def test_this_installation_is_healthy(ccerates, diagnosis):
    code, checks = diagnosis()
    assert code == 0
    assert {status for status, _ in checks.values()} == {"ok"}
    names = ["python", "packages", "cores", "linear algebra", "compile cache", "compiler"]
    assert list(checks) == [*names, "learners", "openspiel"]
    lines = ccerates("doctor").output.splitlines()
    assert [line.split()[0] for line in lines] == ["ok"] * 8


LOCK = """\
# comment
numpy==2.4.6 ; python_full_version < '3' \\
    --hash=sha256:00
numpy==2.5.5 ; python_full_version >= '3' \\
    --hash=sha256:01 \\
    --hash=sha256:02
py_yaml==6.0
"""


def test_lock_is_read_for_this_python():
    assert packages.locked_versions(LOCK) == {"numpy": "2.5.5", "py-yaml": "6.0"}


@pytest.mark.parametrize(
    ("version", "status", "code"), [("2.0.0", "failed", 1), ("2.5.99", "warning", 0)]
)
@pytest.mark.usefixtures("quick")
def test_other_versions_than_the_lock(diagnosis, tmp_path, monkeypatch, version, status, code):
    (tmp_path / "requirements.lock").write_text(LOCK)
    monkeypatch.setattr(packages, "LOCK", tmp_path / "requirements.lock")
    real = importlib.metadata.version
    monkeypatch.setattr(
        packages, "version", lambda name: version if name == "numpy" else real(name)
    )
    found, checks = diagnosis()
    assert found == code
    assert checks["packages"][0] == status
    assert checks["packages"][1].startswith(f"numpy is {version}, the lock has 2.5.5")


@pytest.mark.usefixtures("quick")
def test_missing_packages(diagnosis, monkeypatch):
    real = importlib.metadata.version

    def version(name):
        if name == "scipy":
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(packages, "version", version)
    code, checks = diagnosis()
    assert code == 1
    assert checks["packages"][1].startswith("scipy is missing; install requirements.lock")


@pytest.mark.usefixtures("quick")
def test_without_a_lock_there_is_nothing_to_compare(diagnosis, tmp_path, monkeypatch):
    monkeypatch.setattr(packages, "LOCK", tmp_path / "requirements.lock")
    code, checks = diagnosis()
    assert code == 0
    assert checks["packages"][0] == "warning"


@pytest.mark.usefixtures("quick")
def test_cache_that_cannot_be_written(diagnosis, monkeypatch):
    monkeypatch.setattr(compilation, "CACHE_DIRECTORY", None)
    code, checks = diagnosis()
    assert code == 1
    assert checks["compile cache"][0] == "failed"
    assert "set NUMBA_CACHE_DIR" in checks["compile cache"][1]


@pytest.mark.usefixtures("quick")
def test_threads_of_linear_algebra(diagnosis, monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "4")
    code, checks = diagnosis()
    assert code == 0
    assert checks["linear algebra"][0] == "warning"
    assert "OPENBLAS_NUM_THREADS is 4, OMP_NUM_THREADS is 1" in checks["linear algebra"][1]


@pytest.mark.usefixtures("quick")
def test_compiler_that_miscalculates(diagnosis, monkeypatch):
    monkeypatch.setattr(trials, "kernel", lambda function: lambda count: function(count) + 1)
    code, checks = diagnosis()
    assert code == 1
    assert "computes 333833501, not 333833500" in checks["compiler"][1]


@pytest.mark.usefixtures("quick")
def test_compiler_that_breaks(diagnosis, monkeypatch):
    def break_down(_):
        raise OSError("libLLVM.so:\n cannot open")

    monkeypatch.setattr(trials, "kernel", break_down)
    code, checks = diagnosis()
    assert code == 1
    assert checks["compiler"] == ("failed", "OSError: libLLVM.so: cannot open")


def test_evaluator_that_is_wrong(diagnosis, monkeypatch):
    real = trials.cce_gap
    monkeypatch.setattr(trials, "cce_gap", lambda *_: real(*_)._replace(gap=real(*_).gap * 2))
    code, checks = diagnosis()
    assert code == 1
    assert "uniform play has gap 0.5, not 0.25" in checks["learners"][1]


def test_learner_that_does_not_learn(diagnosis, monkeypatch):
    real = trials.simulator.learn

    def learn_too_little(algorithm, simulator, rounds, seed):
        return real(algorithm, simulator, rounds // 1000, seed)

    monkeypatch.setattr(trials.simulator, "learn", learn_too_little)
    code, checks = diagnosis()
    assert code == 1
    assert "; q-ftrl, evb-sim should do better: reinstall, run ./test" in checks["learners"][1]


def test_online_learner_that_does_not_learn(diagnosis, monkeypatch):
    monkeypatch.setattr(trials, "_EPISODES", 50)
    code, checks = diagnosis()
    assert code == 1
    assert f"; {', '.join(trials.online.MODULES)} should do better" in checks["learners"][1]


@pytest.mark.usefixtures("quick")
def test_openspiel_is_optional(diagnosis, monkeypatch):
    monkeypatch.setattr(health, "has_openspiel", lambda: False)
    code, checks = diagnosis()
    assert code == 0
    assert checks["openspiel"][1].startswith("not installed; optional")


@pytest.mark.usefixtures("quick")
def test_openspiel_that_is_broken(diagnosis, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setattr(health, "has_openspiel", lambda: True)
    code, checks = diagnosis()
    assert code == 1
    assert checks["openspiel"][0] == "failed"


def test_defecting_in_the_dilemma_always_pays_a_quarter_more():
    first, second = trials.prisoners_dilemma().reward[0, :, 0].reshape(2, 2, 2)
    np.testing.assert_array_equal(first[1] - first[0], 0.25)
    np.testing.assert_array_equal(second[:, 1] - second[:, 0], 0.25)
    assert first[1, 1] == second[1, 1] == 0.25
