"""Collect regrets and bounds of the bandits."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.bandits import bandit_table
    from ccerates.analysis.publish import publish
    from ccerates.bandits.store import load_bandit_runs

    items = [load_bandit_runs(path) for path in snakemake.input.runs]
    publish(bandit_table(items), Path(snakemake.output[0]))
