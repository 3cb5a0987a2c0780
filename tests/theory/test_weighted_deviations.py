"""Deviations with the weights of V-learning, in full sums and against adaptive adversaries."""

import math

import numpy as np
import pytest

from theory.plain_evb import rigorous_iota

PATHS, ARMS, BOUND = 300, 3, 2.0


def visit_weights(horizon, visits):
    """Return alpha_t^k, k = 1..t, for alpha_t = (H + 1)/(H + t)."""
    rate = (horizon + 1.0) / (horizon + np.arange(1.0, visits + 1.0))
    later = np.append(np.cumprod((1.0 - rate[1:])[::-1])[::-1], 1.0)
    return rate * later


@pytest.mark.parametrize("horizon", [1, 2, 7, 50])
def test_last_visit_weighs_most(horizon) -> None:
    for visits in (1, 2, 3, 40, 3000):
        weight = visit_weights(horizon, visits)
        assert weight.sum() == pytest.approx(1.0)
        assert (np.diff(weight) >= 0.0).all()
        k = np.arange(1, visits)
        np.testing.assert_allclose(weight[:-1], weight[1:] * k / (horizon + k), rtol=1e-9)


class Play:
    """Many plays of an adversary and of a player whose weights serve the adversary."""

    def __init__(self, generator, rounds, adversary) -> None:
        self.importance = np.zeros((rounds, PATHS, ARMS))
        self.surplus = np.zeros((rounds, PATHS, ARMS))
        self.inverse = np.zeros((rounds, PATHS, ARMS))
        self.lower_surplus = np.zeros((rounds, PATHS))
        self.lower_square = np.zeros((rounds, PATHS))
        every, total = np.arange(PATHS), np.zeros(PATHS)
        behind = np.zeros((PATHS, ARMS))
        for k in range(rounds):
            small = (1.0 / rounds, 0.1, 0.4, 0.02)[k % 4]
            weight = np.full((PATHS, ARMS), small)
            weight[:, 2] = 1.0 - 2.0 * small
            mean = np.zeros((PATHS, ARMS))
            if adversary == "unlikely":
                mean[every, weight.argmin(axis=1)] = BOUND
            elif adversary == "behind":
                mean[every, behind.argmax(axis=1)] = BOUND
            else:  # the gains of late visits, which weigh most, differ from those before
                mean[:, 0] = BOUND if 4 * k >= 3 * rounds else 0.1 * BOUND
            centre = total / k if k else np.full(PATHS, BOUND / 2.0)
            action = (generator.random(PATHS)[:, None] >= weight.cumsum(axis=1)[:, :-1]).sum(axis=1)
            gain = BOUND * (generator.random(PATHS) * BOUND < mean[every, action])
            self.importance[k, every, action] = (gain - centre) / weight[every, action]
            self.surplus[k] = mean - centre[:, None]
            self.inverse[k] = 1.0 / weight
            self.lower_surplus[k] = gain - (weight * mean).sum(axis=1)
            self.lower_square[k] = (gain - centre) ** 2
            behind = 0.95 * behind + self.surplus[k] - self.importance[k]
            total += gain


@pytest.mark.parametrize("horizon", [2, 20])
@pytest.mark.parametrize("adversary", ["unlikely", "behind", "late"])
def test_weighted_deviations_of_all_visits(adversary, horizon) -> None:
    """Each of 300 plays, at many t; a twentieth of the first factor and no second would not do."""
    failure, rounds = 0.5, 300
    play = Play(np.random.default_rng(4), rounds, adversary)
    missed = 0.0
    for visits in (1, 2, 5, 30, 100, 299, 300):
        u = visit_weights(horizon, visits)[:, None, None]
        iota = rigorous_iota(ARMS, visits, failure)
        importance = u * play.importance[:visits]
        surplus = (u * play.surplus[:visits]).sum(axis=0)
        spread = np.sqrt((importance**2).sum(axis=0))
        largest = np.maximum(ARMS * u[-1], (u * play.inverse[:visits]).max(axis=0))
        deviation = 1.44 * math.sqrt(iota) * spread
        assert (surplus <= importance.sum(axis=0) + deviation + 2.36 * iota * BOUND * largest).all()
        short = surplus > importance.sum(axis=0) + 0.05 * deviation
        missed = max(missed, float(short.any(axis=1).mean()))
        lower = (u[..., 0] * play.lower_surplus[:visits]).sum(axis=0)
        square = (u[..., 0] ** 2 * play.lower_square[:visits]).sum(axis=0)
        margin = 1.44 * np.sqrt(iota * square) + 1.18 * BOUND * iota * float(u[-1, 0, 0])
        assert (lower <= margin).all()
    assert missed > failure
