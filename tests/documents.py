"""What README.md and docs/ show as code: found, run, and compared with the output that they show.

* ``python`` runs, in the names of earlier blocks of the page; if its first line is ``# name.py`` it
  is written to that file instead;
* ``sh``: commands of ``ccerates`` run and leave with 0, or with what a comment ``leaves with N``
  says; targets, configs and profiles of ``./reproduce`` exist; few other commands may appear;
* ``text`` is what the block before printed, or the error that it led to, where ``...`` stands for
  anything; after commands that are not run it is shown only;
* ``yaml`` is valid in config/smoke.yaml.
"""

import re
import shlex
import textwrap
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ccerates.cli.main import main
from ccerates.config import check_config, read_config, read_yaml
from ccerates.errors import InputError
from ccerates.experiments.bandits import check_bandits
from ccerates.experiments.plan import plan_cells

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOR_SPHINX = {"{toctree}", "{eval-rst}", "{command-help}", "{config-keys}", "{speed-tables}"}
SHOWN_ONLY = (
    ". .venv/bin/activate", "cd ", "cp ", "git clone ", "conda env create ", "./test", "ls ", "df ",
    "PYTHON=", "NUMBA_CACHE_DIR=", ".venv/bin/python -m pip install ", "scancel ",
)  # fmt: skip
OWN_CONFIG = "config/mine.yaml"
OWN_PROFILE = "workflow/profiles/ours"
"""Copies that readers make."""


class Block(NamedTuple):
    """A fenced block; `line` is that of its first line of text, from 1."""

    language: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    for match in re.finditer(r"^( *)```(\S*)[^\n]*\n(.*?)^\1```$", page, flags=re.M | re.S):
        line = page.count("\n", 0, match.start(3)) + 1
        yield Block(match[2], textwrap.dedent(match[3]), line)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a shell block and the comment behind it."""
    for line in text.replace("\\\n", " ").splitlines():
        command, _, comment = line.partition("  #")
        if command.strip() and not command.startswith("#"):
            yield command.strip(), comment


def rules() -> set[str]:
    """Return the names of all rules."""
    files = [ROOT / "Snakefile", *(ROOT / "workflow/rules").glob("*.smk")]
    return {name for path in files for name in re.findall(r"^rule (\w+):", path.read_text(), re.M)}


def targets(command: str) -> list[str]:
    """Return the targets of a ``./reproduce`` command; they go before its options."""
    words = shlex.split(command)[1:]
    first = next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
    return words[:first]


def check_reproduce(command: str) -> None:
    """Check that targets, config and profile of a ``./reproduce`` command exist."""
    words = shlex.split(command)
    unknown = set(targets(command)) - rules()
    assert not unknown, f"{command}: no rule {unknown}"
    for option, value in pairwise(words):
        if option == "--configfile":
            assert value == OWN_CONFIG or (ROOT / value).is_file(), f"{command}: no {value}"
        if option == "--profile":
            assert value == OWN_PROFILE or (ROOT / value).is_dir(), f"{command}: no {value}"


def merged(into: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return `into` with `new`, key by key."""
    result = dict(into)
    for key, value in new.items():
        below = result.get(key)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        result[key] = merged(below, value) if both else value
    return result


def agrees(shown: str, printed: str) -> bool:
    """Return whether a text was printed, up to spaces; ``...`` stands for anything."""
    parts = [re.escape(" ".join(part.split())) for part in shown.split("...")]
    return re.fullmatch(r"\s*.*?\s*".join(parts), " ".join(printed.split())) is not None


class Reader:
    """Does what a page says, in the working directory.

    Parameters
    ----------
    capture
        Pytest's fixture `capsys`.
    """

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture
        self._names: dict[str, Any] = {}
        self._config: Mapping[str, Any] = read_config(ROOT / "config/smoke.yaml")
        self._schema = read_yaml(ROOT / "workflow/schemas/config.schema.yaml")

    def read(self, page: str, name: str) -> None:
        """Do all that a page says, from top to bottom.

        Parameters
        ----------
        page
            Its text.
        name
            What failures call it.
        """
        found = list(blocks(page))
        for block, after in pairwise([*found, Block("", "", 0)]):
            place = f"{name}:{block.line}"
            text = after.text if after.language == "text" else None
            fails = text is not None and text.startswith("error:")
            if block.language == "python":
                ran = self._python(block.text, place)
            elif block.language == "sh":
                ran = self._shell(block.text, place, fails)
            elif block.language == "yaml":
                self._yaml(block.text, place, text if fails else None)
                continue
            else:
                assert block.language in {"text", *FOR_SPHINX}, f"{place}: {block.language!r}?"
                continue
            printed, complaint = self._capture.readouterr()
            if ran and text is not None:
                assert agrees(text, complaint if fails else printed), f"{place} printed {printed}"

    def _python(self, text: str, place: str) -> bool:
        name = re.match(r"# (\w+\.py)\n", text)
        if name:
            Path(name[1]).write_text(text, encoding="utf-8")
            return False
        exec(compile(text, place, "exec"), self._names)
        return True

    def _shell(self, text: str, place: str, fails: bool) -> bool:
        ran = False
        for command, comment in commands(text):
            if command.startswith("ccerates "):
                expected = re.search(r"leaves with (\d)", comment)
                code = main(shlex.split(command)[1:])
                right = int(expected[1]) if expected else 2 if fails else 0
                if command == "ccerates doctor":  # it judges the machine
                    right = code
                assert code == right, f"{place}: {command} left with {code}"
                ran = True
            elif command.split()[0] in {"./reproduce", "snakemake"}:
                check_reproduce(command)
            else:
                assert command.startswith(SHOWN_ONLY), f"{place}: {command}?"
        return ran

    def _yaml(self, text: str, place: str, error: str | None) -> None:
        Path("block.yaml").write_text(text, encoding="utf-8")
        config = merged(self._config, read_config(Path("block.yaml")))
        if error is None:
            check_config(config, self._schema)
            assert plan_cells(config), place
            check_bandits(config["bandits"])
            self._config = config
            return
        with pytest.raises(InputError) as caught:
            check_config(config, self._schema)
        assert agrees(error.removeprefix("error: "), str(caught.value)), f"{place}: {caught.value}"
