"""The page of the committed figures and tables: it can be made, opened and sent."""

from pathlib import Path

import pytest
import yaml

from browser import browser_page, overflow
from ccerates.report.render import write_report
from ccerates.report.sources import Sources

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    output = tmp_path_factory.mktemp("committed") / "report.html"
    sources = Sources(
        claims=ROOT / "config/claims.yaml",
        config=ROOT / "config/paper.yaml",
        lock=ROOT / "requirements.lock",
        captions=ROOT / "workflow/report/figures",
        figures=ROOT / "figures",
        reference=ROOT / "reference/paper",
    )
    write_report(sources, output)
    return output


def test_it_is_small_enough_to_send(output):
    assert output.stat().st_size < 6_000_000


def test_it_holds_every_claim_and_every_figure(output):
    claims = yaml.safe_load((ROOT / "config/claims.yaml").read_text())
    figures = [path for claim in claims.values() for path in claim["shows"] if "pdf" in path]
    with browser_page(390) as page:
        page.goto(output.as_uri())
        sections = page.locator("section.claim")
        assert sections.evaluate_all("all => all.map(one => one.id)") == list(claims)
        assert page.locator("section.claim figure").count() == len(figures)
        assert overflow(page) <= 0
