"""Installed packages against the versions of requirements.lock."""

import re
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = Path(__file__).parents[3] / "requirements.lock"


def check_packages() -> tuple[str, str]:
    """Compare what the package depends on with the lock.

    Returns
    -------
    status, detail : str
        ``"failed"`` if a package is missing or differs in its first two numbers; ``"warning"`` if
        a third number differs or there is no lock, as outside a clone of the repository.
    """
    needed = [Requirement(line) for line in requires("ccerates") or ()]
    names = [each.name for each in needed if not each.marker or each.marker.evaluate({"extra": ""})]
    locked = locked_versions(LOCK.read_text(encoding="utf-8")) if LOCK.is_file() else {}
    problems, serious = [], False
    for name in names:
        wanted = locked.get(canonicalize_name(name))
        try:
            found = version(name)
        except PackageNotFoundError:
            problems.append(f"{name} is missing")
            serious = True
            continue
        if wanted is not None and found != wanted:
            problems.append(f"{name} is {found}, the lock has {wanted}")
            serious = serious or found.split(".")[:2] != wanted.split(".")[:2]
    if problems:
        advice = "install requirements.lock, as ./test does"
        return "failed" if serious else "warning", f"{'; '.join(problems)}; {advice}"
    if not locked:
        return "warning", f"{len(names)} are installed; no requirements.lock to compare with"
    return "ok", f"{len(names)} as in requirements.lock"


def locked_versions(lock: str) -> dict[str, str]:
    """Return the version of every package that a lock holds for this Python and system.

    Parameters
    ----------
    lock
        Text of a requirements file in which each entry starts with ``name==version [; marker]``.
    """
    found: dict[str, str] = {}
    for entry in re.findall(r"^(\w.*?) *\\?$", lock, re.MULTILINE):
        requirement = Requirement(entry)
        if requirement.marker is None or requirement.marker.evaluate():
            (pin,) = requirement.specifier
            found[canonicalize_name(requirement.name)] = pin.version
    return found
