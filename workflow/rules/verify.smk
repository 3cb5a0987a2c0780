# The tables against committed references.

REFERENCE = Path("reference", NAME)
VERIFIED_TABLES = [
    f"{PREFIX}figures/tables/{name}.csv"
    for name in [
        *(TUNING, *SWEEPS, "exponents", "exponent-differences", "exponents-relative"),
        *("gap-decay", "ablation", REAL_GAMES, "bandit", "bounds", CERTIFICATE),
        *(LOWER_BOUND, f"{LOWER_BOUND}-crossings"),
    ]
]


rule verify:
    input:
        tables=VERIFIED_TABLES,
        reference=sorted(map(str, REFERENCE.glob("*.csv"))),
        code=code("ccerates.analysis.publish", "ccerates.analysis.verification", "ccerates.script"),
    output:
        shown(
            expand(f"{PREFIX}figures/tables/verify.{{suffix}}", suffix=["csv", "tex"]),
            "verify",
            "tables/verify",
        ),
    log:
        f"{RESULTS}/logs/verify.log",
    conda:
        "../../environment.yml"
    params:
        reference=lambda _: str(REFERENCE),
    message:
        "Comparing the tables with reference/{NAME}"
    script:
        "../scripts/verify.py"


rule check_verdicts:
    input:
        verify=f"{PREFIX}figures/tables/verify.csv",
        code=code("ccerates.analysis.verification", "ccerates.analysis.tables", "ccerates.script"),
    output:
        touch(f"{RESULTS}/verified"),
    log:
        f"{RESULTS}/logs/check_verdicts.log",
    conda:
        "../../environment.yml"
    params:
        reference=str(REFERENCE),
    message:
        "Checking that nothing failed verification"
    script:
        "../scripts/check_verdicts.py"


# Runs on request only; a person then reviews the difference of reference/ and commits it.
rule update_reference:
    input:
        tables=VERIFIED_TABLES,
        cost=f"{PREFIX}figures/tables/cost.csv",
    log:
        f"{RESULTS}/logs/update_reference.log",
    conda:
        "../../environment.yml"
    params:
        reference=str(REFERENCE),
    message:
        "Writing reference/{NAME}: review the difference before you commit it"
    script:
        "../scripts/update_reference.py"


# Runs on request only, as above: what `ccerates cost` predicts from.
rule rates:
    input:
        cost=str(REFERENCE / "cost.csv"),
    log:
        f"{RESULTS}/logs/rates.log",
    conda:
        "../../environment.yml"
    params:
        config=config,
        rates="reference/rates.csv",
    message:
        "Fitting rates to {input.cost}"
    script:
        "../scripts/rates.py"
