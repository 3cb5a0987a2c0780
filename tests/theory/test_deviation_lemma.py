"""The deviation lemma attacked: exact enumeration of its supermartingale and of its failures."""

import itertools
import math

import numpy as np
import pytest

from theory.plain_evb import rigorous_iota

RATES = (0.01, 0.1, 0.3, 0.5, 0.8, 0.95, 0.999)


def psi(rate):
    """Return -ln(1 - lambda) - lambda."""
    return -math.log1p(-rate) - rate


def one_step(rate, square_factor):
    """Return the largest E exp(lambda (xi - E xi) - factor xi^2) over a grid of laws of xi.

    The expectation is linear in the law once E xi is fixed: two values are enough for the supremum.
    """
    value = np.linspace(-1.0, 1.0, 81)
    low, high, chance = np.meshgrid(value, value, np.linspace(0.0, 1.0, 41), indexing="ij")
    mean = (1.0 - chance) * low + chance * high
    expected = np.zeros(mean.shape)
    for xi, weight in ((low, 1.0 - chance), (high, chance)):
        expected += weight * np.exp(rate * (xi - mean) - square_factor * xi**2)
    return float(expected.max())


@pytest.mark.parametrize("rate", RATES)
def test_no_law_of_one_step_beats_the_supermartingale(rate) -> None:
    assert one_step(rate, psi(rate)) <= 1.0 + 1e-12


def test_a_smaller_price_for_squares_is_beaten() -> None:
    assert one_step(0.5, 0.9 * psi(0.5)) > 1.0 + 1e-4
    assert one_step(0.8, 0.5 * 0.8**2) > 1.0 + 1e-3  # lambda^2/2, right for Gaussian steps


class Tree:
    """All plays of a few rounds with two arms against one adaptive adversary drawn at random.

    At every node the weights may be as small as 1e-6, the centre is anywhere, and the gain of each
    arm takes two values; both depend on everything before. `chance` of a leaf is exact.
    """

    def __init__(self, generator, rounds, gain_bound) -> None:
        self.rounds, self.bound = rounds, gain_bound
        self.chance = np.ones(1)
        self.importance = np.zeros((1, 0, 2))  # (nodes, rounds, arms)
        self.weight = np.zeros((1, 0, 2))
        self.surplus = np.zeros((1, 0, 2))  # mu_k(a) - m_k
        self.was_played = np.zeros((1, 0, 2), bool)
        for _ in range(rounds):
            self._grow(generator)

    def _grow(self, generator) -> None:
        nodes = self.chance.size
        small = 10.0 ** -generator.uniform(0.31, 6.0, nodes)
        weight = np.stack([small, 1.0 - small], axis=1)
        flip = generator.random(nodes) < 0.5
        weight[flip] = weight[flip, ::-1]
        centre = self.bound * np.round(generator.random(nodes), 1)
        gain = self.bound * generator.choice([0.0, 0.1, 0.9, 1.0], (nodes, 2, 2))
        coin = generator.choice([0.0, 0.01, 0.5, 0.99], (nodes, 2))
        mean = (1.0 - coin) * gain[..., 0] + coin * gain[..., 1]
        children = []
        for arm, value in itertools.product((0, 1), (0, 1)):
            likelihood = coin[:, arm] if value else 1.0 - coin[:, arm]
            importance = np.zeros((nodes, 2))
            importance[:, arm] = (gain[:, arm, value] - centre) / weight[:, arm]
            played = np.zeros((nodes, 2), bool)
            played[:, arm] = True
            children.append((weight[:, arm] * likelihood, importance, played))
        every = np.arange(nodes).repeat(4)

        def join(parent, rows):
            return np.concatenate([parent[every], rows[:, None]], axis=1)

        chance, importance, played = (
            np.stack(items, axis=1).reshape(-1, *items[0].shape[1:])
            for items in zip(*children, strict=True)
        )
        self.importance = join(self.importance, importance)
        self.was_played = join(self.was_played, played)
        self.weight = join(self.weight, weight[every])
        self.surplus = join(self.surplus, (mean - centre[:, None])[every])
        self.chance = self.chance[every] * chance


