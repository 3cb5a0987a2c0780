"""Certified policies: drawn, replayed, and against best responses that remember everything."""

import dataclasses

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.evaluation.markov import best_response_value, product_policy
from ccerates.online.certified import CertifiedPolicy, replay, visit_weights
from ccerates.online.registry import MODULES
from ccerates.online.run import OnlineBatch
from ccerates.online.source import Episodes
from evaluation import certified_twin as twin
from evaluation.history_response import history_response

AVERAGINGS = ("alpha", "stage")
SEED = np.random.SeedSequence(11)


def tiny(random_game, seed=0, num_actions=(2, 2), **changes):
    return random_game(seed, num_actions, **{"horizon": 2, "states": 2, **changes})


def policy_of(visits, averaging):
    return CertifiedPolicy(averaging, visits.game.num_actions, visits.state, visits.policy)


def exact(visits, averaging):
    evaluator = CertifiedEvaluator(visits.game, averaging)
    evaluator.observe(visits.chunk(0, len(visits.state)), 0)
    return evaluator.gap()


# ---------------------------------------------------------------- drawing visits


@pytest.mark.parametrize("averaging", AVERAGINGS)
@pytest.mark.parametrize("horizon", [1, 2, 5])
@pytest.mark.parametrize("visits", [0, 1, 2, 4, 5, 23])
def test_weights_of_visits_are_those_of_the_definition(averaging, horizon, visits) -> None:
    expected = twin.visit_weights(horizon, visits, averaging)
    weights = visit_weights(averaging, horizon, visits)
    assert weights.shape == (visits,)
    whole = np.zeros(visits)
    for place, weight in (expected or {}).items():
        whole[place] = weight
    np.testing.assert_allclose(weights, whole, rtol=1e-12)
    assert weights.sum() == pytest.approx(0.0 if expected is None else 1.0)


def test_weights_by_hand() -> None:
    """H = 2: step sizes 1, 3/4, 3/5; stages of 2, 3 and 4 visits."""
    np.testing.assert_allclose(visit_weights("alpha", 2, 3), [0.1, 0.3, 0.6])
    np.testing.assert_allclose(visit_weights("stage", 2, 1), [0.0])
    np.testing.assert_allclose(visit_weights("stage", 2, 8), [0, 0, 1 / 3, 1 / 3, 1 / 3, 0, 0, 0])
    np.testing.assert_allclose(visit_weights("stage", 2, 9), [0] * 5 + [1 / 4] * 4)


@pytest.mark.parametrize("averaging", AVERAGINGS)
@pytest.mark.parametrize("episodes", [3, 40])
def test_mean_return_of_played_episodes_is_the_value(random_game, averaging, episodes) -> None:
    """Within four standard errors; three episodes are mostly played uniformly."""
    visits = twin.Visits(tiny(random_game, 2), episodes, seed=3)
    policy, source = policy_of(visits, averaging), Episodes(visits.game)
    generator = np.random.default_rng(4)
    returns = np.array([policy.play(source, generator).rewards.sum(0) for _ in range(2000)])
    error = returns.std(axis=0) / np.sqrt(len(returns))
    value = exact(visits, averaging).value
    assert (np.abs(returns.mean(axis=0) - value) < 4 * error).all()


def test_a_played_episode_tells_what_happened(random_game) -> None:
    game = tiny(random_game, 2, num_actions=(3, 2))
    visits = twin.Visits(game, 20, seed=3)
    episode = policy_of(visits, "alpha").play(Episodes(game), np.random.default_rng(0))
    for step in range(2):
        layer, state, joint = game.layer[step], episode.states[step], episode.joint_actions[step]
        np.testing.assert_array_equal(episode.rewards[step], game.reward[layer, :, state, joint])
    assert game.start[episode.states[0]] > 0.0


# ---------------------------------------------------------------- replay


@pytest.mark.parametrize("name", MODULES)
def test_replayed_policies_have_the_value_that_the_evaluator_saw(random_game, name) -> None:
    """And the bound lies above the best response with memory."""
    game = tiny(random_game, 5)
    source, averaging = Episodes(game), MODULES[name][3]
    observer = CertifiedEvaluator(game, averaging)
    batch = OnlineBatch(name, [source], [SEED], episodes=400, observers=[observer], record=True)
    batch.advance(60)
    early, planned = batch.results()[0], 400
    seen = observer.gap()
    policy = replay(early, source, SEED, planned_episodes=planned)
    assert policy.episodes == 60
    again = CertifiedEvaluator(game, averaging)
    visits = twin.Visits(game, 1, seed=0)
    visits.state, visits.policy = policy.states, policy.policies
    again.observe(visits.chunk(0, 60), 0)
    assert again.gap().gap == seen.gap
    for player in range(2):
        response = history_response(game, policy, player)
        assert response <= seen.best_response_bound[player] + 1e-12
    batch.advance(400)
    with pytest.raises(InputError, match="takes another course"):
        replay(batch.results()[0], source, np.random.SeedSequence(12))


