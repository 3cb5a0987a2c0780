# One static page: every claim with its figure, tables, verdict, command and cost.


rule report:
    input:
        tables=VERIFIED_TABLES,
        verify=f"{PREFIX}figures/tables/verify.csv",
        images=[file for name in FIGURES for file in figure_files(name)],
        captions=[f"workflow/report/figures/{name}.rst" for name in FIGURES],
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
        captions="workflow/report/figures",
        figures=f"{PREFIX}figures",
        reference=str(REFERENCE),
    message:
        "Writing the page of all claims"
    script:
        "../scripts/report.py"
