"""What a config will cost."""

from pathlib import Path

from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.experiments.prediction import Prediction, predict, read_rates

ROOT = Path(__file__).parents[3]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
RATES = ROOT / "reference/rates.csv"
"""Rates that were measured on the machine behind ``reference/``."""


def predict_cost(config: str, *, cores: int = 2, rates: str | None = None) -> Prediction:
    """Predict what the runs of a config cost, from their planned samples and measured rates.

    Tables, figures and pages come on top: some minutes, whatever the budgets.

    Parameters
    ----------
    config
        Path of a configuration of the workflow. Games in files are looked for in the current
        directory, as its jobs do.
    cores
        How many jobs run at a time.
    rates
        Path of a table of rates; None for the one in ``reference/``.

    Returns
    -------
    Prediction
        Core seconds of every experiment and of all, and the time until all jobs have ended.

    Raises
    ------
    InputError
        If a file cannot be read or the configuration is wrong.

    Examples
    --------
    >>> from ccerates import api
    >>> cost = api.predict_cost("config/smoke.yaml", cores=1)
    >>> 0.0 < cost.longest_job < cost.core_seconds == cost.wall_seconds
    True
    """
    from ccerates.config import check_config, read_config, read_yaml  # noqa: PLC0415  (imports YAML)
    from ccerates.experiments.workload import plan_jobs  # noqa: PLC0415  (imports the compiler)

    check_integer("cores", cores, 1, 1_000_000)
    path = Path(config)
    content = read_config(path)
    try:
        check_config(content, read_yaml(SCHEMA))
        jobs = plan_jobs(content)
    except InputError as error:
        raise InputError(f"{config}: {error}") from None
    return predict(jobs, read_rates(Path(rates) if rates else RATES), cores)
