"""Check the inequalities of the proofs on all runs of the bandits."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import pandas as pd

    from ccerates.bandits.store import load_bandit_runs
    from ccerates.theory.checks.run import check_bandit_runs

    tables = [check_bandit_runs(*load_bandit_runs(path)) for path in snakemake.input.runs]
    pd.concat(tables, ignore_index=True).to_parquet(snakemake.output[0], index=False)
