"""What the empirical-variance bandits of one (step, state) conclude at the end of a stage.

The regret bound and the pathwise inequality are those of `ccerates.bandits.evb_bounds`, here for
one bandit in compiled code.
"""

import math

import numpy as np

from ccerates.bandits import evb
from ccerates.compilation import inline_kernel

# Constants of a stage, columns of `Parameters.constants`; visits need the first ones only.
RATE_NUMERATOR = 0
MAXIMAL_RATE = 1
BIAS_DEVIATION = 2
BIAS_RANGE = 3
NUM_VISIT_CONSTANTS = 4
LOWER_DEVIATION = 4
LOWER_RANGE = 5
NUM_CONSTANTS = 6

# Rows of the sums over lower gains.
LOWER_GAIN = 0
LOWER_VARIANCE = 1
NUM_LOWER_SUMS = 2


@inline_kernel
def bound_regret(estimate, square, sums, rate, rounds, gain_bound, deviation, range_):
    """Return the regret bound of one bandit and the tightest of its pathwise inequalities.

    Parameters
    ----------
    estimate, square
        (actions,): G_K and Q_K.
    sums
        (evb.NUM_SUMS,): the bandit's running sums.
    rate
        eta_K.
    rounds, gain_bound
        K and B.
    deviation, range_
        c_1 sqrt(iota) and c_2 iota.

    Returns
    -------
    regret_bound, slack, right_side, scale : float
        R_K; for the arm whose pathwise inequality has the smallest slack in relation to its scale:
        that slack, the inequality's right side and the scale, a typical size of what its sides are
        sums of. The latter three are NaN if there are fewer rounds than arms. NaN in the estimates
        or sums makes the regret bound and the quotient of slack and scale NaN.
    """
    num_actions = estimate.size
    largest = rounds * gain_bound
    if rounds < num_actions:
        return largest, np.nan, np.nan, np.nan
    coverage = (deviation + range_ * num_actions) * gain_bound
    penalty = num_actions * math.log(rounds / num_actions) / rate
    right_side = penalty + sums[evb.SUM_STABILITY]
    bias, centred = sums[evb.SUM_BIAS], sums[evb.SUM_CENTRED]
    bound = right_side + bias + (num_actions - 1.0) * gain_bound + coverage
    observed = estimate.max() - centred + coverage
    regret_bound = min(max(min(bound, observed), 0.0), largest)
    if math.isnan(bound) or math.isnan(observed):  # min and max may pass over NaN
        regret_bound = np.nan
    share = num_actions / rounds
    mean = share * estimate.sum() / num_actions
    slack, scale = np.inf, 1.0
    for action in range(num_actions):
        here = right_side + centred + bias - ((1.0 - share) * estimate[action] + mean)
        size = right_side + bias + math.sqrt(square[action])
        if not here / size >= slack / scale:
            slack, scale = here, size
        if math.isnan(here / size):
            break
    return regret_bound, slack, right_side, scale


@inline_kernel
def end_stage(learner, work, parameters, step, state, num_actions, gain_bound, lane):
    """Set the values that follow from a completed stage in one lane and restart its bandits."""
    num_states = learner.stage.shape[1]
    stage = learner.stage[step, state, lane]
    rounds = parameters.length[stage]
    for player in range(num_actions.size):
        place = (step, player, state, lane)
        constants = parameters.constants[step, stage, player]
        stop = num_actions[player] * num_states
        own = learner.estimate[step, player, state:stop:num_states, lane]
        sums = learner.sums[step, player, state::num_states, lane]
        lower_sums = learner.lower_sums[step, player, state::num_states, lane]
        regret_bound, slack, right_side, scale = bound_regret(
            own,
            learner.square[step, player, state:stop:num_states, lane],
            sums,
            work.bandit.rate[player, lane],
            rounds,
            gain_bound,
            constants[BIAS_DEVIATION],
            constants[BIAS_RANGE],
        )
        mean = sums[evb.SUM_GAIN] / rounds
        lower_mean = lower_sums[LOWER_GAIN] / rounds
        margin = constants[LOWER_DEVIATION] * math.sqrt(lower_sums[LOWER_VARIANCE])
        margin = (margin + constants[LOWER_RANGE] * gain_bound) / rounds
        upper = min(mean + parameters.bonus_scale * regret_bound / rounds, gain_bound)
        lower = max(lower_mean - margin, 0.0)
        learner.upper[place], learner.lower[place] = upper, lower
        learner.surplus[place] = (upper - mean) + (lower_mean - lower)
        learner.mean_gain[place], learner.lower_mean_gain[place] = mean, lower_mean
        learner.regret_bound[place] = regret_bound
        worst = learner.pathwise_slack[place] / learner.pathwise_scale[place]
        is_first = stage == 0 or parameters.length[stage - 1] < num_actions[player]
        # After the first inequality, NaN stays NaN.
        if is_first or not (math.isnan(worst) or slack / scale >= worst):
            learner.pathwise_slack[place] = slack
            learner.pathwise_right_side[place] = right_side
            learner.pathwise_scale[place] = scale
        own[:] = 0.0
        sums[:] = 0.0
        lower_sums[:] = 0.0
        learner.square[step, player, state::num_states, lane] = gain_bound * gain_bound
        learner.smallest[step, player, state::num_states, lane] = 1.0
        learner.multiplier[place] = -np.inf
    if step == 0:
        _measure_width(learner, num_actions.size, lane)


@inline_kernel
def _measure_width(learner, num_players, lane):
    """Set the mean difference of the values of the first step under the start distribution."""
    for player in range(num_players):
        width = 0.0
        for state in range(learner.start.shape[0]):
            upper = learner.upper[0, player, state, lane]
            difference = upper - learner.lower[0, player, state, lane]
            width += learner.start[state, lane] * difference
        learner.width[player, lane] = width
