"""What EVB-sim promises about its bounds and policies, checked with exact evaluation."""

import numpy as np
import pytest

from ccerates.evaluation.markov import best_response_value, cce_gap, policy_value, uniform_policy
from ccerates.games.families import make_game
from ccerates.games.model import MarkovGame
from ccerates.simulator.evb_sim import EvbSimOptions, learn_batch
from ccerates.simulator.source import Simulator

SHAPES = [(8,), (3, 2), (2, 8), (2, 3, 2)]


def run(games, rounds, **options):
    """Return one result for each game."""
    seeds = [np.random.SeedSequence(place) for place in range(len(games))]
    return learn_batch([Simulator(game) for game in games], rounds, seeds, EvbSimOptions(**options))


def wrong_bounds(game, result):
    """Count upper values below V^dag, lower values above V^pi, and false certificates."""
    best, value = best_response_value(game, result.policy), policy_value(game, result.policy)
    upper = (result.upper_value < best - 1e-9).sum()
    lower = (result.lower_value > value + 1e-9).sum()
    return upper, lower, int(result.certificate < cce_gap(game, result.policy).gap - 1e-9)


@pytest.fixture(scope="module")
def short_runs(random_game):
    """Return 200 games and their runs by kind of constants."""
    games = [random_game(seed, SHAPES[seed // 50]) for seed in range(200)]
    runs = {}
    for name, options in {
        "rigorous": {"constants": "rigorous"},
        "practical": {},
        "no bonus": {"bonus_scale": 1e-9},
    }.items():
        runs[name] = [
            result
            for first in range(0, 200, 50)
            for result in run(games[first : first + 50], 2000, **options)
        ]
    return games, runs


def test_rigorous_bounds_are_never_wrong(short_runs) -> None:
    """delta = 0.05 allows 10 of 200 runs to fail; the proof leaves so much room that none does."""
    games, runs = short_runs
    counts = list(map(wrong_bounds, games, runs["rigorous"]))
    assert np.sum(counts) == 0
    # They say something all the same: a gap between 0 and 3, bounded by less than 2.
    assert np.median([result.certificate for result in runs["rigorous"]]) < 2.0
    assert any((result.lower_value > 0.0).any() for result in runs["rigorous"])


def test_wrong_bounds_would_be_noticed(short_runs) -> None:
    """Without the bonus the upper values are often below the best response."""
    games, runs = short_runs
    counts = list(map(wrong_bounds, games, runs["no bonus"]))
    assert np.sum(counts, axis=0)[0] > 100


@pytest.mark.parametrize("constants", ["rigorous", "practical"])
def test_pathwise_inequality_holds_in_every_run(constants, short_runs) -> None:
    _, runs = short_runs
    checked = 0
    for result in runs[constants]:
        trace = result.trace
        scale = (trace.penalty + trace.stability + trace.bias)[..., None]
        known = ~np.isnan(trace.pathwise_slack)
        assert (trace.pathwise_slack >= -1e-9 * scale)[known].all()
        checked += known.sum()
    assert checked == sum(9 * 50 * sum(shape) for shape in SHAPES)


def test_dominant_actions_are_recovered() -> None:
    """One action of each player pays 1, whatever else happens; the next state is s + 1 mod 3."""
    dominant = np.array([2, 0])
    reward = np.zeros((1, 2, 3, 6))
    for joint, actions in enumerate(np.ndindex(3, 2)):
        reward[0, :, :, joint] = (np.array(actions) == dominant)[:, None]
    game = MarkovGame(
        num_actions=(3, 2),
        reward=reward,
        next_state=np.broadcast_to(np.array([1, 2, 0])[None, :, None, None], (1, 3, 6, 1)),
        probability=np.ones((1, 3, 6, 1)),
        layer=np.zeros(4, dtype=int),
        start=np.array([1.0, 0.0, 0.0]),
    )
    joint = np.ravel_multi_index(dominant, (3, 2))
    shares = []
    for rounds in (1000, 10_000):
        (result,) = run([game], rounds)
        shares.append(result.policy[..., joint].min())
        gap = cce_gap(game, result.policy)
        assert 0.0 <= gap.gap <= 4 * 2 * (1.0 - shares[-1])
    assert shares[1] > 0.98 > shares[0] > 0.9


def survival_games(count, **cost):
    parameters = {"num_players": 2, "num_actions": 3, "alive_states": 2, "horizon": 4}
    parameters |= cost or {"key_cost": 0.1}
    return [make_game("survival", parameters, np.random.default_rng(seed)) for seed in range(count)]


@pytest.mark.parametrize(
    ("rounds", "certificate", "gap"), [(10_000, 0.52, 0.17), (100_000, 0.134, 0.058)]
)
def test_certificate_and_gap_are_those_of_the_prototype(rounds, certificate, gap) -> None:
    """Survival, H = 4, m = 2, A = 3, two alive states, D = 0.1: measured with other code."""
    games = survival_games(4)
    results = run(games, rounds, constants="rigorous")
    gaps = [cce_gap(game, result.policy).gap for game, result in zip(games, results, strict=True)]
    assert np.mean([result.certificate for result in results]) == pytest.approx(certificate, 0.15)
    assert np.mean(gaps) == pytest.approx(gap, 0.15)


def test_practical_constants_learn_more_and_rounds_help() -> None:
    """Prototype: gap 0.028 at 1e4 and 0.0063 at 1e5 rounds with practical constants."""
    games = survival_games(4)
    means = {}
    for rounds in (1000, 10_000, 100_000):
        results = run(games, rounds)
        means[rounds] = np.mean(
            [cce_gap(game, each.policy).gap for game, each in zip(games, results, strict=True)]
        )
    assert means[10_000] == pytest.approx(0.028, 0.3)
    assert means[100_000] == pytest.approx(0.0063, 0.3)
    uniform = np.mean([cce_gap(game, uniform_policy(game)).gap for game in games])
    assert means[100_000] < means[10_000] < means[1000] < 0.7 * uniform


def test_practical_constants_reach_the_target_at_the_budget_of_the_theory() -> None:
    """Mean gap 0.049, standard error 0.001, after 4 H^3 A / eps^2 rounds."""
    games = survival_games(20, horizon=8, eps_game=0.5)
    results = run(games, 4 * 8**3 * 3 * 4)
    gaps = [cce_gap(game, result.policy).gap for game, result in zip(games, results, strict=True)]
    assert np.mean(gaps) <= 0.06


def test_rigorous_certificate_is_within_a_small_factor_of_the_gap() -> None:
    """Certificate 0.0139, gap 0.0035."""
    games = survival_games(2)
    results = run(games, 4_000_000, constants="rigorous", failure=0.05)
    for game, result in zip(games, results, strict=True):
        gap = cce_gap(game, result.policy).gap
        assert gap <= result.certificate <= min(0.018, 4.5 * gap)
