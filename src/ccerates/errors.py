"""What tells the user that the input is wrong, or that a run is too short to say anything."""


class InputError(ValueError):
    """Input that cannot be used; the message names the place and what to write instead.

    Workflow scripts print the message without a traceback and leave with exit code 2; Snakemake,
    whose job then failed, leaves with 1.
    """


class TrivialBoundWarning(UserWarning):
    """A bound on what was learned says no more than the range of the rewards does."""
