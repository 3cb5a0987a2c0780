"""Certificates beside real learners: above the exact gap, place by place, with errors caught."""

import types
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ccerates.certification import visits, visits_kernel
from ccerates.certification.visits import VisitCertifier
from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.games.model import MarkovGame
from ccerates.online.registry import online_learner
from ccerates.online.run import OnlineBatch, learn_online
from ccerates.online.source import Episodes
from ccerates.online.visits import Together, VisitChunk

LEARNERS = ("v-learning", "cce-v-learning", "stage-v-learning", "evb-online")
SHAPES = {  # counts, horizon, states
    "two players": ((2, 3), 2, 2),
    "one step, idle player": ((2, 1, 2), 1, 2),
    "one player": ((3,), 2, 2),
}
REPLICATES = 3


def random_game(seed, counts, horizon, states):
    rng = np.random.default_rng(seed)
    joint = int(np.prod(counts))
    return MarkovGame(
        num_actions=counts,
        # Coins: gains of the largest variance.
        reward=(rng.random((horizon, len(counts), states, joint)) < 0.5).astype(float),
        next_state=np.broadcast_to(np.arange(states), (horizon, states, joint, states)).copy(),
        probability=rng.dirichlet(np.ones(states), (horizon, states, joint)),
        layer=np.arange(horizon),
        start=rng.dirichlet(np.full(states, 5.0)),
    )


@cache
def games(shape):
    return [random_game(seed, *SHAPES[shape]) for seed in range(REPLICATES)]


def certifier(game, averaging):
    shape = game.num_actions, game.num_states, game.horizon
    return VisitCertifier(*shape, game.start, averaging)


def watch(learner, played):
    averaging = online_learner(learner).averaging
    pairs = [(CertifiedEvaluator(game, averaging), certifier(game, averaging)) for game in played]
    return pairs, [Together(*pair) for pair in pairs]


def seeds(count):
    return [np.random.SeedSequence(23, spawn_key=(place,)) for place in range(count)]


def run(learner, shape, checkpoints):
    """Yield (evaluator, certifier) of every replicate at every checkpoint."""
    played = games(shape)
    pairs, observers = watch(learner, played)
    sources = [Episodes(game) for game in played]
    stops = learn_online(learner, sources, checkpoints, seeds(REPLICATES), observers=observers)
    for _ in stops:
        yield from pairs


def wrong_places(evaluator, own):
    """Return how many of the certifier's values are not on their side of the exact ones."""
    value, best = np.split(evaluator.state()["table"][: len(own.upper_value)], 2, axis=-1)
    return int((own.upper_value < best - 1e-9).sum() + (own.lower_value > value + 1e-9).sum())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("learner", LEARNERS)
def test_values_and_certificates_hold(learner, shape):
    informative = []
    for evaluator, own in run(learner, shape, [1, 30, 300, 3000, 20_000]):
        assert wrong_places(evaluator, own) == 0
        assert own.certificate() >= evaluator.gap().gap - 1e-9
        bound = np.arange(len(own.upper_value), 0, -1)[:, None, None]
        informative.append((own.lower_value > 0.0).any() and (own.upper_value < bound).any())
    assert any(informative)


# What replaces what in the source of the recursions.
ERRORS_OF_COVERAGE = {
    "radii": [
        ("PLAYED_DEVIATION *", "0.03 *"),
        ("PLAYED_RANGE *", "0.03 *"),
        ("= DIRECT_DEVIATION *", "= 0.03 *"),
        ("DIRECT_RANGE *", "0.03 *"),
    ],
    "swapped": [
        (
            "memory.upper[step, here, player] = _upper(",
            "memory.lower[step, here, player] = _upper(",
        ),
        ("memory.lower[step, here, player] = max(", "memory.upper[step, here, player] = max("),
    ],
    "lower from upper": [("lower += memory.lower[step + 1", "lower += memory.upper[step + 1")],
}
# These move values by less than their radii, so that only the sums tell.
ERRORS_OF_SUMS = {
    "centre after": [
        (
            "centre = 0.5 * bound if first else mean[UPPER_MEAN]\n    lower_",
            "centre = keep * mean[UPPER_MEAN] + rate * upper\n    lower_",
        )
    ],
    "lower centre after": [
        ("rate * (lower - lower_centre)", "rate * keep * (lower - lower_centre)")
    ],
    "steps backwards": [("in range(horizon):", "in range(horizon - 1, -1, -1):")],
}


