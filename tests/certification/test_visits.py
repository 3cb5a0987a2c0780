"""The certificate of any online learner against a plain NumPy twin and written-out numbers."""

import math
from functools import cache

import numpy as np
import pytest

from ccerates.certification.visits import VisitCertifier
from ccerates.errors import InputError
from ccerates.online.visits import VisitChunk

COUNTS, HORIZON, STATES = (3, 1, 2), 3, 2
START = np.array([0.7, 0.3])


def with_samples(state, policy, joint_action, reward):
    return VisitChunk(state, policy, joint_action, reward, *[np.zeros((0, *reward.shape[1:]))] * 3)


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
    return with_samples(state, policy, joint, scale * rng.random((episodes, HORIZON, 3, 1)))


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
    first.observe(VisitChunk(*(part[:77] for part in chunk)), 0)
    second.restore(first.state())
    second.observe(VisitChunk(*(part[77:] for part in chunk)), 0)
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


def three_visits(rewards):
    """The certifier of one player with two arms, one step and one state, after every visit."""
    own = VisitCertifier((2,), 1, 1, np.ones(1), "alpha", failure=0.05)
    for visit, first_weight in enumerate((0.9, 0.6, 0.8)):
        weights = np.array([first_weight, 1 - first_weight]).reshape(1, 1, 1, 2, 1)
        action = np.full((1, 1, 1), (0, 1, 0)[visit])
        reward = np.full((1, 1, 1, 1), rewards[visit])
        own.observe(with_samples(np.zeros((1, 1, 1), dtype=np.int64), weights, action, reward), 0)
        yield own


def test_written_out_numbers():
    # Gains far out of [0, 1], so that three visits make bounds that are not cut off. Step sizes
    # 1, 2/3, 1/2: after two visits weights 1/3, 2/3 and centres 1/2, -210; after three 1/6, 1/3,
    # 1/2, and the third centre is -210/3 - 462/3.
    after_one, after_two, after_three = [
        (own.state(), own.upper_value.item(), own.lower_value.item())
        for own in three_visits((-210.0, -231.0, -220.5))
    ]
    assert after_one[1:] == (1.0, 0.0)
    assert after_two[1:] == (1.0, 0.0)
    np.testing.assert_allclose(
        after_one[0]["arm"][0, 0, 0], [[-210.5 / 0.9, (210.5 / 0.9) ** 2, 1 / 0.9], [0, 0, 10]]
    )
    np.testing.assert_allclose(
        after_two[0]["arm"][0, 0, 0],
        [
            [-210.5 / 2.7, (210.5 / 2.7) ** 2, 2 / 1.8],  # the second visit's: 2/3 / 0.6
            [-21 * 2 / 1.2, (21 * 2 / 1.2) ** 2, 10 / 3],  # the first's: 1/3 / 0.1
        ],
    )
    # Share of the third visit 0.05 / 12 = 1 / 240.
    iota = math.log(2 * 240 * (2 * math.log2(720) + 9) * (math.log2(3) + 7))
    centre = 0.5 / 6 - 210 / 3 - 672 / 6
    one, three = -210.5 / 5.4, (672 / 3 - 220.5) / 1.6
    expected = centre + one + three
    expected += 1.44 * math.sqrt(iota * (one**2 + three**2)) + 2.36 * iota * 1.0  # A / 2
    assert after_three[1] == pytest.approx(expected, rel=1e-10)
    assert 0.7 < expected < 0.8

    *_, last = three_visits((1000.0, 1100.0, 1050.0))
    squares = (999.5 / 6) ** 2 + (100 / 3) ** 2 + ((3200 / 3 - 1050) / 2) ** 2
    expected = 1000 / 6 + 1100 / 3 + 525 - 1.44 * math.sqrt(iota * squares) - 1.18 * iota / 2
    assert last.lower_value.item() == pytest.approx(expected, rel=1e-12)
    assert expected > 50.0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"num_actions": ()}, "empty"),
        ({"num_actions": (2, 0)}, r"num_actions\[1\]"),
        ({"num_states": 0}, "num_states"),
        ({"horizon": 1.5}, "horizon"),
        ({"start": np.ones(3) / 3}, "shape"),
        ({"averaging": "mean"}, "averaging"),
        ({"failure": 1.0}, "failure"),
    ],
)
def test_arguments(changed, message):
    right = {
        "num_actions": (2,),
        "num_states": 2,
        "horizon": 1,
        "start": START,
        "averaging": "alpha",
    }
    with pytest.raises(InputError, match=message):
        VisitCertifier(**(right | changed))


def test_chunks_without_samples():
    chunk = random_chunk(5, 3)
    with pytest.raises(InputError, match="samples"):
        certifier("alpha").observe(chunk._replace(reward=chunk.reward[:0]), 0)
    with pytest.raises(InputError, match="observe one first"):
        certifier("alpha").certificate()
