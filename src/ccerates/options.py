"""Options of ``./reproduce``: what Snakemake would refuse without saying how to mend it.

``python -m ccerates.options OPTIONS`` looks at config files, targets and executors.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from ccerates.config import read_config, read_yaml
from ccerates.errors import InputError

PROFILES = Path("workflow/profiles")
"""Profiles of this repository, each beside the lock of what it needs."""


def main(options: Sequence[str]) -> int:
    """Look at options, and complain on standard error.

    Parameters
    ----------
    options
        Options for Snakemake.

    Returns
    -------
    int
        0, or 2 after a message.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", type=Path, nargs="*", default=[])
    parser.add_argument("--executor", "-e")
    parser.add_argument("--profile", action="append")
    parser.add_argument("--workflow-profile")
    known = parser.parse_known_args(options)[0]
    profiles = known.profile or [os.environ.get("SNAKEMAKE_PROFILE", "")]
    try:
        for path in known.configfile:
            read_config(path)
        _check_targets(options)
        for executor in _executors(known.executor, [*profiles, known.workflow_profile or ""]):
            _check_executor(executor)
    except InputError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _check_targets(options: Sequence[str]) -> None:
    """Complain of a claim whose name is written as in the paper."""
    claims = read_yaml(Path("config/claims.yaml"))
    for option in options:
        if option in claims and "-" in option:
            raise InputError(f"{option}: to make this claim write {claims[option]['command']}")


def _executors(named: str | None, profiles: Sequence[str]) -> Iterator[str]:
    """Yield the executor that is named, or else those of profiles given by a path."""
    if named:
        yield named
        return
    for path in map(Path, filter(None, profiles)):
        files = [path] if path.is_file() else [path / "profile.yaml", path / "config.yaml"]
        for file in filter(Path.is_file, files):
            profile = read_yaml(file)
            if isinstance(profile, Mapping) and "executor" in profile:
                yield str(profile["executor"])


def _check_executor(name: str) -> None:
    """Complain if the plugin of an executor is not installed."""
    if name in ("local", "dryrun", "touch"):
        return
    if find_spec(f"snakemake_executor_plugin_{name.replace('-', '_')}"):
        return
    lock = PROFILES / name / "requirements.lock"
    wanted = (
        f"--no-deps --require-hashes --requirement {lock}"
        if lock.is_file()
        else f"snakemake-executor-plugin-{name}"
    )
    raise InputError(
        f"executor {name}: Snakemake's plugin for it is not installed; install it by\n"
        f"  .venv/bin/python -m pip install {wanted}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
