# The paper, with every number taken from tables.


rule paper_numbers:
    input:
        code=code("ccerates.analysis.paper_numbers", "ccerates.script"),
    output:
        f"{RESULTS}/paper-numbers.json",
    log:
        f"{RESULTS}/logs/paper_numbers.log",
    conda:
        "../../environment.yml"
    params:
        config=config,
    message:
        "Collecting the settings that the paper quotes"
    script:
        "../scripts/paper_numbers.py"


rule paper:
    input:
        main="paper/main.typ",
        sources=sorted(map(str, Path("paper").rglob("*.typ"))) + ["paper/references.bib"],
        numbers=rules.paper_numbers.output,
        tables=VERIFIED_TABLES,
        verify=f"{PREFIX}figures/tables/verify.csv",
        gaps=rules.real_game_gaps.output.gaps,
        figures=[f"{PREFIX}figures/{name}.svg" for name in FIGURES],
        code=code("ccerates.script"),
    output:
        f"{PREFIX}paper/ccerates.pdf",
    log:
        f"{RESULTS}/logs/paper.log",
    conda:
        "../../environment.yml"
    params:
        sys_inputs={"prefix": PREFIX, "results": RESULTS, "config": NAME},
    message:
        "Typesetting the paper"
    script:
        "../scripts/compile_paper.py"
