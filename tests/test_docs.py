"""docs/ and README.md: their code runs, their links lead somewhere, the pages can be read."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from browser import browser_page
from ccerates.analysis.publish import COLUMNS
from ccerates.errors import InputError
from documents import PAGES, ROOT, Reader, agrees, blocks, check_reproduce, commands, targets

LINKS = [
    (page, link)
    for page in PAGES
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_does_what_it_says(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("examples", "config", "figures"):
        (tmp_path / name).symlink_to(ROOT / name)
    Reader(capsys).read(page.read_text(encoding="utf-8"), str(page.relative_to(ROOT)))


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("```ruby\nputs 1\n```\n", "ruby"),
        ("```sh\nccerates games list\n```\n\n```text\nno such family\n```\n", "printed"),
        ("```sh\nccerates games shows\n```\n", "left with 2"),
        ("```sh\n./reproduce sim_horizons --cores 2\n```\n", "no rule"),
        ("```sh\n./reproduce --cores 2 --configfile config/smok.yaml\n```\n", "no config"),
        ("```sh\n./reproduce --jobs 2 --profile workflow/profiles/slurn\n```\n", "no workflow"),
        ("```sh\nrm x\n```\n", "rm x"),
        ("```python\nassert 1 == 2, 'sum'\n```\n", "sum"),
        ("```yaml\ncurves: {gap-decay: {rounds: {evb-sim: [1]}}}\n```\n", "expected"),
    ],
)
def test_a_page_that_is_wrong_is_found(
    page: str,
    fault: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((AssertionError, InputError), match=fault):
        Reader(capsys).read(page, "page")


def test_output_is_compared_up_to_spaces_and_dots() -> None:
    assert agrees("a  1\n...\nb", "a 1\nc\nb\n")
    assert agrees("...\nb", "a\nb\n")
    assert not agrees("a 1", "a 1\nb\n")
    assert not agrees("a 1\n...", "a 2\nb\n")


@pytest.mark.parametrize(
    ("page", "link"), LINKS, ids=[f"{page.stem}: {link}" for page, link in LINKS]
)
def test_links_lead_to_files_of_the_repository(page: Path, link: str) -> None:
    assert (page.parent / link).exists()


def test_what_pages_tell_to_reproduce_can_be_planned() -> None:
    told = {
        target
        for page in PAGES
        for block in blocks(page.read_text(encoding="utf-8"))
        if block.language == "sh"
        for command, _ in commands(block.text)
        if command.startswith("./reproduce")
        for target in targets(command)
    }
    assert told
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--quiet", "--nolock"]
    command += ["--configfile", "config/smoke.yaml", "--", *sorted(told)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr


def test_commands_within_sentences_exist() -> None:
    for page in PAGES:
        for command in re.findall(r"`(\./reproduce [^`]*)`", page.read_text(encoding="utf-8")):
            check_reproduce(command.replace("\n", " ").replace(" ...", ""))


def test_every_column_of_every_table_is_described() -> None:
    page = (ROOT / "docs/reference/tables.md").read_text(encoding="utf-8")
    described = set(re.findall(r"`([\w-]+)`", page))
    assert set(COLUMNS) <= described
    for name, columns in COLUMNS.items():
        assert set(columns) <= described, name


# The pages


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages as the rule `docs` makes them; a warning is an error."""
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"]
    command += ["-d", str(folder / "doctrees"), "docs", str(folder / "pages")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "pages"


def test_pages_hold_no_name_of_this_machine(pages: Path) -> None:
    for path in pages.rglob("*"):
        if path.suffix in {".html", ".js"}:
            text = path.read_text(encoding="utf-8")
            assert str(ROOT) not in text, path
            assert not re.search(r"<(?:script|link|img)[^>]*(?:src|href)=\"https?:", text), path


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_open_without_network_and_fit_the_window(pages: Path, width: int) -> None:
    with browser_page(width) as page:
        for path in sorted(pages.rglob("*.html")):
            page.goto(path.as_uri())
            assert page.title()
            inside = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            assert inside, f"{path.name} is wider than the window"


def test_search_finds_a_command(pages: Path) -> None:
    with browser_page() as page:
        page.goto((pages / "index.html").as_uri())
        page.fill("input[name=q]", "goofspiel")
        page.press("input[name=q]", "Enter")
        page.wait_for_selector("#search-results li a")


def test_reference_shows_help_config_and_docstrings(pages: Path) -> None:
    commands_page = (pages / "reference/commands.html").read_text(encoding="utf-8")
    for name in ("games-make", "learn", "gap", "certify", "rates", "doctor"):
        assert f'id="ccerates-{name}"' in commands_page
    assert "budget_scales" in (pages / "reference/config.html").read_text(encoding="utf-8")
    assert 'id="ccerates.api.certify"' in (pages / "reference/api.html").read_text(encoding="utf-8")
