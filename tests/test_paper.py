"""The paper compiles, says what the tables say, and holds no result that was typed in."""

import functools
import json
import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typst

from ccerates.analysis.sample_complexity import LARGEST_TARGET
from ccerates.theory import constants
from ccerates.theory.rates import TOLERANCE

ROOT = Path(__file__).parents[1]
SECTIONS = sorted((ROOT / "paper" / "sections").glob("*.typ"))

TABLES = {
    "sim-horizon": """\
experiment,setting,algorithm,axis,value,samples_to_target,ci_low,ci_high,status,target,uniform_gap,replicates,fitted
sim-horizon,simulator,q-ftrl,horizon,8,31415926.5,29999999,33333333,measured,0.1,0.4321,3,True
sim-horizon,simulator,q-ftrl,horizon,16,,,,censored,0.1,0.5,3,False
sim-horizon,simulator,evb-sim,horizon,8,,,,below-grid,0.1,0.4321,3,False
sim-horizon,simulator,evb-sim,horizon,16,27182.8,26000,,measured,0.1,0.5,3,True
""",
    "exponents": """\
setting,algorithm,axis,theory,measured,ci_low,ci_high,local_slope,points,fit_low,fit_high,verdict
simulator,q-ftrl,horizon,4,4.444,4.222,4.666,4.5,2,8,16,inconclusive
simulator,evb-sim,horizon,4,,,,,1,8,16,not fitted
""",
    "exponent-differences": """\
setting,axis,baseline,algorithm,difference,ci_low,ci_high
simulator,horizon,q-ftrl,evb-sim,-0.777,-0.888,-0.666
""",
    "verify": """\
claim,quantity,expected,got,tolerance,comparator,verdict
sim-horizon,a,1,1,0,exact,pass
sim-horizon,b,1,2,0,exact,fail
""",
}
GAPS = """\
game,players,states,horizon,algorithm,samples,gap_kind,gap_mean,ci_low,ci_high,uniform_gap
pathfinding-9x9,2,99,12,evb-sim,200000,exact,0.031337,0.03,0.032,0.4567
pathfinding-9x9,2,99,12,evb-sim,100000,exact,0.9,0.8,1.0,0.4567
"""
SETUP = {"replicates": 4321, "eps_game": 0.567, "horizons": [8, 16], "q_ftrl_c_b": 0.0123}
ASCII = str.maketrans("\N{EN DASH}\N{MINUS SIGN}\N{MULTIPLICATION SIGN}", "--x")
INPUTS = {"prefix": "build/tiny/", "results": "results/tiny", "config": "tiny"}


def make_root(folder: Path, tables: dict[str, str]) -> Path:
    """Make a repository that holds the paper and what the pipeline would have written."""
    shutil.copytree(ROOT / "paper", folder / "paper")
    figures = folder / "build" / "tiny" / "figures"
    (figures / "tables").mkdir(parents=True)
    for name in ("sim-horizon", "exponents", "real-games"):
        svg = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"/>'
        (figures / f"{name}.svg").write_text(svg)
    for name, table in tables.items():
        (figures / "tables" / f"{name}.csv").write_text(table)
    (folder / "results" / "tiny" / "analysis" / "real-games").mkdir(parents=True)
    (folder / "results" / "tiny" / "analysis" / "real-games" / "gaps.csv").write_text(GAPS)
    (folder / "results" / "tiny" / "paper-numbers.json").write_text(json.dumps(SETUP))
    return folder


def texts(content: Any) -> Iterator[str]:
    if isinstance(content, dict):
        if isinstance(content.get("text"), str):
            yield content["text"]
        content = list(content.values())
    if isinstance(content, list):
        for part in content:
            yield from texts(part)


@functools.cache
def text_of(root: Path, selector: str) -> str:
    """Return the text of all paragraphs or tables, in ASCII where easy and without spaces."""
    main = str(root / "paper" / "main.typ")
    found = typst.query(main, selector, root=root, sys_inputs=INPUTS, ignore_system_fonts=True)
    joined = "".join(texts(json.loads(found))).translate(ASCII)
    return re.sub(r"\s", "", joined)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_root(tmp_path_factory.mktemp("repository"), TABLES)


def compile_paper(monkeypatch: pytest.MonkeyPatch, root: Path, output: str) -> bytes:
    monkeypatch.chdir(root)
    snakemake = SimpleNamespace(
        input=SimpleNamespace(main="paper/main.typ"),
        output=[output],
        log=["paper.log"],
        params=SimpleNamespace(sys_inputs=INPUTS),
    )
    script = ROOT / "workflow" / "scripts" / "compile_paper.py"
    runpy.run_path(str(script), init_globals={"snakemake": snakemake})
    return (root / output).read_bytes()


