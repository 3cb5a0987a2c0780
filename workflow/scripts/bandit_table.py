"""Collect regrets and bounds of the bandits."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.bandits import bandit_table, regrets_over_bounds
    from ccerates.analysis.publish import publish
    from ccerates.analysis.tables import write_csv
    from ccerates.bandits.store import load_bandit_runs

    items = [load_bandit_runs(path) for path in snakemake.input.runs]
    publish(bandit_table(items), Path(snakemake.output.table[0]))
    write_csv(regrets_over_bounds(items), Path(snakemake.output.ratios))
