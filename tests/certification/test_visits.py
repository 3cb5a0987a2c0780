"""The certificate of any online learner against a plain NumPy twin and written-out numbers."""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from ccerates.certification.visits import VisitCertifier

COUNTS, HORIZON, STATES = (3, 1, 2), 3, 2
START = np.array([0.7, 0.3])


class Chunk(NamedTuple):
    state: np.ndarray
    policy: np.ndarray
    joint_action: np.ndarray
    reward: np.ndarray


def random_chunk(episodes, seed, scale=1.0):
    rng = np.random.default_rng(seed)
    state = rng.integers(STATES, size=(episodes, HORIZON, 1))
    policy = np.zeros((episodes, HORIZON, 3, 3, 1))
    joint = np.zeros((episodes, HORIZON, 1), dtype=np.int64)
    for player, count in enumerate(COUNTS):
        chosen = rng.dirichlet(np.full(count, 4.0), size=(episodes, HORIZON))
        policy[:, :, player, :count, 0] = chosen
        drawn = (rng.random((episodes, HORIZON, 1)) > np.cumsum(chosen, axis=-1)).sum(axis=-1)
        joint[..., 0] = joint[..., 0] * count + np.minimum(drawn, count - 1)
    return Chunk(state, policy, joint, scale * rng.random((episodes, HORIZON, 3, 1)))


def bounds(weights, records, player, bound, failure):
    """Upper and lower value from all visits at once: (x, x', w, action) of each."""
    t, count = len(records), COUNTS[player]
    levels = (2 * math.log2(t / failure) + math.log2(count) + 8) * (math.log2(t) + 7)
    iota = math.log(count * levels / failure)
    u = np.array(weights(t))
    x, low, w, a = (np.array(part) for part in zip(*records, strict=True))
    m, m_low = (
        np.array([bound / 2] + [np.dot(weights(j), each[:j]) for j in range(1, t)])
        for each in (x, low)
    )
    arms = []
    for arm in range(count):
        y = u * (x - m) * (a == arm) / w[:, arm]
        rho = max(count * u[-1], (u / w[:, arm]).max())
        arms.append(y.sum() + 1.44 * math.sqrt(iota * (y**2).sum()) + 2.36 * iota * bound * rho)
    spread = math.sqrt(iota * (u**2 * (low - m_low) ** 2).sum())
    lower = u @ low - 1.44 * spread - 1.18 * bound * iota * u[-1]
    return min(bound, u @ m + max(arms)), max(0.0, lower)


@cache
def alpha_weights(t):
    rates = (HORIZON + 1) / (HORIZON + np.arange(1, t + 1))
    return rates * np.append(np.cumprod((1 - rates[1:])[::-1])[::-1], 1.0)


def twin(chunk, averaging, failure):
    upper = np.ones((HORIZON + 1, STATES, 3)) * np.arange(HORIZON, -1.0, -1.0)[:, None, None]
    lower, widths = np.zeros_like(upper), []
    records, number, length = {}, {}, {}
    for k in range(len(chunk.state)):
        widths.append(START @ (upper[0] - lower[0]))
        for h in range(HORIZON):
            s = chunk.state[k, h, 0]
            there = chunk.state[k, h + 1, 0] if h + 1 < HORIZON else 0
            actions = np.unravel_index(chunk.joint_action[k, h, 0], COUNTS)
            for i in range(3):
                r, key = chunk.reward[k, h, i, 0], (h, s, i)
                kept = records.setdefault(key, [])
                gains = r + upper[h + 1, there, i], r + lower[h + 1, there, i]
                kept.append((*gains, chunk.policy[k, h, i, :, 0], actions[i]))
                n = length.setdefault(key, HORIZON)
                if averaging == "stage" and len(kept) < n:
                    continue
                t = number[key] = number.get(key, 0) + 1
                share = failure / (3 * HORIZON * STATES * t * (t + 1))
                weights = alpha_weights if averaging == "alpha" else lambda j: np.full(j, 1 / j)
                upper[h, s, i], lower[h, s, i] = bounds(weights, kept, i, HORIZON - h, share)
                if averaging == "stage":
                    records[key], length[key] = [], n + n // HORIZON
    return upper[:-1], lower[:-1], np.mean(widths, axis=0).max()


def certifier(averaging, failure=0.05):
    return VisitCertifier(COUNTS, STATES, HORIZON, START, averaging, failure=failure)


@pytest.mark.parametrize("averaging", ["alpha", "stage"])
def test_twin_and_chunks_and_restoring(averaging):
    chunk = random_chunk(600, 1, 0.05)
    whole = certifier(averaging)
    whole.observe(chunk, 0)
    upper, lower, certificate = twin(chunk, averaging, 0.05)
    assert (upper[:, :, 1] < np.arange(HORIZON, 0, -1)[:, None]).any()
    np.testing.assert_allclose(whole.upper_value, upper, rtol=1e-9)
    np.testing.assert_allclose(whole.lower_value, lower, rtol=1e-9, atol=1e-12)
    assert whole.certificate() == pytest.approx(certificate, rel=1e-9)

    first, second = certifier(averaging), certifier(averaging)
    first.observe(Chunk(*(part[:77] for part in chunk)), 0)
    second.restore(first.state())
    second.observe(Chunk(*(part[77:] for part in chunk)), 0)
    for name, values in whole.state().items():
        assert np.array_equal(second.state()[name], values), name


@pytest.mark.parametrize("averaging", ["alpha", "stage"])
@pytest.mark.parametrize("tiny", [0.0, 1e-300, 5e-324])
def test_arms_that_are_never_played(averaging, tiny):
    chunk = random_chunk(400, 2)
    chunk.policy[:, :, 0, 0] = tiny
    run = certifier(averaging)
    run.observe(chunk, 0)
    assert np.array_equal(run.upper_value[..., 0], [[3.0, 3.0], [2.0, 2.0], [1.0, 1.0]])
    assert np.isfinite(run.certificate())
    assert np.isfinite(run.lower_value).all()
