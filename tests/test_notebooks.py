"""Notebooks are stored as sources, import what is public, and name what the pipeline makes."""

import ast
import importlib
import re
import sys
from contextlib import chdir
from pathlib import Path

import grimp
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from browser import browser_page, overflow
from ccerates.analysis.publish import COLUMNS
from ccerates.config import read_config
from ccerates.errors import InputError
from ccerates.experiments.plan import plan_cells
from ccerates.notebooks.execution import execute
from ccerates.notebooks.page import to_html
from ccerates.notebooks.results import VARIABLE, MissingResultsError, find_results
from ccerates.notebooks.stored import read_notebook, stored_text, write_together

ROOT = Path(__file__).parents[1]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
OTHERS = {"IPython", "matplotlib", "numpy", "pandas", "scipy"}
IMPORTS = grimp.build_graph("ccerates", exclude_type_checking_imports=True, cache_dir=None)
CONFIG = read_config(ROOT / "config/smoke.yaml")

each_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def sources(path, kind):
    return [cell.source for cell in read_notebook(path).cells if cell.cell_type == kind]


def code(path):
    return ast.parse("\n".join(sources(path, "code")))


def strings(tree):
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [node.value for node in constants if isinstance(node.value, str)]


def arguments_of(tree, method):
    """Return the constant first arguments of calls of a method."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    mine = [call for call in calls if getattr(call.func, "attr", "") == method]
    return [call.args[0].value for call in mine if isinstance(call.args[0], ast.Constant)]


def test_there_are_notebooks():
    assert [path.name[0] for path in PATHS] == ["1", "2", "3", "4"]


@each_notebook
def test_stored_without_outputs_counts_and_machine(path):
    assert path.read_text(encoding="utf-8") == stored_text(read_notebook(path)), (
        f"run: python -m ccerates.notebooks.stored {path.relative_to(ROOT)}"
    )


@each_notebook
def test_cells_have_names_and_the_title_is_the_heading(path):
    notebook = read_notebook(path)
    names = [cell.id for cell in notebook.cells]
    assert len(set(names)) == len(names)
    # Jupyter's own are eight random hexadecimal digits.
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", name) for name in names)
    assert notebook.cells[0].source.startswith(f"# {notebook.metadata.title}\n")


@each_notebook
def test_imports_are_public(path):
    statements = [node for node in ast.walk(code(path)) if isinstance(node, ast.ImportFrom)]
    plain = [node for node in ast.walk(code(path)) if isinstance(node, ast.Import)]
    roots = {node.module.split(".")[0] for node in statements}
    roots |= {alias.name.split(".")[0] for node in plain for alias in node.names}
    assert roots - sys.stdlib_module_names <= OTHERS | {"ccerates"}
    ours = [node for node in statements if node.module.startswith("ccerates")]
    assert ours
    for node in ours:
        module = importlib.import_module(node.module)
        for alias in node.names:
            assert not f".{node.module}.{alias.name}".count("._")
            if not hasattr(module, alias.name):
                importlib.import_module(f"{node.module}.{alias.name}")


@each_notebook
def test_modules_that_are_imported_are_inputs_of_the_rule(path):
    rule = (ROOT / "workflow/rules/notebooks.smk").read_text()
    declared = set(re.findall(r'"(ccerates[\w.]*)"', rule))
    for module in set(declared):
        declared |= IMPORTS.find_upstream_modules(module)
    statements = [node for node in ast.walk(code(path)) if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in statements for alias in node.names}
    names |= {node.module for node in statements}
    assert names & IMPORTS.modules <= declared | {"ccerates", "ccerates.plots"}


@each_notebook
def test_results_that_are_read_are_made(path):
    tree = code(path)
    assert set(arguments_of(tree, "table_file")) <= COLUMNS.keys()
    assert set(arguments_of(tree, "run_files")) <= {*CONFIG["sweeps"], *CONFIG["curves"]}
    rule = (ROOT / "workflow/rules/notebooks.smk").read_text()
    assert ("find_results" in path.read_text()) == (f'"{path.stem}":' in rule)
    first = sources(path, "markdown")[0]
    assert (
        "./reproduce --cores 2 --configfile config/smoke.yaml" in first or "needs stored" in first
    )


@each_notebook
def test_no_absolute_path_no_formula_to_typeset_and_links_lead_somewhere(path):
    text = "\n".join(sources(path, "markdown"))
    assert "$" not in text
    assert not re.search(r"(^|[\s`(\"'])/\w", text)
    assert not [value for value in strings(code(path)) if re.match(r"/|[A-Za-z]:\\|~", value)]
    for target in re.findall(r"\]\(([^)]*)\)", text):
        assert (path.parent / target).is_file()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A folder that looks like the repository, with this configuration and no results."""
    for name in ("smoke.yaml", "paper.yaml", "claims.yaml"):
        target = tmp_path / "config" / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((ROOT / "config" / name).read_bytes())
    (tmp_path / "Snakefile").touch()
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    monkeypatch.setenv(VARIABLE, "smoke")
    return tmp_path


