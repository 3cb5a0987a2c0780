"""Is it an eps-CCE: yes, no or not yet, with a forecast that comes true."""

import numpy as np
import pytest

from ccerates import api
from ccerates.certification.policy import certify_policy
from ccerates.certification.radii import SampledRadius
from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap, uniform_policy
from ccerates.games.families import make_game
from ccerates.simulator.source import Simulator
from certification.crossing import crossing, crossing_table, policies


def dense(seed, num_actions=(2, 2), horizon=2):
    parameters = {"num_players": 2, "num_actions": list(num_actions), "num_states": 2}
    generator = np.random.default_rng(seed)
    return make_game("dense-random", {**parameters, "horizon": horizon}, generator)


def ask(game, policy, epsilon, samples, seed=0, **settings):
    source, seeds = Simulator(game), np.random.SeedSequence(seed)
    return certify_policy(source, policy, epsilon=epsilon, samples=samples, seed=seeds, **settings)


def test_the_light_is_a_cce_and_the_rush_is_none():
    game, (light, rush) = crossing_table(), policies()
    exact = [cce_gap(game, each.reshape(3, 3, 4)) for each in (light, rush)]
    assert exact[0].gap < 0 < 0.5 < exact[1].gap
    found = [
        api.certify_policy(crossing(), each, epsilon=0.1, samples=100_000) for each in (light, rush)
    ]
    assert [each.answer for each in found] == ["yes", "no"]
    for certificate, report in zip(found, exact, strict=True):
        assert certificate.lower <= report.gap <= certificate.upper
        assert certificate.samples < 100_000  # it stopped early
        assert certificate.forecast is None
        for player, gap in zip(certificate.players, report.players, strict=True):
            assert player.lower <= gap <= player.upper
            assert abs(player.estimate - gap) < 0.15


def test_where_a_player_gains_most():
    _, rush = policies()
    found = api.certify_policy(crossing(), rush, epsilon=0.1, samples=100_000)
    for player in found.players:
        # Waiting alone pays 0.3 at once; a third of the time the jam is not over after it.
        assert player.largest[:3] == (0, 0, 1)
        assert player.largest.gain == pytest.approx(0.3, abs=0.03)
        assert player.largest.probability == 1.0


def test_largest_addends_add_up_to_the_gap():
    """With one step the addends are the states', and all is one addend if there is one state."""
    game = make_game(
        "dense-random",
        {"num_players": 2, "num_actions": [3, 2], "num_states": 1, "horizon": 1},
        np.random.default_rng(3),
    )
    found = ask(game, uniform_policy(game), 0.01, 20_000)
    for player in found.players:
        assert player.largest.gain == pytest.approx(player.estimate, abs=1e-12)


def test_too_few_samples_forecast_what_more_of_them_answer():
    came_true = {"yes": [], "no": []}
    for seed in range(16):
        game = dense(seed)
        policy = uniform_policy(game)
        gap = cce_gap(game, policy).gap
        epsilon = gap * (0.5 if seed % 2 else 1.8)
        first = ask(game, policy, epsilon, 4000, seed)
        if first.answer != "not yet" or first.forecast.samples > 200_000:
            continue
        assert first.forecast.samples > first.samples
        second = ask(game, policy, epsilon, first.forecast.samples, seed + 100)
        came_true[first.forecast.answer].append(second.answer == first.forecast.answer)
        if second.answer != "not yet":
            assert (second.answer == "yes") == (gap <= epsilon)
    for answers in came_true.values():
        assert len(answers) >= 4
        assert sum(answers) >= 0.75 * len(answers)


