"""The evaluator of certified policies against a plain-Python twin and an enumeration of jumps."""

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.evaluation import certified_tables
from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.evaluation.markov import best_response_value, policy_value, product_policy
from ccerates.games.families import make_game
from evaluation import certified_twin as twin

GAMES = {
    "two players": ((2, 2), 2, 2, 2),
    "ragged": ((3, 2), 3, 3, 2),
    "three players": ((2, 3, 2), 2, 2, 3),
    "one player": ((3,), 3, 2, 2),
    "one step": ((2, 2), 1, 3, 1),
    "many successors": ((3, 2), 3, 7, 5),
}
AVERAGINGS = ("alpha", "stage")


def make(random_game, name, seed=0):
    counts, horizon, states, successors = GAMES[name]
    return random_game(seed, counts, horizon=horizon, states=states, successors=successors)


def evaluate(visits, averaging, chunks=(1.0,), lane=0, lanes=1):
    """Return an evaluator that saw all episodes in chunks that end at shares of them."""
    evaluator = CertifiedEvaluator(visits.game, averaging)
    first = 0
    for share in chunks:
        last = round(share * len(visits.state))
        evaluator.observe(visits.chunk(first, last, lane, lanes), lane)
        first = last
    return evaluator


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("averaging", AVERAGINGS)
def test_gap_equals_the_twin_s(random_game, name, averaging) -> None:
    visits = twin.Visits(make(random_game, name), 60, seed=1)
    start = visits.game.start
    history = list(twin.follow(visits, averaging))[:-1]  # before each episode
    value = np.mean([value[0] for value, _ in history], axis=0)
    bound = np.mean([best[0] for _, best in history], axis=0)
    gap = evaluate(visits, averaging, chunks=(0.0, 0.3, 1.0), lane=2, lanes=4).gap()
    assert gap.episodes == 60
    np.testing.assert_allclose(gap.value, start @ value, rtol=0, atol=1e-12)
    np.testing.assert_allclose(gap.best_response_bound, start @ bound, rtol=0, atol=1e-12)
    np.testing.assert_allclose(gap.players, start @ (bound - value), rtol=0, atol=1e-12)
    assert gap.gap == gap.players.max()
    assert gap.gap_worst == pytest.approx((bound - value).max(), abs=1e-12)


