"""Decomposition and total variance of empirical chains, on records made up at random.

The lemmas of the paper are about any record: here rounds, bonuses and allowances are arbitrary, and
chains are followed with exact probabilities.
"""

import numpy as np
import pytest

HORIZON, STATES, ROUNDS = 4, 3, 5


def make_values(generator, reward, successor, extreme):
    """Return upper and lower values, gains and their counterparts, of one player, by steps.

    `reward` and `successor` are (steps, states, rounds); bonuses are arbitrary, as R_K >= 0 may be.
    """
    upper, lower = np.zeros((HORIZON + 1, STATES)), np.zeros((HORIZON + 1, STATES))
    gains, lower_gains = np.zeros(reward.shape), np.zeros(reward.shape)
    for step in reversed(range(HORIZON)):
        gains[step] = reward[step] + upper[step + 1][successor[step]]
        lower_gains[step] = reward[step] + lower[step + 1][successor[step]]
        bonus = generator.exponential(1.0, STATES) * (generator.random(STATES) < 0.5)
        allowance = generator.exponential(1.0, STATES) * (generator.random(STATES) < 0.5)
        if extreme:
            bonus, allowance = 2.0 * bonus, 0.0 * allowance
        upper[step] = np.minimum(gains[step].mean(axis=1) + bonus, HORIZON - step)
        lower[step] = np.maximum(lower_gains[step].mean(axis=1) - allowance, 0.0)
    return upper, lower, gains, lower_gains


def follow(successor, reward_of_step):
    """Return (steps, states): the chain's expected sum of (steps, states) from there on."""
    total = np.zeros((HORIZON + 1, STATES))
    for step in reversed(range(HORIZON)):
        later = total[step + 1][successor[step]].mean(axis=1)
        total[step] = reward_of_step[step] + later
    return total[:-1]


@pytest.mark.parametrize("rewards", ["any", "extreme"])
def test_decomposition_and_total_variance_for_any_record(rewards) -> None:
    generator = np.random.default_rng(1)
    bound = HORIZON - np.arange(HORIZON)[:, None]
    largest = 0.0
    for _ in range(400):
        shape = (HORIZON, STATES, ROUNDS)
        reward = generator.random(shape)
        if rewards == "extreme":
            reward = np.round(reward - 0.3)
        successor = generator.integers(0, STATES, shape)
        upper, lower, gains, lower_gains = make_values(
            generator, reward, successor, rewards == "extreme"
        )
        surplus = upper[:-1] - gains.mean(axis=2) + lower_gains.mean(axis=2) - lower[:-1]
        np.testing.assert_allclose(
            (upper - lower)[:-1], follow(successor, surplus), rtol=0, atol=1e-12
        )
        variance = follow(successor, gains.var(axis=2))
        assert (variance <= 2.0 * bound * upper[:-1] - upper[:-1] ** 2 + 1e-12).all()
        assert (variance <= bound**2 + 1e-12).all()
        below = follow(successor, lower_gains.var(axis=2))
        assert (below <= bound**2 - lower[:-1] ** 2 + 1e-12).all()
        largest = max(largest, float((variance[0] / upper[0].clip(1e-9) ** 2).max()))
    if rewards == "extreme":  # v^2 would be too little for the upper chain
        assert largest > 1.0


def test_total_variance_is_not_below_a_quarter_of_the_square_as_without_bonuses() -> None:
    """Returns have a variance of at most H^2/4; a chain with bonuses may have more.

    At each step play ends with chance 1/2, and else gains 1; the bonus of every step then lifts the
    value to its limit B_h, so that the gain is 0 or B_h and has the variance B_h^2/4.
    """
    alive = sum(0.5**step * (HORIZON - step) ** 2 / 4.0 for step in range(HORIZON))
    assert HORIZON**2 / 4.0 < alive <= HORIZON**2
    upper, total = 0.0, 0.0
    for step in reversed(range(HORIZON)):
        gains = np.array([0.0, 1.0 + upper])  # dead or alive, one half each; dead has value 0
        total = gains.var() + 0.5 * total
        upper = float(HORIZON - step)  # the bonus lifts the mean to its limit
    assert total == pytest.approx(alive)