def interpreted(replacements):
    """Return `build_kernel` with errors, in plain Python."""
    source = Path(visits_kernel.__file__).read_text(encoding="utf-8")
    for old, new in [
        ("from ccerates.compilation import allocation_free_kernel, inline_kernel\n", ""),
        ("from ccerates.online.schedule import step_size\n", ""),
        *replacements,
    ]:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    module = types.ModuleType("with_errors")
    vars(module).update(
        inline_kernel=lambda function: function,
        allocation_free_kernel=lambda function: function,
        step_size=lambda horizon, visit: (horizon + 1.0) / (visit + horizon),
    )
    exec(source, vars(module))
    return module.build_kernel


def replay(learner, episodes, replacements=None):
    """Return in how many runs values are wrong, and the sums of all runs, with errors if any."""
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        if replacements is not None:
            patch.setattr(visits, "build_kernel", interpreted(replacements))
        ended = list(run(learner, "two players", [episodes]))
    sums = [np.append(own.state()["mean"], own.state()["arm"]) for _, own in ended]
    return sum(wrong_places(*pair) > 0 for pair in ended), np.array(sums)


@pytest.mark.parametrize("learner", ["v-learning", "stage-v-learning"])
def test_errors_are_caught(learner):
    right, expected = replay(learner, 2000)
    same, sums = replay(learner, 2000, [])
    assert right == same == 0
    np.testing.assert_allclose(sums, expected, rtol=1e-9, atol=1e-12)
    for name, replacements in ERRORS_OF_SUMS.items():
        assert np.abs(replay(learner, 2000, replacements)[1] - expected).max() > 1e-5, name
    for name, replacements in ERRORS_OF_COVERAGE.items():
        assert replay(learner, 2000, replacements)[0] >= 2, name


class Short:
    """Hands on chunks of a few episodes."""

    needs_values, needs_samples = False, True

    def __init__(self, observer):
        self.observer = observer

    def observe(self, chunk, lane):
        for first in range(0, len(chunk.state), 7):
            self.observer.observe(VisitChunk(*(part[first : first + 7] for part in chunk)), lane)


@pytest.mark.parametrize("learner", ["v-learning", "evb-online"])
def test_chunks_lanes_and_saved_batches(learner, tmp_path):
    played = games("two players")
    sources, planned = [Episodes(game) for game in played], {"episodes": 900}

    def states(pairs):
        return [each.state() for _, each in pairs]

    whole, observers = watch(learner, played)
    OnlineBatch(learner, sources, seeds(3), observers=observers, **planned).advance(900)
    short, observers = watch(learner, played)
    observers = [Short(each) for each in observers]
    OnlineBatch(learner, sources, seeds(3), observers=observers, **planned, lanes=1).advance(900)
    _, observers = watch(learner, played)
    batch = OnlineBatch(learner, sources, seeds(3), observers=observers, **planned)
    batch.advance(401)
    batch.save(tmp_path / "batch")
    loaded, observers = watch(learner, played)
    OnlineBatch.load(tmp_path / "batch", sources, observers).advance(900)
    for other in (short, loaded):
        for expected, found in zip(states(whole), states(other), strict=True):
            for name, values in expected.items():
                assert np.array_equal(found[name], values), name
    assert [own.certificate() for _, own in loaded] == [own.certificate() for _, own in whole]
