"""What the two entry points accept, what the registry lists, and runs of the library's bandits."""

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest

from ccerates.analysis.bounds import bounds_table
from ccerates.bandits.adversaries import ADVERSARIES
from ccerates.bandits.arena import play
from ccerates.bandits.registry import MODULES, options_type
from ccerates.bandits.store import load_bandit_runs, save_bandit_runs
from ccerates.errors import InputError
from ccerates.simulator.results_store import load_results, save_results
from ccerates.theory.checks.record import CheckResult
from ccerates.theory.checks.registry import CHECKS
from ccerates.theory.checks.run import (
    check_bandit_runs,
    check_certificates,
    check_results,
    name_runs,
)
from theory.checks.bandit_simulation import describe


def test_every_check_of_the_registry_runs_and_no_other(games, learnt, played) -> None:
    runs = play_some("evb", "late-optimum")
    any_learner = dataclasses.replace(played["v-learning"][0], certificate=0.5)
    rows = pd.concat(
        [
            check_results(games, learnt["rigorous"], list("abcdef")),
            check_results(games, learnt["q-ftrl"], list("ghijkl")),
            check_results(games, played["rigorous"], list("abcdef")),
            check_results(games, played["stage-v-learning"], list("abcdef")),
            check_certificates(learnt["rigorous"], [0.0] * 6, list("abcdef"), plant=False),
            check_certificates([any_learner], [0.0], ["a"], plant=False),
            check_bandit_runs(runs, describe(runs, 500, gain_bound=2.0)),
        ]
    )
    assert set(rows["check"]) == set(CHECKS)
    assert tuple(rows.columns) == CheckResult._fields


def test_statements_are_one_sentence_each() -> None:
    assert list(CHECKS) == sorted(CHECKS, key=lambda name: name[:2])
    assert {name[:2] for name in CHECKS} == {f"C{number}" for number in range(1, 9)}
    for name, check in CHECKS.items():
        assert check.name == name
        assert re.fullmatch(r"[A-Z].*[^.]\.", check.statement), check
        assert ". " not in check.statement


def test_runs_find_their_games_in_any_order(games, learnt) -> None:
    names = [f"run {place}" for place in range(len(games))]
    rows = check_results(games, learnt["rigorous"], names)
    shuffled = check_results(games[::-1], learnt["rigorous"], names)
    pd.testing.assert_frame_equal(rows, shuffled)
    assert list(rows["run"].unique()) == names


@pytest.mark.parametrize("kind", ["rigorous", "q-ftrl"])
def test_stored_runs_give_the_same_rows(games, learnt, kind, tmp_path) -> None:
    names = list("abcdef")
    save_results(learnt[kind], tmp_path / "runs.npz")
    stored = check_results(games, load_results(tmp_path / "runs.npz"), names)
    pd.testing.assert_frame_equal(stored, check_results(games, learnt[kind], names))


def test_stored_runs_of_bandits_give_the_same_rows(tmp_path) -> None:
    runs = play_some("evb", "adaptive")
    metadata = describe(runs, 500, gain_bound=2.0)
    save_bandit_runs(runs, tmp_path / "runs.npz", metadata)
    stored = check_bandit_runs(*load_bandit_runs(tmp_path / "runs.npz"))
    pd.testing.assert_frame_equal(stored, check_bandit_runs(runs, metadata))


def test_missing_games_and_names_are_told(games, learnt) -> None:
    with pytest.raises(InputError, match=r"b: its game has the content hash [0-9a-f]{64}, and no"):
        check_results(games[:1], learnt["rigorous"][:2], ["a", "b"])
    with pytest.raises(InputError, match="run_names: expected 2 names, got 1"):
        check_results(games, learnt["rigorous"][:2], ["a"])


def test_names_count_replicates_of_each_budget(learnt) -> None:
    short, long = learnt["two rounds"], learnt["rigorous"]
    names = name_runs("audit/cell/evb-sim", [short[0], long[0], short[1], long[1]])
    assert names == [
        "audit/cell/evb-sim, K=2, replicate 0",
        "audit/cell/evb-sim, K=1500, replicate 0",
        "audit/cell/evb-sim, K=2, replicate 1",
        "audit/cell/evb-sim, K=1500, replicate 1",
    ]


def test_values_of_another_shape_are_told(games, learnt) -> None:
    result = learnt["rigorous"][0]
    short = dataclasses.replace(result, upper_value=result.upper_value[:2])
    with pytest.raises(InputError, match=r"a: upper_value has shape \(2, 3, 2\); the game's"):
        check_results(games, [short], ["a"])


# ---------------------------------------------------------------- the library's bandits


def play_some(bandit, adversary, *, count=100):
    """Return rigorous (if there is such a choice) runs of 500 rounds with gains in [0, 2]."""
    options = options_type(bandit)(**({"constants": "rigorous"} if bandit == "evb" else {}))
    seeds = np.random.SeedSequence(5).spawn(count)
    shape = {"num_actions": 3, "rounds": 500, "gain_bound": 2.0}
    return play(bandit, options, adversary, None, seeds=seeds, **shape)


@pytest.mark.parametrize("bandit", sorted(MODULES))
def test_lemma_and_certificates_cover_the_library_bandits(bandit) -> None:
    """With delta = 0.05 and at least 300 runs; in fact no run may exceed a proof with such room."""
    constants = "rigorous" if bandit == "evb" else "published"
    rows = []
    for adversary in sorted(ADVERSARIES):
        runs = play_some(bandit, adversary)
        rows.append(
            check_bandit_runs(
                runs,
                describe(runs, 500, bandit=bandit, constants=constants, gain_bound=2.0)
                | {"adversary": adversary},
            )
        )
    table = bounds_table(pd.concat(rows), 0.05)
    expected = {"C2 deviation lemma", "C3 any-learner certificate"}
    if bandit == "evb":
        expected |= {"C1 pathwise inequality", "C3 regret bound", "C4 bias cost"}
    assert set(table["check"]) == expected
    assert (table["runs"] == 100 * len(ADVERSARIES)).all()
    assert (table["violations"] == 0).all()
    assert (table["verdict"] == "pass").all()
