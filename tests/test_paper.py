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

from paper_tables import FIGURES, GAPS, SETUP, TABLES

ROOT = Path(__file__).parents[1]
SECTIONS = sorted((ROOT / "paper" / "sections").glob("*.typ"))

ASCII = str.maketrans("\N{EN DASH}\N{MINUS SIGN}\N{MULTIPLICATION SIGN}", "--x")
INPUTS = {"prefix": "build/tiny/", "results": "results/tiny", "config": "tiny"}


def make_root(folder: Path, tables: dict[str, str]) -> Path:
    """Make a repository that holds the paper and what the pipeline would have written."""
    shutil.copytree(ROOT / "paper", folder / "paper")
    figures = folder / "build" / "tiny" / "figures"
    (figures / "tables").mkdir(parents=True)
    for name in FIGURES:
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
    for expected in (
        "exponentof4.44[4.22,4.67]forQ-FTRLand-forEVB-sim",
        "1.11[1.01,1.21]forQ-FTRLand0.12[0.02,0.22]forEVB-sim,againstboundsof",
        "4.44[4.22,4.67]forQ-FTRL(theory4:inconclusive)and-forEVB-sim(theory4:notfitted)",
        "is-0.777[-0.888,-0.666](itsintervalexcludeszero),wherethetheory",
        "differenceis0.988[0.888,1.088](itsintervalexcludeszero).",
        "goesfrom2.0to18.3.",
        "itis-2.05[-2.15,-1.95]forEVB-sim(theory-2:confirmed)",
        "Of21cells,these",
        "1withtooeasyatarget,2withcurvesthatendabovethetargetand1withcurvesthatstart",
        "Thereare4321ofeverycell",
        "(8765resamples)",
        "practicalchoice2.5,0.0123,forwhich",
        "protocolofSection6.3chose,16.25.",
        "with1.75and0.35,chosen",
        "Thetargetgapisandwithasimulatorandonline,thesame",
        "rates0.25,16timesbonuses1,3,ongameswith,2alivestates,and(55replicates);",
        "rates0.125,2timesbonuses0.2,0.7,ongameswith,3alivestates,and(66replicates).",
        "rate16andbonus1forQ-FTRL,rate1andbonus1forEVB-sim(therunsuserate4andbonus1),",
        "rate2andbonus0.2forV-learning,rate2andbonus0.4forCCE-V-learning,",
        "rate2andbonus0.5forStage-V-learningandrate2andbonus0.7forEVB-online:",
        "0.0511forV-learning,0.0522forCCE-V-learningand0.0533forstage-basedV-learning",
        "by2.25and0.15forV-learning,2.35and0.25forCCE-V-learning,2.45and0.55for",
        "with2.55and0.65,chosen",
        "4.32[4.22,4.42]forEVB-online,againstaboundof,and-forV-learning,",
        "6.33[6.23,6.43]forCCE-V-learningand5.33[5.23,5.43]forstage-basedV-learning,",
        "theintervalsof2of2learnerslieabovetheboundsexponent,andtheverdictisamissfor1of2.",
        "theslopesare0.99[0.89,1.09]forEVB-simwithasimulatorand",
        "1.32[1.29,1.35]forEVB-onlineand-forV-learningonline(",
        ");1of3intervalslieabovetheboundsexponent.",
        "Neitherdotheyshowwheretheintervalliesaboveonewitheithertarget,byhoweverlittle:thatissoforEVB-online.",
        "is-forV-learning(theory6:notfitted),6.33[6.23,6.43]forCCE-V-learning(theory6:",
        "5.33[5.23,5.43]forStage-V-learning(theory6:withinbound)and4.32[4.22,4.42]for",
        "is2.012[1.912,2.112]forCCE-V-learning(itsintervalexcludeszero)and",
        "1.012[-0.012,2.012]forStage-V-learning(itsintervalcontainszero);thebounds",
        "4.5to4.5(V-learning),3.0to12.0(CCE-V-learning)and2.0to4.0(Stage-V-learning)times",
        "0.91[0.90,0.92]forEVB-online(theory1:withinbound)(",
        "whichis0.20to1.81inthecellsoftheonlinesweeps.",
        "adversary333times,with5,1.5,54321and0.06,",
        "exceededin0of666runs.",
        "wasexceededin78of666runs:againsttheswitchingadversaryin77of333and",
        "andagainstthestochasticadversaryin1of333(",
        "wasexceededin234of666runs.",
        "exceededin3of2331runs.",
        "Ofthedeterministicrows1of2pass,ofthosewithconfidence1of1,oftheplantedones1of1are",
        "Itistightateverybudgetfor",
        "forEVB-sim,practical;EVB-sim,rigorous.ItistightlateronforEVB-online,rigorousfrom",
        "tightnotevenatthelargestbudgetforQ-FTRL,practical;V-learning,practical.",
        "theratiois2.1to3.3overallbudgets,forEVB-online4.0to5.0.",
        "beforeitssamplescanshowit,asQ-FTRLhere:",
        "acertificatethatpromisessomethingin2of56runs,andwherenothingispromisedin1of8runs.",
        "weranlearners888timesongameswith",
        "3of1776runs,where0.06would",
        "itrejected1of1oftheseplantederrors",
        "Of1gameswithasimulator,thesmallestmeangapisthatofQ-FTRLon1(withintervalsaparton1).",
        "Of1gamesonline,thesmallestmeanboundonthegapisthatofEVB-onlineon1(withintervalsaparton1).",
        "oncombination-lockitsmeanboundonthegapaftersamplesis0.123withthebonusand0.222without,",
    ):
        assert expected in prose
    assert "toacommonreward(1);initis-0.75." in text_of(root, "list")


