# Bandits outside games: one job for each bandit, with a file for each adversary.

ADVERSARIES = list(config["bandits"]["adversaries"])
BANDITS = list(config["bandits"]["bandits"])
BANDIT_FILES = expand(
    f"{RESULTS}/bandits/{{bandit}}/{{adversary}}.npz", bandit=BANDITS, adversary=ADVERSARIES
)


rule play_bandit:
    input:
        code=lambda w: code(
            "ccerates.experiments.bandits",
            "ccerates.bandits.store",
            "ccerates.script",
            BANDIT_MODULES[config["bandits"]["bandits"][w.bandit].get("bandit", w.bandit)][0],
        ),
    output:
        expand(f"{RESULTS}/bandits/{{{{bandit}}}}/{{adversary}}.npz", adversary=ADVERSARIES),
    log:
        f"{RESULTS}/logs/bandits/{{bandit}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/bandits/{{bandit}}.tsv"
    wildcard_constraints:
        bandit="|".join(BANDITS),
    conda:
        "../../environment.yml"
    params:
        settings=lambda w: {
            **config["bandits"],
            "bandits": {w.bandit: config["bandits"]["bandits"][w.bandit]},
        },
        root_seed=config["root_seed"],
    message:
        "Playing {wildcards.bandit} against all adversaries"
    script:
        "../scripts/play_bandit.py"
