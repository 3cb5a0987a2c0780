"""Play one bandit against all adversaries."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import sys
    from pathlib import Path

    from ccerates.bandits.store import save_bandit_runs
    from ccerates.experiments.bandits import run_bandit

    bandit = snakemake.wildcards.bandit
    for path in snakemake.output:
        adversary = Path(path).stem
        runs, metadata = run_bandit(
            snakemake.params.settings, bandit, adversary, root_seed=snakemake.params.root_seed
        )
        save_bandit_runs(runs, path, metadata)
        print(f"{bandit}: {len(runs.gain)} runs against {adversary}", file=sys.stderr)
