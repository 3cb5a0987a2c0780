"""What the page says, for sources whose verdicts can be counted by hand."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import pandas as pd
import pytest

from ccerates.errors import InputError
from ccerates.report.render import write_report


class Reader(HTMLParser):
    """Collects tags with their attributes, and the text of each section by its identifier."""

    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.sections = {}
        self._open = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "section":
            self._open.append(dict(attrs).get("id", ""))
        if tag in ("dd", "h3", "li", "p", "td", "th"):
            self.handle_data(" ")

    def handle_endtag(self, tag):
        if tag == "section":
            self._open.pop()

    def handle_data(self, data):
        for name in self._open:
            self.sections[name] = self.sections.get(name, "") + data

    def text(self, name):
        return " ".join(self.sections[name].split())


def page(sources, folder=None):
    output = (folder or sources.claims.parent) / "report.html"
    write_report(sources, output)
    return output.read_text()


@pytest.fixture
def html(sources):
    return page(sources)


@pytest.fixture
def read(html):
    return Reader(html)


def test_every_claim_in_order_with_its_command_and_cost(read):
    found = [dict(attrs)["id"] for tag, attrs in read.tags if tag == "section" and "id" in attrs]
    claims = ["sim-players", "online-horizon", "exponents", "bounds", "tuning", "cost", "verify"]
    assert found == ["summary", *claims, "reading", "provenance"]
    text = read.text("sim-players")
    assert "With players; the bounds say Σᵢ Aᵢ." in text
    assert "./reproduce sim_players --cores 2 --configfile small.yaml" in text
    assert "Cost 40 core seconds" in text
    assert "With the horizon; the bound says H⁶." in read.text("online-horizon")
    assert "Cost 10 core minutes" in read.text("online-horizon")
    assert "Cost 11 core minutes" in read.text("verify")


def test_the_command_of_the_paper_needs_no_configfile(make_sources, tmp_path):
    html = page(make_sources(tmp_path / "paper", "paper"))
    assert "./reproduce sim_players --cores 2<" in html


def test_verdicts_are_counted_and_misses_named(read):
    players = read.text("sim-players")
    assert "misses in part: 1 of 2 exponents agree, 1 miss." in players
    missed = "Q-FTRL, simulator: the exponent of m is 1.50 [1.40, 1.60], the bound says 1 (miss)"
    assert missed in players
    assert "Open" not in players
    horizon = read.text("online-horizon")
    assert "partly open: 1 of 2 exponents agree, 1 open." in horizon
    assert "V-learning, online: the exponent of H is 6.50 [6.20, 6.80], the bound says 6" in horizon
    assert "exp3 \N{EN DASH} 5.50 [5.20, 5.80] no rate 5.6" in horizon
    assert "3 of 5 exponents agree, 1 open, 1 miss." in read.text("exponents")
    bounds = read.text("bounds")
    assert "agrees: 2 of 2 rows of checks agree." in bounds
    assert "The 1 rows of C9 repeat the exponents" in bounds
    assert "shown, not judged" in read.text("tuning")


def test_the_summary_names_misses_and_what_stays_open(read):
    summary = read.text("summary")
    assert "3 of 5 exponents agree, 1 open, 1 miss." in summary
    assert "Where measurements miss the bounds Q-FTRL, simulator" in summary
    assert "What stays open V-learning, online" in summary
    assert "1 of 40 quantities differ from reference/small." in summary


def test_verification_of_a_claim_counts_its_tables_only(read):
    assert "1 of 40 quantities differ" in read.text("sim-players")
    assert "Not compared with a reference." in read.text("tuning")
    verify = read.text("verify")
    assert "misses in part: 39 of 40 quantities agree, 1 miss." in verify
    assert "samples_to_target [value=3]: expected 3, got 4 (fail)" in verify


def test_what_could_not_be_fitted_and_a_config_without_comment(sources):
    path = sources.table_path("exponents")
    table = pd.read_csv(path)
    names = ["measured", "ci_low", "ci_high", "local_slope"]
    table.loc[table["algorithm"] == "q-ftrl", [*names, "verdict"]] = [*[None] * 4, "not fitted"]
    table.to_csv(path, index=False)
    sources.config.write_text("name: small\nroot_seed: 1\n")
    html = page(sources)
    said = "Q-FTRL, simulator: the exponent of m could not be fitted"
    assert said in Reader(html).text("sim-players")
    assert "Configuration <code>small</code>.</p>" in html


def test_a_config_without_reference(sources):
    (sources.reference / "cost.csv").unlink()
    table = pd.read_csv(sources.table_path("verify")).iloc[:1].assign(verdict="no reference")
    table.to_csv(sources.table_path("verify"), index=False)
    read = Reader(page(sources))
    assert "There is no reference to compare with." in read.text("summary")
    assert "shown, not judged" in read.text("verify")
    assert "not recorded for this configuration" in read.text("sim-players")


def test_tables_show_four_digits_and_keep_the_value(html, read):
    cells = dict(re.findall(r"<td class=number data-value=(\d+)>([^<\n]+)", html))
    assert cells["2000000"] == "2 \N{MULTIPLICATION SIGN} 10⁶"
    assert "30500 \N{EN DASH} \N{EN DASH} measured yes yes" in read.text("tuning")


def test_whole_tables_are_in_the_page(html):
    assert 'href="data:text/csv;charset=utf-8,setting,algorithm,rate_scale' in html


def test_text_of_tables_and_files_is_escaped(sources):
    path = sources.table_path("bounds")
    path.write_text(path.read_text().replace("C1 pathwise", "<script>alert(1)</script>"))
    html = page(sources)
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "The inequalities &lt;hold&gt;." in html
    assert "Made up, &lt;b&gt;small&lt;/b&gt;." in html
    assert html.count("<script>") == 1


def test_same_bytes_wherever_it_is_made(make_sources, tmp_path):
    first = page(make_sources(tmp_path / "one"))
    assert first == page(make_sources(tmp_path / "an other"))
    assert str(tmp_path) not in first
    assert not re.search(r"20\d\d-\d\d-\d\d", first)


def test_links_lead_to_parts_of_the_page_or_to_files(sources, tmp_path):
    folder = tmp_path / "build" / "small"
    html = page(sources, folder)
    tags = Reader(html).tags
    targets = {attrs["id"] for _, attrs in tags if "id" in attrs}
    links = [attrs["href"] for tag, attrs in tags if tag in ("a", "use")]
    files = [link for link in links if not link.startswith(("#", "data:"))]
    assert {link[1:] for link in links if link.startswith("#")} <= targets
    assert len(files) == 2 * 5
    assert all((folder / link).is_file() for link in files)
    assert len(targets) == sum("id" in attrs for _, attrs in tags)


def test_headings_are_in_order(read):
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_figures_have_words_and_are_stored_once(html, read):
    assert html.count("data:image/svg+xml,") == 3
    images = [attrs for tag, attrs in read.tags if tag == "img"]
    assert [image["alt"] for image in images] == ["Drawn is exponents"]
    drawn = [attrs.get("aria-label") for tag, attrs in read.tags if tag == "svg"]
    assert drawn.count("Drawn is sim-players") == 2
    assert "Drawn is sim-players. Read & see." in read.text("sim-players")


def test_provenance(read):
    text = read.text("provenance")
    assert "1729; all random numbers follow from it" in text
    assert "numba 1.2.3" in text
    assert "name: small" in text
    assert re.search(r"Sources [0-9a-f]{16},", text)


@pytest.mark.parametrize("name", ["exponents", "bounds", "verify", "tuning", "sim-players"])
def test_a_missing_table_is_named(sources, name):
    sources.table_path(name).unlink()
    with pytest.raises(InputError, match=rf"tables/{name}\.csv: no such table"):
        page(sources)


def test_a_table_without_a_column_is_named(sources):
    path = sources.table_path("tuning")
    pd.read_csv(path).drop(columns="chosen").to_csv(path, index=False)
    with pytest.raises(InputError, match=r"tuning\.csv: no column chosen; make the table again"):
        page(sources)


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("figures/exponents.svg", None, r"exponents\.svg: no such figure"),
        ("figures/exponents.svg", "<html>", r"exponents\.svg: not an SVG image with a viewBox"),
        ("captions/exponents.rst", None, r"exponents\.rst: .*write the caption of exponents"),
        ("captions/exponents.rst", "{{ snakemake.nothing }}", r"write the caption of exponents"),
        ("claims.yaml", "[1, 2]", r"claims\.yaml: expected one key for each claim, got list"),
        ("claims.yaml", "{a: {claim: b}}", r"claims\.yaml: a: expected a text under 'command'"),
        ("requirements.lock", "numpy==1\n", r"requirements\.lock: no version of scipy"),
        ("requirements.lock", None, r"requirements\.lock: "),
        ("small.yaml", "name: small\n", r"small\.yaml: no root_seed"),
    ],
)  # fmt: skip
def test_bad_sources_are_named(sources, path, content, message):
    place = sources.claims.parent / path
    if content is None:
        place.unlink()
    else:
        place.write_text(content)
    with pytest.raises(InputError, match=message):
        page(sources)


def test_claims_that_come_first_must_exist(sources):
    text = sources.claims.read_text().replace("sim-players:", "sim-player:")
    sources.claims.write_text(text)
    with pytest.raises(InputError, match=r"claims\.yaml: no claim sim-players to begin with"):
        page(sources)