def test_two_compilations_give_the_same_pdf(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    first = compile_paper(monkeypatch, root, "out/first.pdf")
    assert first.startswith(b"%PDF-")
    assert compile_paper(monkeypatch, root, "out/second.pdf") == first
    assert sorted(path.name for path in (root / "out").iterdir()) == ["first.pdf", "second.pdf"]


def test_compiles_without_warnings(root: Path) -> None:
    main = str(root / "paper" / "main.typ")
    _, warnings = typst.compile_with_warnings(
        main, root=root, sys_inputs=INPUTS, ignore_system_fonts=True
    )
    assert [str(warning) for warning in warnings] == []


def test_text_says_what_the_tables_say(root: Path) -> None:
    prose = text_of(root, "par")
    assert "exponentof4.44[4.22,4.67]forQ-FTRLand--forEVB-sim" in prose
    assert "Q-FTRLminusEVB-sim,is-0.777[-0.888,-0.666];itsintervalexcludeszero" in prose
    assert "Thereare4321,eachwithitsownhiddenkeys" in prose
    assert "alivestatesand0.567." in prose
    assert "practicalchoice-,0.0123,forwhich" in prose


def test_tables_show_every_cell_and_mark_what_is_missing(root: Path) -> None:
    tables = text_of(root, "table")
    assert "80.4323.14x107[3.00x107,3.33x107]belowthegridyes" in tables
    assert "160.500notreached2.72x104-yes" in tables
    assert "simulatorEVB-simhorizon4---notfitted" in tables
    assert "EVB-simQ-FTRL-0.777[-0.888,-0.666]" in tables
    assert "pathfinding-9x929912EVB-sim2.00x1050.0313[0.0300,0.0320]0.457" in tables
    assert "claimquantitiespassfailsim-horizon211" in tables


def test_other_configurations_say_that_they_are_no_results(root: Path) -> None:
    assert "tinyconfiguration:numbersarenotresults" in text_of(root, "par")


def test_tables_without_rows(tmp_path: Path) -> None:
    heads = {name: table.splitlines()[0] + "\n" for name, table in TABLES.items()}
    prose = text_of(make_root(tmp_path / "repository", heads), "par")
    assert "exponentof--forQ-FTRLand--forEVB-sim" in prose


def test_text_follows_the_data(root: Path, tmp_path: Path) -> None:
    above = "abovethatofuniformplay,as"
    assert above in text_of(root, "par")
    assert "hadnoreference" not in text_of(root, "figure")
    tables = dict(TABLES)
    tables["exponent-differences"] = tables["exponent-differences"].replace("-0.666", "0.666")
    tables["verify"] = tables["verify"].splitlines()[0] + "\nall,a,1,none,0,exact,no reference\n"
    other = make_root(tmp_path / "repository", tables)
    gaps = other / "results" / "tiny" / "analysis" / "real-games" / "gaps.csv"
    gaps.write_text(GAPS.replace("0.9,0.8,1.0", "0.5,0.45,1.0"))
    prose = text_of(other, "par")
    assert "-0.777[-0.888,0.666];itsintervalcontainszero" in prose
    assert "abovethatofuniformplay." in prose
    assert "hadnoreference" in text_of(other, "figure")


# What is not prose: comments, strings, raw text, mathematics, labels, references, and lengths,
# ratios and levels of nesting in code.
NOT_PROSE = re.compile(
    r'//.*|"[^"]*"|`[^`]*`|\$[^$]*\$|<[\w-]+>|@[\w-]+|\d+(\.\d+)?(em|fr|pt|%)|step\(\d\)'
)
MATHEMATICS = re.compile(r"\$[^$]*\$")


@pytest.mark.parametrize("section", SECTIONS, ids=lambda path: path.stem)
def test_no_number_is_typed_into_the_prose(section: Path) -> None:
    prose = NOT_PROSE.sub(" ", section.read_text(encoding="utf-8"))
    assert set(re.findall(r"\d[\d.,]*", prose)) <= {"95"}, "insert results from the tables"


@pytest.mark.parametrize("name", ["abstract", "experiments", "evaluation", "limitations"])
def test_no_result_hides_in_mathematics(name: str) -> None:
    source = (ROOT / "paper" / "sections" / f"{name}.typ").read_text(encoding="utf-8")
    numbers = set(re.findall(r"\d+\.\d+|\d{2,}", " ".join(MATHEMATICS.findall(source))))
    # (1 - 2/e) and eight times that; limits that the next test compares with the code; 10^-9.
    assert numbers <= {"0.26", "2.1", "0.3", "0.6", "0.25", "10"}


def test_constants_are_those_of_the_code() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in SECTIONS)
    for expected in (
        f"c_1 = {constants.PLAYED_DEVIATION}$, $c_2 = {constants.PLAYED_RANGE}$",
        f'eta_"max" = {constants.STABILITY_LIMIT} /',
        f"c_1 sqrt(iota) = {constants.PRACTICAL_DEVIATION}$ and $c_2 = 0$",
        f"${constants.PRACTICAL_DEVIATION} sqrt(V'_i)$ replaces both terms",
        f"({constants.DIRECT_DEVIATION} sqrt(iota V'_i) + {constants.DIRECT_RANGE} B_h iota)",
        f'+ {constants.DIRECT_RANGE} thin alpha_"max" B_h iota_i',
        f"target exceeds ${LARGEST_TARGET}$",
        f"$plus.minus {TOLERANCE['horizon']}$",
    ):
        assert expected in source