def test_tables_show_every_cell_and_mark_what_is_missing(root: Path) -> None:
    tables = text_of(root, "table")
    for expected in (
        "80.4323.14x107[3.00x107,3.33x107]belowthegridyes",
        "160.500notreached2.72x104-yes",
        "320.150invalidno",
        "0.06250.1505.77x105[5.70x105,5.80x105]yes",
        "60.7654.50x107[4.40,4.60]3.00x107[2.90,3.10]2.00x107[1.90,2.10]1.00x107[0.90,1.10]yes",
        "120.778notreached2.40x109[2.30,2.50]8.00x108[7.00,9.00]2.00x108[1.90,2.10]yes",
        "EVB-sim4---8to16notfitted",
        "EVB-sim-2-2.05[-2.15,-1.95]-2.100.0625to0.5confirmed",
        "EVB-online54.32[4.22,4.42]4.306to12withinbound",
        "simulatorEVB-sim1.27[1.17,1.37]0.180.99[0.89,1.09]0.925,5onlineV-learning------,0",
        "onlineEVB-online1.68[1.58,1.78]0.461.32[1.29,1.35]1.313,4",
        "Q-FTRLEVB-sim-0.777[-0.888,-0.666]",
        "CCE-V-learningEVB-online2.012[1.912,2.112]",
        "8,16m=2andε0=0.56743218to16",
        "1,6H=177771to6",
        "onlineS-11,8m=3,H=11andε0=0.12543211to8",
        "S-1uniformgapEVB-onlinefitted80.7106.54x105[6.50x105,6.60x105]yes",
        "onlineS-1EVB-online10.91[0.90,0.92]0.901to8withinbound",
        "m=2andA1=194321-",
        "pathfinding-9x929912EVB-sim2.00x1050.0313[0.0300,0.0320]0.4576.27",
        "EVB-online1.60x104\N{LESS-THAN OR EQUAL TO}0.235[0.220,0.250]0.457",
        "withoutthecentre0.05002.50",
        "EVB-online0.04001.00EVB-onlinewithoutthebonus0.06001.50",
        "rate bonus1bonus30.25notreached-161.23x1059.88x104".replace(" ", ""),
        "ratebonus0.226.67x103",
        "C1pathwiseinequalitydeterministic219981-0.501passand1fail",
        "C2deviationlemmaconfidence199921.5pass",
        "rigorousdeterministic999000.0012pass",
        "practicaldeterministic99910-0.50fail",
        "Exp3-IXconfidence9992311.5pass",
        "EVB,practicalinformative99966--1.3x104informative",
        "stochastic312.781switching321341082",
        "switching425234601414213377",
        "Exp3-IXstochastic,noise0.3117738393-666660",
        "Exp3-IXswitching116728292-666661",
        "claimquantitiespassfailsim-horizon211",
        "C6certificateplanted1888887-0.0060caught",
        "C9exponentofhorizoninterval131-0.14miss",
        "Q-FTRLpracticalown0.90(-)-",
        "EVB-simpracticalpromisesnothing0.036(1.2)-",
        "EVB-simrigorousown0.53(3.3)0.33(2.1)",
        "V-learningpracticalany-learnertrivial2.3(18)",
        "EVB-onlinerigorousown777770.180.0308883",
    ):
        assert expected in tables