def test_replay_needs_a_history_and_the_game(random_game, monkeypatch) -> None:
    source, other = Episodes(tiny(random_game, 5)), Episodes(tiny(random_game, 6))
    batch = OnlineBatch("v-learning", [source], [SEED], episodes=20, record=True)
    batch.advance(20)
    result = batch.results()[0]
    with pytest.raises(InputError, match="no history; run it with record=True"):
        replay(dataclasses.replace(result, history=None), source, SEED)
    with pytest.raises(InputError, match="was on the game"):
        replay(result, other, SEED)
    monkeypatch.setattr("ccerates.online.certified.MAX_POLICY_BYTES", 20 * 2 * 5 * 8 - 1)
    with pytest.raises(InputError, match="20 episodes take more than 1599 bytes"):
        replay(result, source, SEED)
    with pytest.raises(InputError, match=r"got \(0, 2\) and"):
        CertifiedPolicy("alpha", (2, 2), np.zeros((0, 2)), np.zeros((0, 2, 2, 2)))


# ---------------------------------------------------------------- best responses with memory


@pytest.mark.parametrize("averaging", AVERAGINGS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("changes", [{}, {"horizon": 3, "layers": 2}, {"num_actions": (2, 2, 2)}])
def test_best_response_with_memory_is_at_most_the_bound(
    random_game, averaging, seed, changes
) -> None:
    episodes = 12 if changes else 30
    visits = twin.Visits(tiny(random_game, seed, **changes), episodes, seed=seed + 100)
    gap, policy = exact(visits, averaging), policy_of(visits, averaging)
    for player in range(visits.game.num_players):
        response = history_response(visits.game, policy, player)
        assert response <= gap.best_response_bound[player] + 1e-12
        assert response >= twin.careless_response(visits, averaging, player) - 1e-12


@pytest.mark.parametrize("averaging", AVERAGINGS)
def test_best_response_equals_the_enumeration_of_all_plans(random_game, averaging) -> None:
    """The value of every plan of the deviator, by every outcome of every draw, for two steps."""
    visits = twin.Visits(tiny(random_game, 7), 12, seed=8)
    policy = policy_of(visits, averaging)
    for player in range(2):
        expected = twin.enumerated_response(visits, averaging, player)
        assert history_response(visits.game, policy, player) == pytest.approx(expected, abs=1e-12)


def test_against_one_markov_policy_memory_is_of_no_use(random_game) -> None:
    """Late episodes only: the first ones leave uniform play behind."""
    game = tiny(random_game, 9)
    lean = np.array([0.5, 0.5])
    visits = twin.Visits(game, 50, seed=10, lean=lean)
    own = np.full((2, 2, 2), 0.5)
    best = game.start @ best_response_value(game, product_policy(game, [own, own]))[0]
    for averaging in AVERAGINGS:
        policy = policy_of(visits, averaging)
        found = [history_response(game, policy, player) for player in range(2)]
        np.testing.assert_allclose(found, best, rtol=0, atol=1e-12)


def test_too_many_histories_are_refused(random_game) -> None:
    visits = twin.Visits(tiny(random_game, 0, horizon=12), 2, seed=0)
    with pytest.raises(InputError, match="take fewer steps, actions or episodes"):
        history_response(visits.game, policy_of(visits, "alpha"), 0)


@pytest.mark.parametrize("name", ["v-learning", "evb-online"])
def test_a_saved_run_takes_its_evaluator_along(random_game, tmp_path, name) -> None:
    game = tiny(random_game, 5)
    source, averaging = Episodes(game), MODULES[name][3]
    audit = averaging == "stage"
    observers = [CertifiedEvaluator(game, averaging, audit=audit) for _ in range(2)]
    batch = OnlineBatch(name, [source], [SEED], episodes=90, observers=observers[:1])
    batch.advance(35)
    batch.save(tmp_path / "batch.npz")
    batch.advance(90)
    again = OnlineBatch.load(tmp_path / "batch.npz", [source], observers[1:])
    again.advance(90)
    for key, values in observers[0].state().items():
        np.testing.assert_array_equal(values, observers[1].state()[key], err_msg=key)