def test_forecasts_are_not_far_too_large():
    game = dense(1)
    policy = uniform_policy(game)
    epsilon = 1.8 * cce_gap(game, policy).gap
    needed = ask(game, policy, epsilon, 4000).forecast.samples
    assert ask(game, policy, epsilon, needed // 3).answer == "not yet"


def test_a_gap_of_epsilon_has_no_forecast(monkeypatch):
    monkeypatch.setattr("ccerates.certification.forecast._MOST", 64.0)
    game = dense(1)
    policy = uniform_policy(game)
    found = ask(game, policy, cce_gap(game, policy).gap, 1000)
    assert (found.answer, found.forecast) == ("not yet", None)


@pytest.mark.parametrize("factor", [0.4, 0.9, 1.1, 1.6])
def test_answers_are_right_whenever_they_are_given(factor):
    for seed in range(8):
        game = dense(seed)
        policy = uniform_policy(game)
        report = cce_gap(game, policy)
        found = ask(game, policy, factor * report.gap, 30_000, seed)
        assert found.lower <= report.gap <= found.upper
        assert found.answer in ("not yet", "yes" if factor > 1 else "no")


def test_without_a_start_the_worst_state_counts():
    game = dense(4)
    policy = uniform_policy(game)

    class Startless:
        num_actions, num_states, horizon, start = game.num_actions, 2, 2, None
        sample = Simulator(game).sample

    report = cce_gap(game, policy)
    found = certify_policy(
        Startless(), policy, epsilon=0.01, samples=100_000, seed=np.random.SeedSequence(1)
    )
    assert not found.from_start
    assert found.lower <= report.gap_worst <= found.upper
    for player, gap in zip(found.players, report.players_worst, strict=True):
        assert player.estimate == pytest.approx(gap, abs=0.1)


class Chain:
    """One player walks from state to state, one at each step, whatever it plays; action 1 pays."""

    num_actions, num_states, horizon, start = (2,), 4, 3, np.array([1.0, 0.0, 0.0, 0.0])

    def __init__(self):
        self.asked = set()

    def sample(self, step, state, joint_action, generator):  # noqa: ARG002
        self.asked.add((step, state))
        return np.array([joint_action / 2]), state + 1


def test_states_that_are_never_reached_cost_nothing():
    chain = Chain()
    policy = np.full((3, 4, 2), 0.5)  # gains 1/4 at each step by always playing 1
    seed = np.random.SeedSequence(0)
    found = certify_policy(chain, policy, epsilon=0.3, samples=30_000, seed=seed)
    assert chain.asked == {(0, 0), (1, 1), (2, 2)}
    assert found.answer == "no"
    assert found.lower <= 0.75 <= found.upper < 1.2
    assert found.samples == found.rounds * 3 * (2 + 2)
    early = certify_policy(chain, policy, epsilon=0.7, samples=4800, seed=seed)
    assert (early.answer, early.rounds) == ("not yet", 100)
    assert early.samples == 1200
    rounds = early.forecast.drawn / 12
    assert early.forecast.samples == rounds * 12 * 4
    assert early.forecast.feasible
    again = certify_policy(chain, policy, epsilon=0.7, samples=early.forecast.samples, seed=seed)
    assert again.answer == early.forecast.answer == "no"


def test_looks_double_share_the_failure_and_end_with_the_budget(monkeypatch):
    game = dense(1)
    policy = uniform_policy(game)
    looks, shares = [], []
    monkeypatch.setattr(
        "ccerates.certification.policy.SampledRadius",
        lambda source, failure: (shares.append(failure), SampledRadius(source, failure))[1],
    )
    cost = 2 * 2 * (3 + 4)
    found = ask(game, policy, cce_gap(game, policy).gap, 1030 * cost, report=looks.append)
    assert [each.rounds for each in looks] == [8, 16, 32, 64, 128, 257, 515, 1030]
    assert shares == [0.05 / 8] * 8
    assert found == looks[-1]
    assert found.samples == 1030 * cost
    assert all(one.upper >= two.upper for one, two in zip(looks, looks[2:], strict=False))
    few = []
    ask(game, policy, 0.1, 2 * cost, report=few.append)
    assert [each.rounds for each in few] == [1, 2]


def test_the_seed_decides():
    game = dense(1)
    policy = uniform_policy(game)
    one, same, other = (
        api.certify_policy(game, policy, epsilon=0.1, samples=2000, seed=seed) for seed in (1, 1, 2)
    )
    assert one._replace(seconds=0) == same._replace(seconds=0)
    assert one.upper != other.upper


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": 0.0}, "epsilon: expected a number > 0 and < 2"),
        ({"epsilon": 2.0}, "epsilon: expected a number > 0 and < 2"),
        ({"failure": 1.0}, "failure: expected"),
        ({"samples": 27}, "samples: 27 do not last for one round at every step and state, which"),
        ({"samples": 10**12}, "samples: so many need"),
        (
            {"policy": np.ones((2, 2, 3))},
            r"policy: expected shape .* = \(2, 2, 4\) or \(2, 2, 2, 2",
        ),
        ({"policy": [[1], [1, 2]]}, "policy: not a rectangular array"),
        ({"policy": np.full((2, 2, 4), 0.3)}, "policy at step 0, state 0 sums to 1.2"),
        (
            {"policy": np.full((2, 2, 4), np.nan)},
            "policy at step 0, state 0, joint action 0 is nan",
        ),
    ],
)
def test_wrong_arguments(change, message):
    game = dense(0)
    arguments = {"policy": uniform_policy(game), "epsilon": 0.1, "samples": 1000, **change}
    with pytest.raises(InputError, match=message):
        api.certify_policy(game, **arguments)


def test_what_is_no_simulator():
    for wrong, message in [
        ("game.py", r"write load_simulator\('game.py'\)"),
        (type("Mine", (), {}), r"write Mine\(\)"),
        (3, "int has no method sample"),
    ]:
        with pytest.raises(InputError, match=message):
            api.certify_policy(wrong, np.ones(1), epsilon=0.1, samples=10)
