"""The audit of a learner's values, stage by stage, against a plain-Python twin."""

import itertools

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.evaluation.certified import CertifiedEvaluator
from evaluation import certified_twin as twin

EPISODES = 70


@pytest.fixture
def audited(random_game):
    """Return visits with made-up values: (visits, upper, lower, surplus)."""
    game = random_game(3, (2, 2), horizon=3, states=2)
    visits = twin.Visits(game, EPISODES, seed=4)
    rng = np.random.default_rng(5)
    shape = (EPISODES, 3, 2)
    lower = rng.random(shape)
    return visits, lower + 3.0 * rng.random(shape), lower, rng.random(shape)


def commits(visits):
    """Yield (episode, step, state, episodes of the stage) where stages of 3, 4, 5, 6, 8.. end."""
    game = visits.game
    for step, state in itertools.product(range(game.horizon), range(game.num_states)):
        seen = list(np.flatnonzero(visits.state[:, step] == state))
        start, length = 0, game.horizon
        while start + length <= len(seen):
            stage = seen[start : start + length]
            yield stage[-1], step, state, stage
            start, length = start + length, length + length // game.horizon


def expected_audit(visits, upper, lower, surplus):
    """Return sides and errors by definition; D by recursion over episodes."""
    game = visits.game
    tables = list(twin.follow(visits, "stage"))
    upper_sides, lower_sides, errors = {}, {}, {}
    width = np.zeros((game.horizon + 1, game.num_states, 2))
    width += np.arange(game.horizon, -1, -1)[:, None, None]
    before = [width.copy()]
    ends = {(episode, step): (state, stage) for episode, step, state, stage in commits(visits)}
    for episode in range(EPISODES):
        changed = width.copy()
        for step in range(game.horizon):
            if (episode, step) in ends:
                state, stage = ends[episode, step]
                following = [
                    before[k][step + 1, visits.state[k, step + 1]]
                    if step + 1 < game.horizon
                    else np.zeros(2)
                    for k in stage
                ]
                changed[step, state] = np.mean(following, axis=0) + surplus[episode, step]
                value, best = (table[step, state] for table in tables[episode + 1])
                for i in range(2):
                    high, low = upper[episode, step, i], lower[episode, step, i]
                    upper_sides.setdefault((step, i), []).append((best[i], high))
                    lower_sides.setdefault((step, i), []).append((low, value[i]))
                    error = abs(changed[step, state, i] - (high - low))
                    errors.setdefault((step, i), []).append(error)
        width = changed
        before.append(width.copy())
    return upper_sides, lower_sides, errors


def least(sides):
    return min(sides, key=lambda pair: pair[1] - pair[0])


def audit_of(visits, *values, chunks=(EPISODES,)):
    evaluator = CertifiedEvaluator(visits.game, "stage", audit=True)
    for first, last in itertools.pairwise((0, *chunks)):
        evaluator.observe(visits.chunk(first, last, lane=1, lanes=3, values=values), 1)
    return evaluator.audit()


def test_audit_equals_the_twin_s(audited) -> None:
    upper_sides, lower_sides, errors = expected_audit(*audited)
    audit = audit_of(*audited, chunks=(17, 18, EPISODES))
    for (step, i), pairs in upper_sides.items():
        found = audit.best_response_bound[step, i], audit.upper_value[step, i]
        np.testing.assert_allclose(found, least(pairs), rtol=0, atol=1e-12)
        found = audit.lower_value[step, i], audit.value[step, i]
        np.testing.assert_allclose(found, least(lower_sides[step, i]), rtol=0, atol=1e-12)
        assert audit.chain_error[step, i] == pytest.approx(max(errors[step, i]), abs=1e-12)
    counts = [sum(1 for _, step, _, _ in commits(audited[0]) if step == h) for h in range(3)]
    assert audit.commits.tolist() == counts


def test_values_count_at_the_end_of_stages_only(audited) -> None:
    visits, *values = audited
    ends = {(episode, step) for episode, step, _, _ in commits(visits)}
    changed = [array.copy() for array in values]
    for place in itertools.product(range(EPISODES), range(3)):
        if place not in ends:
            for array in changed:
                array[place] = np.nan
    for found, expected in zip(audit_of(visits, *changed), audit_of(*audited), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_nan_at_one_end_of_a_stage_stays(audited) -> None:
    visits, upper, lower, surplus = audited
    episode, step, _, _ = next(iter(commits(visits)))
    upper[episode, step, 0] = np.nan
    audit = audit_of(visits, upper, lower, surplus)
    assert np.isnan(audit.upper_value).sum() == 1
    assert np.isnan(audit.upper_value[step, 0])
    assert np.isnan(audit.chain_error[step, 0])
    assert not np.isnan(audit.lower_value).any()


def test_before_the_first_stage_ends_there_is_nothing(audited) -> None:
    visits, *values = audited
    audit = audit_of(visits, *values, chunks=(2,))
    assert not audit.commits.any()
    assert (audit.upper_value == np.inf).all()
    assert (audit.chain_error == 0.0).all()


def test_auditing_does_not_change_the_gap(audited) -> None:
    visits, *values = audited
    plain = CertifiedEvaluator(visits.game, "stage")
    plain.observe(visits.chunk(0, EPISODES), 0)
    auditor = CertifiedEvaluator(visits.game, "stage", audit=True)
    auditor.observe(visits.chunk(0, EPISODES, values=values), 0)
    assert plain.gap().gap == auditor.gap().gap
    assert not plain.needs_values
    assert auditor.needs_values


def test_an_audit_continues_where_it_stopped(audited) -> None:
    visits, *values = audited
    first = CertifiedEvaluator(visits.game, "stage", audit=True)
    first.observe(visits.chunk(0, 40, values=values), 0)
    second = CertifiedEvaluator(visits.game, "stage", audit=True)
    second.restore(first.state())
    second.observe(visits.chunk(40, EPISODES, values=values), 0)
    for found, expected in zip(second.audit(), audit_of(*audited), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_an_audit_needs_values(audited) -> None:
    visits = audited[0]
    with pytest.raises(InputError, match="hands on no upper and lower values"):
        CertifiedEvaluator(visits.game, "stage", audit=True).observe(visits.chunk(0, 5), 0)
