# Tutorial, how-to pages, explanations and reference, as pages that need no network.


rule docs:
    input:
        sources=sorted(
            str(path)
            for path in Path("docs").rglob("*")
            if path.suffix in {".md", ".py", ".css"} and "__pycache__" not in path.parts
        ),
        schema="workflow/schemas/config.schema.yaml",
        speed=[
            path
            for path in ("benchmarks/speed.csv", "benchmarks/scale.csv", "benchmarks/speed.svg")
            if Path(path).exists()
        ],
        # The reference is made of all docstrings.
        code=sorted({*code("ccerates.script"), *map(str, Path("src").rglob("*.py"))}),
    output:
        "build/docs/index.html",
    log:
        f"{RESULTS}/logs/docs.log",
    conda:
        "../../environment.yml"
    message:
        "Building the documentation"
    script:
        "../scripts/docs.py"