def test_other_configurations_say_that_they_are_no_results(root: Path) -> None:
    assert "tinyconfiguration:numbersarenotresults" in text_of(root, "par")


def test_tables_without_rows(tmp_path: Path) -> None:
    heads = {name: table.splitlines()[0] + "\n" for name, table in TABLES.items()}
    other = make_root(tmp_path / "repository", heads)
    (other / "results" / "tiny" / "paper-numbers.json").write_text("{}")
    prose = text_of(other, "par")
    assert "exponentof-forQ-FTRLand-forEVB-sim" in prose
    assert "goesfrom-." in prose
    assert "nothingforQ-FTRL" in prose


def test_text_follows_the_data(root: Path, tmp_path: Path) -> None:
    above = "abovethatofuniformplay,as"
    assert above in text_of(root, "par")
    assert "hadnoreference" not in text_of(root, "figure")
    tables = dict(TABLES)
    tables["exponent-differences"] = tables["exponent-differences"].replace("-0.666", "0.666")
    tables["verify"] = tables["verify"].splitlines()[0] + "\nall,a,1,none,0,exact,no reference\n"
    tables["tuning"] = (
        tables["tuning"].replace("True,False", "True,True").replace("False,True", "False,False")
    )
    tables["bandit"] = (
        tables["bandit"].replace("61.8,1,", "61.8,0,").replace("133.3,77,", "133.3,0,")
    )
    other = make_root(tmp_path / "repository", tables)
    gaps = other / "results" / "tiny" / "analysis" / "real-games" / "gaps.csv"
    gaps.write_text(
        GAPS.replace("0.9,0.8,1.0", "0.5,0.45,1.0")
        .replace("0.0111,0.01,0.012", "0.4,0.35,0.42")
        .replace("0.2345,0.22,0.25", "0.347,0.335,0.36")
    )
    prose = text_of(other, "par")
    for expected in (
        "-0.777[-0.888,0.666](itsintervalcontainszero)",
        "abovethatofuniformplay.",
        "bonus1forEVB-sim,rate2",
        "wasexceededin0of666runs(",
        "thesmallestmeangapisthatofEVB-simon1(withintervalsaparton1).",
        "thegapisthatofV-learningon1(withintervalsaparton0).",
    ):
        assert expected in prose
    assert "hadnoreference" in text_of(other, "figure")


# What is not prose: names, comments, strings, raw text, mathematics, labels, references, and
# lengths, ratios and levels of nesting in code.
NOT_PROSE = re.compile(
    r'//.*|"[^"]*"|`[^`]*`|\$[^$]*\$|Exp3|\bC\d+\b|<[\w-]+>|@[\w-]+|\d+(\.\d+)?(em|fr|pt|%)'
    r"|step\(\d\)"
)
MATHEMATICS = re.compile(r"\$[^$]*\$")


@pytest.mark.parametrize("section", SECTIONS, ids=lambda path: path.stem)
def test_no_number_is_typed_into_the_prose(section: Path) -> None:
    prose = NOT_PROSE.sub(" ", section.read_text(encoding="utf-8"))
    assert set(re.findall(r"\d[\d.,]*", prose)) <= {"95", "99"}, "insert results from the tables"


# Sections that report what was measured, and those that state what is set in the code.
RESULTS = (
    "abstract", "bandit-experiment", "certificate", "experiments", "sweeps", "games", "checks",
    "evaluation", "limitations", "more-tables",
)  # fmt: skip


@pytest.mark.parametrize("name", RESULTS)
def test_no_result_hides_in_mathematics(name: str) -> None:
    source = (ROOT / "paper" / "sections" / f"{name}.typ").read_text(encoding="utf-8")
    numbers = set(re.findall(r"\d+\.\d+|\d{2,}", " ".join(MATHEMATICS.findall(source))))
    # (1 - 2/e) and eight times that; numbers that tests below compare with the code; 10^-9.
    assert numbers <= {"0.26", "2.1", "0.3", "0.15", "0.2", "0.6", "0.25", "10"}
