"""Certificates in the tables of online runs, against certifiers that watch the learner directly."""

from dataclasses import replace

import numpy as np
import pytest

from ccerates.certification.visits import VisitCertifier
from ccerates.errors import InputError
from ccerates.experiments.cells import CERTIFICATE, COVERAGE
from ccerates.experiments.online_runs import run_cell
from ccerates.experiments.plan import plan_cells
from ccerates.online.evb_online import EvbOnlineOptions
from ccerates.online.registry import MODULES
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes
from ccerates.streams import LEARNER_STREAM, seed_sequence
from experiments.small_cells import CELLS, SEED, config, games

CELL = replace(CELLS["online-horizon", "horizon-4"], experiment=CERTIFICATE)


def run(cell, label, section=None):
    cell = replace(cell, rounds={label: (200, 3000)})
    return run_cell(
        cell, label, section or {}, games(CELLS["online-horizon", "horizon-4"]), root_seed=SEED,
        report=lambda line: None,
    )  # fmt: skip


@pytest.mark.parametrize("experiment", [CERTIFICATE, COVERAGE])
@pytest.mark.parametrize("algorithm", ["v-learning", "cce-v-learning", "stage-v-learning"])
def test_learners_without_a_certificate_get_one_from_their_visits(algorithm, experiment) -> None:
    table, results = run(replace(CELL, experiment=experiment), algorithm)
    for number, game in enumerate(games(CELLS["online-horizon", "horizon-4"])):
        episodes = Episodes(game)
        certifier = VisitCertifier(
            game.num_actions, game.num_states, 4, game.start, MODULES[algorithm][3], failure=0.05
        )
        seed = seed_sequence(SEED, experiment, "horizon-4", number, LEARNER_STREAM)
        alone = learn_online(algorithm, [episodes], (200, 3000), [seed], observers=[certifier])
        rows = table[table["replicate"] == number]
        for row, result, (expected,) in zip(
            rows.itertuples(), results[number::3], alone, strict=True
        ):
            assert row.certificate == result.certificate == certifier.certificate()
            assert row.certified
            assert (result.certified, result.failure) == (True, 0.05)
            assert row.gap <= row.certificate <= 4.0
            np.testing.assert_array_equal(result.upper_value, expected.upper_value)
            assert np.isnan(result.lower_value).all()
            assert np.isnan(expected.certificate)


def test_other_experiments_and_learners_with_their_own_do_without() -> None:
    table, _ = run(replace(CELL, experiment="gap-decay"), "v-learning")
    assert table["certificate"].isna().all()
    assert not table["certified"].any()
    section = {"algorithm": "evb-online", "constants": "rigorous"}
    table, results = run(CELL, "rigorous", section)
    assert table["certificate"].tolist() == [result.certificate for result in results]
    stream = (CERTIFICATE, "horizon-4")
    seeds = [seed_sequence(SEED, *stream, number, LEARNER_STREAM) for number in range(3)]
    options = EvbOnlineOptions(constants="rigorous")
    sources = [Episodes(game) for game in games(CELLS["online-horizon", "horizon-4"])]
    batches = learn_online("evb-online", sources, (200, 3000), seeds, options)
    expected = [result.certificate for batch in batches for result in batch]
    assert table["certificate"].tolist() == expected


OWN = """
class Learner:
    averaging = "stage"

    def __init__(self, num_actions, num_states, horizon, episodes):
        self.num_actions = num_actions

    def act(self, step, state):
        return [[1.0 / count] * count for count in self.num_actions]

    def update(self, step, state, actions, rewards, next_state):
        pass
"""


def test_a_learner_in_a_file_gets_one(tmp_path) -> None:
    path = tmp_path / "uniform.py"
    path.write_text(OWN)
    table, results = run(CELL, "uniform", {"file": str(path)})
    assert table["certified"].all()
    assert {result.failure for result in results} == {0.05}
    assert (table["gap"] <= table["certificate"]).all()


def test_certificates_of_learners_in_files_are_judged_by_their_own_delta(tmp_path) -> None:
    path = tmp_path / "uniform.py"
    path.write_text(OWN)
    wanted = config()
    wanted["learners"] |= {"uniform": {"file": str(path)}}
    wanted["curves"] |= {CERTIFICATE: wanted["curves"]["gap-decay"] | {"rounds": {"uniform": [9]}}}
    plan_cells(wanted)
    wanted["bandits"] = wanted["bandits"] | {"failure": 0.01}
    for learner in wanted["learners"].values():
        if "file" not in learner:
            learner["failure"] = 0.01
    with pytest.raises(InputError, match=r"curves.certificate.rounds: the certificate of 'unif"):
        plan_cells(wanted)
