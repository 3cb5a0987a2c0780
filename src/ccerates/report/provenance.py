"""Where the numbers of a page come from: program, configuration, seed, packages."""

import re
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from ccerates import __version__
from ccerates.compilation import SOURCE_KEY
from ccerates.config import read_config
from ccerates.errors import InputError

MAIN_PACKAGES = (
    *("numpy", "scipy", "numba", "llvmlite", "pandas", "pyarrow", "open-spiel"),
    *("matplotlib", "seaborn", "snakemake", "typst", "jinja2"),
)
"""Those that numbers, figures and pages depend on most."""


@dataclass(frozen=True)
class Provenance:
    """What made the numbers.

    Attributes
    ----------
    name
        Of the configuration.
    about
        What its file says about itself in its first comment.
    root_seed
        From which all random numbers follow.
    config, config_file
        Content of its file, and the file's path, or its name if the path is absolute.
    version
        Of this package.
    sources
        Hash of all its sources and of the compiler's versions, see `ccerates.compilation`.
    packages
        Locked version of each of `MAIN_PACKAGES`, with the condition under which it is used.
    """

    name: str
    about: str
    root_seed: int
    config: str
    config_file: str
    version: str
    sources: str
    packages: list[tuple[str, str]]


def provenance(config: Path, lock: Path) -> Provenance:
    """Return what made the numbers.

    Parameters
    ----------
    config
        File of the configuration.
    lock
        File of locked requirements.

    Raises
    ------
    InputError
        If a file cannot be read or the lock lacks a package.
    """
    content = read_config(config)
    missing = [key for key in ("name", "root_seed") if key not in content]
    if missing:
        raise InputError(
            f"{config}: no {' and no '.join(missing)}; write it as in config/smoke.yaml"
        )
    text = config.read_text(encoding="utf-8")
    comment = re.match(r"#\s*(.*)", text)
    return Provenance(
        name=str(content["name"]),
        about=comment[1].replace("`", "") if comment else "",
        root_seed=content["root_seed"],
        config=text,
        config_file=config.name if config.is_absolute() else config.as_posix(),
        version=__version__,
        sources=SOURCE_KEY,
        packages=_packages(lock),
    )


def _packages(lock: Path) -> list[tuple[str, str]]:
    try:
        lines = lock.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{lock}: {error.strerror}; write the lock again") from None
    found: dict[str, list[str]] = {}
    for line in lines:
        if not re.match(r"[\w.-]+==", line):
            continue
        try:
            locked = Requirement(line.removesuffix("\\").strip())
        except InvalidRequirement as error:
            raise InputError(f"{lock}: {line!r}: {error}; write the lock again") from None
        condition = f" if {locked.marker}" if locked.marker else ""
        version = str(locked.specifier).removeprefix("==")
        found.setdefault(locked.name.lower(), []).append(f"{version}{condition}")
    missing = [name for name in MAIN_PACKAGES if name not in found]
    if missing:
        raise InputError(f"{lock}: no version of {', '.join(missing)}; write the lock again")
    return [(name, "; ".join(found[name])) for name in MAIN_PACKAGES]
