"""Write the settings that the paper quotes."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import json
    from pathlib import Path

    from ccerates.analysis.paper_numbers import paper_numbers

    text = json.dumps(paper_numbers(snakemake.params.config), indent=2, sort_keys=True)
    Path(snakemake.output[0]).write_text(text + "\n", encoding="utf-8")
