# One static page: every claim with its figure, tables, verdict, command and cost.
# snakemake --report FILE.html collects figures and tables as well, with how each was made.


report: "../report/workflow.rst"


rule report:
    input:
        tables=VERIFIED_TABLES,
        verify=f"{PREFIX}figures/tables/verify.csv",
        images=[file for name in FIGURES for file in figure_files(name)],
        captions=sorted(map(str, Path("workflow/report/figures").iterdir())),
        claims="config/claims.yaml",
        config=os.path.relpath(workflow.configfiles[0]),
        lock="requirements.lock",
        cost=sorted(map(str, REFERENCE.glob("cost.csv"))),
        templates=sorted(map(str, Path("src/ccerates/report/templates").iterdir())),
        # The page shows a hash of all sources.
        sources=sorted(map(str, Path("src").rglob("*.py"))),
        code=code("ccerates.report.render", "ccerates.script"),
    output:
        f"build/{NAME}/report.html",
    log:
        f"{RESULTS}/logs/report.log",
    conda:
        "../../environment.yml"
    params:
        captions=lambda _: "workflow/report/figures",
        figures=lambda _: f"{PREFIX}figures",
        reference=lambda _: str(REFERENCE),
    message:
        "Writing the page of all claims"
    script:
        "../scripts/report.py"
