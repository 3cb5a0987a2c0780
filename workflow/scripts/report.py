"""Write the page of this config."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.report.render import write_report
    from ccerates.report.sources import Sources

    places = ("claims", "config", "lock", "captions", "figures", "reference")
    given = dict([*snakemake.input.items(), *snakemake.params.items()])
    write_report(Sources(**{name: Path(given[name]) for name in places}), Path(snakemake.output[0]))
