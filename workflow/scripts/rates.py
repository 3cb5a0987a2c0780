"""Fit the rates that `ccerates cost` predicts from."""

from ccerates.script import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from ccerates.analysis.tables import read_csv, write_csv
    from ccerates.experiments.rate_fit import fit_rates, rates_table
    from ccerates.experiments.workload import plan_jobs

    jobs = plan_jobs(snakemake.params.config)
    rates = fit_rates(jobs, read_csv(Path(snakemake.input.cost)))
    write_csv(rates_table(rates), Path(snakemake.params.rates))
