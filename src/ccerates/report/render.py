"""From what a page shows to its HTML: one file that needs nothing else."""

from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from ccerates.report.collect import Report, collect
from ccerates.report.sources import Sources


def render(report: Report) -> str:
    """Return the HTML of a page."""
    environment = Environment(
        loader=PackageLoader("ccerates.report"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html").render(report=report)


def write_report(sources: Sources, output: Path) -> None:
    """Write the page of a configuration; the same files give the same bytes.

    Parameters
    ----------
    sources
        Where everything lies.
    output
        HTML file to write; its folder is made if need be.

    Raises
    ------
    InputError
        If a file is missing or not what it should be; the message names it.
    """
    html = render(collect(sources, output.parent))
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(html, encoding="utf-8")
