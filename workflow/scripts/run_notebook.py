"""Run a notebook and make a page of it."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.notebooks.execution import execute
    from ccerates.notebooks.page import to_html
    from ccerates.notebooks.stored import read_notebook, write_together

    path = Path(snakemake.input.notebook)
    notebook = read_notebook(path)
    execute(notebook, str(path), path.parent, snakemake.params.config)
    write_together(
        {
            Path(snakemake.output.notebook): notebook,
            Path(snakemake.output.page): to_html(notebook),
        }
    )