def test_run_files_are_those_of_the_pipeline(repository):
    with chdir(ROOT):  # games in files
        planned = plan_cells(CONFIG).values()
    expected = {}
    for cell in planned:
        for learner in cell.rounds:
            place = f"results/smoke/runs/{cell.experiment}/{cell.name}/{learner}.parquet"
            expected.setdefault(cell.experiment, []).append(repository / place)
    del expected["tuning"]
    for path in (path for paths in expected.values() for path in paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    results = find_results()
    assert {name: results.run_files(name) for name in expected} == expected
    with pytest.raises(InputError, match="no such experiment; there are sim-horizon"):
        results.run_files("sim-horizons")


@pytest.mark.parametrize(("config", "folder"), [("smoke", "build/smoke/"), ("paper", "")])
def test_tables_are_where_the_configuration_writes_them(repository, monkeypatch, config, folder):
    monkeypatch.setenv(VARIABLE, config)
    path = repository / f"{folder}figures/tables/exponents.csv"
    path.parent.mkdir(parents=True)
    path.touch()
    assert find_results().table_file("exponents") == path


@pytest.mark.usefixtures("repository")
def test_missing_results_name_the_command_that_makes_them(monkeypatch):
    with pytest.raises(MissingResultsError) as found:
        find_results().table_file("exponents")
    lines = str(found.value).splitlines()
    assert lines[0].startswith("build/smoke/figures/tables/exponents.csv: not made yet")
    assert lines[1] == "    ./reproduce exponents --cores 2 --configfile config/smoke.yaml"
    assert found.value._render_traceback_() == lines
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(MissingResultsError, match=r"reproduce sim_states --cores 2\n"):
        find_results().run_files("sim-states")


def test_configuration_that_is_not_there(repository, monkeypatch):
    monkeypatch.setenv(VARIABLE, "smok")
    with pytest.raises(InputError, match="CCERATES_CONFIG=smok: no such configuration; write one"):
        find_results()
    monkeypatch.chdir(repository.parent)
    with pytest.raises(InputError, match="open notebooks from its folder"):
        find_results()


def tiny(*cells):
    notebook = new_notebook(metadata={"title": "tiny"})
    notebook.cells = [new_markdown_cell("# tiny\n\n[next](2-next.ipynb)", id="heading")]
    named = enumerate(cells)
    notebook.cells += [new_code_cell(cell, id=f"cell-{number}") for number, cell in named]
    return notebook


FIGURE = """
from matplotlib.figure import Figure
from ccerates.notebooks.display import show_figure
from ccerates.notebooks.results import find_results
from ccerates.plots import style
with style.context():
    figure = Figure(figsize=(3, 2))
    figure.subplots().set_title(find_results().name)
show_figure(figure, "an empty <figure>")
"""


@pytest.fixture(scope="module")
def executed():
    """A notebook with a figure, text on several lines and a long line, executed twice."""
    runs = []
    for _ in range(2):
        notebook = tiny(FIGURE, "for n in range(3):\n    print(n)", f"long = '{'wide ' * 60}'")
        execute(notebook, "tiny", ROOT / "notebooks", CONFIG | {"name": "mine"})
        runs.append(notebook)
    return runs


def test_execution_keeps_outputs_and_repeats_byte_by_byte(executed):
    first, second = executed
    image, text, nothing = (cell.outputs for cell in first.cells[1:])
    assert image[0].metadata["image/png"] == {"width": 330, "alt": "an empty <figure>"}
    assert [output.text for output in text] == ["0\n1\n2\n"]
    assert nothing == []
    assert nbformat.writes(first) == nbformat.writes(second)
    assert to_html(first) == to_html(second)


def test_page_shows_all_and_loads_nothing(executed, tmp_path):
    html = to_html(executed[0])
    assert "<title>tiny</title>" in html
    assert 'href="2-next.html"' in html
    path = tmp_path / "tiny.html"
    path.write_text(html, encoding="utf-8")
    for width in (1280, 390):
        with browser_page(width) as page:
            page.goto(path.as_uri())
            assert overflow(page) == 0
            image = page.get_by_alt_text("an empty <figure>")
            assert image.evaluate("image => image.complete && image.naturalWidth") == 600
            # Code that is wider than the page can be moved.
            assert page.evaluate(
                "Array.from(document.querySelectorAll('.jp-InputArea *')).some(e => "
                "e.scrollWidth > e.clientWidth + 20 && getComputedStyle(e).overflowX == 'auto')"
            )
            assert page.locator("script[src], link[href]").count() == 0


def test_a_failing_cell_is_told_with_its_source(tmp_path):
    notebook = tiny("games = {}", "found = games[\n    'chess'\n]", "found")
    with pytest.raises(InputError) as found:
        execute(notebook, "tiny", tmp_path)
    text = str(found.value)
    assert text.startswith("tiny, cell 3 (cell-1), failed: KeyError\n\n    found = games[\n")
    assert text.endswith("KeyError: 'chess'")
    assert "\x1b" not in text
    assert notebook.cells[3].outputs == []


def test_warnings_are_errors(tmp_path):
    notebook = tiny("import warnings", "warnings.warn('few samples')")
    with pytest.raises(InputError, match=r"cell 3 \(cell-1\), wrote to standard error") as found:
        execute(notebook, "tiny", tmp_path)
    assert "UserWarning: few samples" in str(found.value)


def test_files_are_written_together_or_not_at_all(tmp_path):
    paths = [tmp_path / "new/a.ipynb", tmp_path / "new/b.html"]
    with pytest.raises(AttributeError):
        write_together(dict(zip(paths, [tiny(), None], strict=True)))
    assert list((tmp_path / "new").iterdir()) == []
    write_together(dict(zip(paths, [tiny(), "page"], strict=True)))
    assert sorted((tmp_path / "new").iterdir()) == paths
    assert read_notebook(paths[0]).metadata.title == "tiny"
    assert paths[1].read_text() == "page"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "there is no such notebook"),
        ("{", "not a valid notebook"),
        ('{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": []}', "not of format 4.5"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [1]}', "not a valid"),
    ],
)
def test_what_is_no_notebook_is_refused(tmp_path, text, told):
    path = tmp_path / "a.ipynb"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=told):
        read_notebook(path)
