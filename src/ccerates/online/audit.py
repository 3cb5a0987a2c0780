"""What an observer who knows the model found out about a learner's value bounds."""

from typing import NamedTuple

import numpy as np


class BoundsAudit(NamedTuple):
    """Value bounds against exact values, at the end of every stage of every (step, state).

    In between neither changes. The pairs of sides stand where the second exceeds the first by
    least, over the states of a step and all episodes; NaN counts as the least. They are 0 and inf
    for a step at which no stage was completed.

    Attributes
    ----------
    commits
        (horizon,) int64: number of stages completed, over all states.
    best_response_bound, upper_value
        (horizon, players): a bound on the best response to the certified policy (exact if the
        deviator learns every jump), and the learner's upper value.
    lower_value, value
        (horizon, players): the learner's lower value, and the value of the certified policy.
    chain_error
        (horizon, players): largest distance of upper - lower value from the sum of bonuses and
        lower margins along the empirical chain.
    """

    commits: np.ndarray
    best_response_bound: np.ndarray
    upper_value: np.ndarray
    lower_value: np.ndarray
    value: np.ndarray
    chain_error: np.ndarray