@pytest.mark.parametrize("seed", range(12))
def test_importance_weighted_supermartingale_on_whole_trees(seed) -> None:
    """E exp(sum lambda (xi_k - E xi_k) - psi xi_k^2) <= 1, xi = -Y 1{w >= 1/tau}/(tau B)."""
    tree = Tree(np.random.default_rng(seed), rounds=5, gain_bound=2.0)
    assert tree.chance.sum() == pytest.approx(1.0, abs=1e-12)
    mean = (tree.chance[:, None, None] * (tree.importance - tree.surplus)).sum(axis=0)
    np.testing.assert_allclose(mean, 0.0, atol=1e-9)  # the estimates are unbiased
    sharpest = 0.0
    for tau, rate in itertools.product((2.0, 8.0, 1e3, 1e6), RATES):
        kept = tree.weight >= 1.0 / tau
        xi = np.where(kept, -tree.importance, 0.0) / (tau * 2.0)
        expected = np.where(kept, -tree.surplus, 0.0) / (tau * 2.0)
        exponent = (rate * (xi - expected) - psi(rate) * xi**2).sum(axis=1)
        value = (tree.chance[:, None] * np.exp(exponent)).sum(axis=0)
        assert (value <= 1.0 + 1e-9).all()
        sharpest = max(sharpest, value.max())
    assert sharpest > 0.9
    rare = (tree.was_played & (tree.weight < 1e-3)).any(axis=1)
    assert (tree.chance @ rare <= 5 * 1e-3).all()


def largest_failure(rounds, iota, deviation, range_, upper):
    """Bound the largest P(T > deviation sqrt(iota W) + range iota) over adaptive adversaries.

    Dynamic programming over (T, W). The adversary chooses in every round one of many laws of
    xi in [-1, 1] with two values. The value grows with T and falls with W: rounding T up and W down
    gives an upper bound of the supremum over these laws (`upper`), the other way a lower bound.
    """
    unit = 0.02
    top = int((deviation * math.sqrt(iota * rounds) + range_ * iota + 2.0) / unit)
    t = unit * np.arange(-top, top + 1)
    w = 0.25 * np.arange(4 * rounds + 1)
    value = (t[:, None] > deviation * np.sqrt(iota * w) + range_ * iota).astype(float)
    laws = [
        (low, high, chance)
        for low, high in itertools.combinations((-1.0, -0.5, 0.0, 0.5, 1.0), 2)
        for chance in (0.002, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.998)
    ]
    rounding = math.ceil if upper else math.floor
    for _ in range(rounds):
        best = value.copy()
        for low, high, chance in laws:
            mean = (1.0 - chance) * low + chance * high
            after = np.zeros(value.shape)
            for xi, weight in ((low, 1.0 - chance), (high, chance)):
                rows = np.arange(t.size) + rounding((xi - mean) / unit - (1e-9 if upper else -1e-9))
                columns = np.minimum(np.arange(w.size) + round(4 * xi**2), w.size - 1)
                after += weight * value[np.clip(rows, 0, t.size - 1)][:, columns]
            np.maximum(best, after, out=best)
        value = best
    return float(value[top, 0])


@pytest.mark.parametrize(("rounds", "iota"), [(12, 2.0), (12, 4.0)])
def test_no_adversary_of_a_grid_beats_the_self_normalised_deviation(rounds, iota) -> None:
    """Worst failure over all adaptive choices of laws against levels times exp(-iota)."""
    levels = math.log2(rounds) + (7.0 if iota < 4.0 else 6.0)
    worst = largest_failure(rounds, iota, 1.436, 1.177, upper=True)
    assert 0.0 < worst <= levels * math.exp(-iota)
    assert worst <= 1.2 * math.exp(-iota)  # what the union over levels gives away
    assert largest_failure(rounds, 4.0, 0.4, 0.3, upper=False) > (math.log2(rounds) + 6) * math.exp(
        -4.0
    )


def test_rounds_without_a_play_must_count_in_rho() -> None:
    """An arm of weight 1/K that always gains B is missed altogether once in three runs.

    Then sum (mu - m) = K B/2 with m = B/2, no estimate says so, and only rho_K = K, which rounds
    without a play contribute to, covers it: with a maximum over played rounds the lemma fails with
    probability (1 - 1/K)^K, far above delta.
    """
    rounds, bound, failure = 10**4, 1.0, 0.01
    iota = rigorous_iota(2, rounds, failure)
    missed = (1.0 - 1.0 / rounds) ** rounds
    assert missed > 30 * failure
    deviation = rounds * bound / 2
    assert deviation <= 2.36 * iota * bound * rounds
    assert deviation > 2.36 * iota * bound * 2  # rho = A if only played rounds count