@pytest.mark.parametrize("averaging", AVERAGINGS)
@pytest.mark.parametrize("alive_states", [1, 2])
def test_where_actions_do_not_matter_the_gap_is_still_the_twin_s(averaging, alive_states) -> None:
    parameters = {"num_players": 2, "num_actions": 3, "alive_states": alive_states, "horizon": 3}
    game = make_game("survival", parameters | {"key_cost": 0.1}, np.random.default_rng(1))
    assert not certified_tables.prepare(game).tables.matters[:, -1].any()
    visits = twin.Visits(game, 60, seed=1)
    history = list(twin.follow(visits, averaging))[:-1]
    bound, value = (np.mean([each[k][0] for each in history], axis=0) for k in (1, 0))
    gap = evaluate(visits, averaging).gap()
    np.testing.assert_allclose(gap.players, game.start @ (bound - value), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_few_successors_are_only_a_faster_way(random_game, name, monkeypatch) -> None:
    gaps = []
    for few in (0, 7):
        monkeypatch.setattr(certified_tables, "MOST_SUCCESSORS", few)
        monkeypatch.setattr(certified_tables, "_PREPARED", {})
        visits = twin.Visits(make(random_game, name), 60, seed=1)
        assert (certified_tables.prepare(visits.game).tables.successor.shape[-1] > 0) == (few > 0)
        gaps.append(evaluate(visits, "alpha").gap())
    for one, other in zip(*gaps, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13)


@pytest.mark.parametrize("averaging", AVERAGINGS)
@pytest.mark.parametrize("episodes", [1, 7, 40])
def test_value_equals_the_enumeration_of_all_jumps(random_game, averaging, episodes) -> None:
    visits = twin.Visits(make(random_game, "two players", seed=3), episodes, seed=4)
    start = visits.game.start
    total = sum(
        start[state] * twin.enumerated_value(visits, averaging, cursor, 0, state)
        for cursor in range(episodes)
        for state in range(2)
    )
    gap = evaluate(visits, averaging).gap()
    np.testing.assert_allclose(gap.value, total / episodes, rtol=0, atol=1e-12)


@pytest.mark.parametrize("averaging", AVERAGINGS)
def test_before_any_visit_the_policy_is_uniform(random_game, averaging) -> None:
    """With one episode its policy draws from none."""
    game = make(random_game, "ragged")
    gap = evaluate(twin.Visits(game, 1, seed=0), averaging).gap()
    uniform = product_policy(game, [np.full((3, 3, count), 1 / count) for count in (3, 2)])
    np.testing.assert_allclose(gap.value, game.start @ policy_value(game, uniform)[0])
    bound = game.start @ best_response_value(game, uniform)[0]
    np.testing.assert_allclose(gap.best_response_bound, bound)


@pytest.mark.parametrize("averaging", AVERAGINGS)
def test_one_markov_policy_throughout_has_its_own_gap(random_game, averaging) -> None:
    """Once every place has been visited and every table rests on visited ones, at the end."""
    game = make(random_game, "two players", seed=5)
    lean = np.array([0.7, 0.3])
    visits = twin.Visits(game, 300, seed=6, lean=lean)
    own = np.broadcast_to(lean, (2, 2, 2))
    policy = product_policy(game, [own, own])
    evaluator = CertifiedEvaluator(game, averaging)
    evaluator.observe(visits.chunk(0, 200), 0)
    early = evaluator.gap()
    evaluator.observe(visits.chunk(200, 300), 0)
    late = evaluator.gap()
    for name, exact in (
        ("value", policy_value(game, policy)),
        ("best_response_bound", best_response_value(game, policy)),
    ):
        mean = (300 * getattr(late, name) - 200 * getattr(early, name)) / 100
        tolerance = 1e-12 if averaging == "stage" else 1e-6  # old visits keep a little weight
        np.testing.assert_allclose(mean, game.start @ exact[0], rtol=0, atol=tolerance)


@pytest.mark.parametrize("averaging", AVERAGINGS)
def test_chunks_lanes_and_restoring_change_nothing(random_game, averaging) -> None:
    visits = twin.Visits(make(random_game, "ragged"), 50, seed=7)
    whole = evaluate(visits, averaging)
    half = evaluate(visits, averaging, chunks=(0.5,), lane=1, lanes=3)
    rest = CertifiedEvaluator(visits.game, averaging)
    rest.restore(half.state())
    half.observe(visits.chunk(25, 30), 0)  # the state was a copy
    rest.observe(visits.chunk(25, 50), 0)
    for name, values in whole.state().items():
        np.testing.assert_array_equal(values, rest.state()[name], err_msg=name)
    assert whole.gap().gap == rest.gap().gap


def test_gap_worst_is_over_states_where_episodes_start(random_game) -> None:
    """Only the start distribution differs; nobody ever visits the other state at first."""
    game = make(random_game, "two players", seed=8)
    fixed = type(game)(
        game.num_actions, game.reward, game.next_state, game.probability, game.layer,
        np.array([0.0, 1.0]),
    )  # fmt: skip
    gap = evaluate(twin.Visits(fixed, 30, seed=9), "alpha").gap()
    assert gap.gap_worst == gap.gap


def test_bad_input(random_game) -> None:
    game = make(random_game, "two players")
    with pytest.raises(InputError, match="averaging: expected one of alpha, stage, got 'beta'"):
        CertifiedEvaluator(game, "beta")
    with pytest.raises(InputError, match="no stages to audit"):
        CertifiedEvaluator(game, "alpha", audit=True)
    evaluator = CertifiedEvaluator(game, "stage")
    with pytest.raises(InputError, match="no episode was observed yet"):
        evaluator.gap()
    with pytest.raises(InputError, match="makes none; give it audit=True"):
        evaluator.audit()
    other = CertifiedEvaluator(make(random_game, "ragged"), "stage").state()
    with pytest.raises(InputError, match=r"table: expected float64 of shape \(3, 2, 4\)"):
        evaluator.restore(other)
    state = evaluator.state()
    del state["length"]
    with pytest.raises(InputError, match=r"length: expected .* got nothing"):
        evaluator.restore(state)


def test_evaluators_of_a_game_share_what_none_of_them_changes(random_game, monkeypatch) -> None:
    visits = twin.Visits(make(random_game, "two players"), 30, seed=1)
    first = evaluate(visits, "stage").gap()
    prepared = certified_tables.prepare(visits.game)
    kept = prepared.uniform.copy()
    monkeypatch.delattr(certified_tables, "policy_value")  # what would be computed once more
    second = evaluate(visits, "stage").gap()
    np.testing.assert_equal(second, first)
    assert certified_tables.prepare(visits.game) is prepared
    np.testing.assert_array_equal(prepared.uniform, kept)
    for values in (*prepared.tables, prepared.uniform):
        with pytest.raises(ValueError, match="read-only"):
            values[...] = 0
