# The notebooks, executed on the results of this configuration, and as pages to read.

NOTEBOOKS = [path.stem for path in sorted(Path("notebooks").glob("*.ipynb"))]
_NOTEBOOK_RESULTS = {
    "2-from-runs-to-exponents": lambda: [*run_files(*SWEEPS), *rules.collect_exponents.output],
    "4-reading-a-certificate": lambda: [
        *run_files(CERTIFICATE, COVERAGE),
        *rules.certificate_table.output.table,
    ],
}


rule run_notebook:
    input:
        notebook="notebooks/{notebook}.ipynb",
        results=lambda w: _NOTEBOOK_RESULTS.get(w.notebook, list)(),
        examples=sorted(map(str, Path("examples").glob("*.py"))),
        # Notebooks import what a reader needs, learners by name.
        code=code(
            "ccerates.api",
            "ccerates.analysis.certificate",
            "ccerates.analysis.exponents",
            "ccerates.analysis.tables",
            "ccerates.games.arrays",
            "ccerates.notebooks.display",
            "ccerates.notebooks.execution",
            "ccerates.notebooks.page",
            "ccerates.notebooks.stored",
            "ccerates.plots.certificate",
            "ccerates.script",
            *(module for module, *_ in SIMULATOR_MODULES.values()),
            *(module for module, *_ in ONLINE_MODULES.values()),
        ),
        template="src/ccerates/notebooks/templates/page/index.html.j2",
    output:
        notebook=f"build/{NAME}/notebooks/{{notebook}}.ipynb",
        page=f"build/{NAME}/notebooks/{{notebook}}.html",
    log:
        f"{RESULTS}/logs/notebooks/{{notebook}}.log",
    wildcard_constraints:
        notebook="|".join(NOTEBOOKS) or "none",
    conda:
        "../../environment.yml"
    params:
        config=config,
    message:
        "Running the notebook {wildcards.notebook}"
    script:
        "../scripts/run_notebook.py"


rule notebooks:
    input:
        expand(rules.run_notebook.output, notebook=NOTEBOOKS),
