"""Build the pages of docs/, with a new folder in place of the old one."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import shutil
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from sphinx.cmd.build import build_main

    pages = Path(snakemake.output[0]).parent
    with TemporaryDirectory() as work:
        made = str(Path(work, "pages"))
        options = ["-W", "--keep-going", "-q", "-d", str(Path(work, "doctrees"))]
        if build_main([*options, "docs", made]):
            raise SystemExit("docs: warnings above; each names its page and line")
        shutil.rmtree(pages, ignore_errors=True)
        shutil.copytree(made, pages)
