"""``ccerates learn``, ``gap`` and ``certify`` print what the API returns."""

import dataclasses
import json
import warnings

import numpy as np
import pytest

from ccerates import api
from ccerates.api.seeds import game_seed, learner_seeds
from ccerates.cli.certify_stored import write_certificates
from ccerates.errors import InputError, TrivialBoundWarning
from ccerates.evaluation.markov import cce_gap
from ccerates.games.families import make_game
from ccerates.games.store import save_game
from ccerates.simulator.registry import MODULES
from ccerates.simulator.results_store import load_results, save_results


def learn_file(ccerates, game_file, *arguments, algorithm="evb-sim", output="result.npz"):
    arguments = ("learn", game_file, "--algorithm", algorithm, *arguments, "--output", output)
    outcome = ccerates(*arguments)
    assert outcome.code == 0, outcome.errors
    return outcome.output


@pytest.mark.parametrize("algorithm", MODULES)
def test_learn_stores_what_the_api_returns(ccerates, game, game_file, algorithm):
    arguments = ("--rounds", 40, "--seed", 3, "--replicates", 3, "--threads", 2)
    arguments += ("--option", "failure=0.1", "--option", "rate_scale=0.5")
    output = learn_file(ccerates, game_file, *arguments, algorithm=algorithm)
    options = {"failure": 0.1, "rate_scale": 0.5}
    expected = api.learn(game, algorithm, rounds=40, seed=3, replicates=3, options=options)
    stored = load_results("result.npz")
    assert len(stored) == len(expected) == 3
    rows = [line.split() for line in output.splitlines()[2:5]]
    for run, (got, wanted) in enumerate(zip(stored, expected, strict=True)):
        np.testing.assert_array_equal(got.policy, wanted.policy)
        assert got.game_hash == game.content_hash
        shown = [f"{run}", "40", f"{wanted.samples}", f"{wanted.certificate:.5g}"]
        assert rows[run] == [*shown, "0.9" if wanted.certified else "-"]
    assert output.endswith("wrote result.npz\n")


def test_replicates_differ_and_the_first_stays(game):
    one = api.learn(game, "evb-sim", rounds=40, seed=3)
    two = api.learn(game, "evb-sim", rounds=40, seed=3, replicates=2)
    other = api.learn(game, "evb-sim", rounds=40, seed=4)
    np.testing.assert_array_equal(one[0].policy, two[0].policy)
    assert not np.array_equal(two[0].policy, two[1].policy)
    assert not np.array_equal(one[0].policy, other[0].policy)


def test_game_and_learner_of_one_seed_have_different_streams():
    streams = [game_seed(1), *learner_seeds(1, 3)]
    assert len({tuple(stream.generate_state(4)) for stream in streams}) == 4


# A round costs 2 steps x 3 states samples, with Q-FTRL times 2 + 3 actions.
@pytest.mark.parametrize(
    ("algorithm", "samples", "rounds"),
    [
        ("evb-sim", 6, 1),
        ("evb-sim", 11, 1),
        ("evb-sim", 12, 2),
        ("evb-sim", 6_000_005, 1_000_000),
        ("q-ftrl", 89, 2),
        ("q-ftrl", 90, 3),
        ("q-ftrl", 10**17, 3_333_333_333_333_333),
    ],
)
def test_samples_buy_the_largest_number_of_rounds(game, algorithm, samples, rounds):
    assert api.affordable_rounds(game, algorithm, samples) == rounds


def test_samples_in_place_of_rounds(ccerates, game_file):
    output = learn_file(ccerates, game_file, "--samples", 250, "--json")
    (run,) = json.loads(output)["runs"]
    assert (run["rounds"], run["samples"]) == (41, 246)


def test_exactly_one_budget(game):
    with pytest.raises(InputError, match="give exactly one"):
        api.learn(game, "evb-sim")
    with pytest.raises(InputError, match="give exactly one"):
        api.learn(game, "evb-sim", rounds=5, samples=100)


def test_certified_or_only_an_estimate(ccerates, game_file):
    output = learn_file(ccerates, game_file, "--rounds", 30)
    assert "1 of 1 estimated: these constants promise no bound" in output
    assert "certified" not in output
    rigorous = ("--option", "constants=rigorous", "--option", "failure=0.02")
    output = learn_file(ccerates, game_file, "--rounds", 30, *rigorous, "--force")
    assert "1 of 1 certified: a bound on the CCE gap, with that confidence" in output
    assert "estimated" not in output
    assert output.splitlines()[2].split()[-1] == "0.98"
    learnt = output.replace(" on dense-random\n", "\n").replace("wrote result.npz\n", "")
    assert ccerates("certify", "result.npz").output == learnt


def test_files_may_hold_runs_with_different_promises(ccerates, game, tmp_path):
    rigorous = {"constants": "rigorous"}
    runs = api.learn(game, "evb-sim", rounds=30)
    runs += api.learn(game, "evb-sim", rounds=50, options=rigorous)
    save_results(runs, tmp_path / "mixed.npz")
    lines = ccerates("certify", "mixed.npz").output.splitlines()
    assert lines[0] == "evb-sim with practical, rigorous constants"
    assert [line.split()[-1] for line in lines[2:4]] == ["-", "0.95"]
    assert lines[4].startswith("1 of 2 certified")
    assert lines[5].startswith("1 of 2 estimated")


def test_trivial_certificates_are_called_so(ccerates, game_file):
    output = learn_file(ccerates, game_file, "--rounds", 2, "--option", "constants=rigorous")
    assert "1 of 1 say nothing" in output
    assert "say nothing" not in learn_file(ccerates, game_file, "--rounds", 3000, "--force")


def test_warnings_take_one_line(ccerates, game_file):
    with warnings.catch_warnings():
        warnings.simplefilter("always", TrivialBoundWarning)
        rigorous = ("--option", "constants=rigorous", "--output", "r.npz")
        outcome = ccerates("learn", game_file, "--algorithm", "evb-sim", "--rounds", 9, *rigorous)
    assert outcome.code == 0
    assert outcome.errors.startswith("warning: evb-sim: with 9 rounds the regret bound is trivial")
    assert outcome.errors.count("\n") == 1


def test_gap_is_the_evaluator_s(ccerates, game, game_file):
    learn_file(ccerates, game_file, "--rounds", 200, "--replicates", 2)
    shown = json.loads(ccerates("gap", game_file, "result.npz", "--json").output)
    summary = api.gap(game, load_results("result.npz"))
    for found, result in zip(shown["runs"], load_results("result.npz"), strict=True):
        report = cce_gap(game, result.policy)
        assert found["gap"] == report.gap
        assert found["gap_worst"] == report.gap_worst
        assert found["players"] == report.players.tolist()
    uniform = np.full((2, 3, 6), 1 / 6)
    assert shown["uniform"]["gap"] == pytest.approx(cce_gap(game, uniform).gap, abs=1e-12)
    lines = [line.split() for line in ccerates("gap", game_file, "result.npz").output.splitlines()]
    for line, report in zip(lines[1:], [*summary.runs, summary.uniform], strict=False):
        values = [report.gap, report.gap_worst, *report.players]
        assert line[1:] == [f"{value:.5g}" for value in values]
    assert [line[0] for line in lines[1:4]] == ["0", "1", "uniform"]
    mean = np.mean([report.gap for report in summary.runs])
    assert lines[4] == ["mean", "gap", "of", "2", "runs:", f"{mean:.5g}"]


def test_gap_in_the_units_of_the_game(ccerates):
    """Who defects alone in the prisoner's dilemma gains 5 points, and a table's reward is 10."""
    both_cooperate = np.zeros((1, 2, 4))
    both_cooperate[..., 0] = 1.0
    dilemma = api.import_openspiel("matrix_pd")
    (result,) = api.learn(dilemma, "evb-sim", rounds=10)
    api.save_game(dilemma, "dilemma.npz")
    api.save_results([dataclasses.replace(result, policy=both_cooperate)], "both.npz")
    shown = json.loads(ccerates("gap", "dilemma.npz", "both.npz", "--json").output)
    assert (shown["reward_scale"], shown["runs"][0]["gap"]) == (10.0, pytest.approx(0.5))
    assert shown["own_runs"][0]["gap"] == pytest.approx(5.0)
    assert shown["own_uniform"]["players"] == pytest.approx([1.5, 1.5])  # 11 / 2 - 4
    lines = ccerates("gap", "dilemma.npz", "both.npz").output.splitlines()
    assert lines[4] == "in units of the game's own reward, of which 1 above is 10:"
    assert lines[6].split() == ["0", "5", "5", "5", "5"]


def test_certify_compares_with_the_exact_gap(ccerates, game, game_file):
    learn_file(ccerates, game_file, "--rounds", 300, "--option", "constants=rigorous")
    (alone,) = json.loads(ccerates("certify", "result.npz", "--json").output)
    (compared,) = json.loads(ccerates("certify", "result.npz", game_file, "--json").output)
    (result,) = load_results("result.npz")
    gap = cce_gap(game, result.policy).gap
    assert alone["rounds"] == compared["rounds"] == 300
    assert not {"gap", "slack"} & alone.keys()
    assert alone["confidence"] == compared["confidence"] == 0.95
    assert compared["certificate"] == result.certificate
    assert compared["gap"] == gap
    assert compared["slack"] == result.certificate - gap > 0
    output = ccerates("certify", "result.npz", game_file).output
    assert f"{gap:.5g}" in output
    assert f"{result.certificate - gap:.5g}" in output
    assert "below" not in output


def test_certificates_below_the_gap_are_counted(game, capsys):
    results = api.learn(game, "evb-sim", rounds=30, replicates=2)
    first, second = api.certify(results, game)
    write_certificates([first._replace(slack=0.01), second._replace(slack=-0.01)], "rounds")
    assert "1 of 2 lie below the exact gap" in capsys.readouterr().out


def test_runs_of_another_game_are_refused(ccerates, game_file):
    learn_file(ccerates, game_file, "--rounds", 30)
    parameters = {"num_players": 2, "num_actions": [2, 3], "num_states": 3, "horizon": 2}
    save_game(make_game("dense-random", parameters, np.random.default_rng(6)), "other.npz")
    for command in (("gap", "other.npz", "result.npz"), ("certify", "result.npz", "other.npz")):
        code, output, errors = ccerates(*command)
        assert (code, output) == (2, "")
        assert errors.startswith("error: run 0 learnt the game with hash")
        assert errors.endswith("give the game it learnt\n")
        assert errors.count("\n") == 1


def test_learners_without_certificate(game):
    (result,) = api.learn(game, "evb-sim", rounds=30)
    without = dataclasses.replace(result, certificate=float("nan"))
    (certificate,) = api.certify([without], game)
    assert certificate.certificate is certificate.slack is None
    assert certificate.trivial is False


@pytest.mark.parametrize("algorithm", api.ALGORITHMS)
def test_help_lists_the_options_of_every_learner(ccerates, capsys, algorithm):
    with pytest.raises(SystemExit) as end:
        ccerates("learn", "--help")
    assert end.value.code == 0
    shown = capsys.readouterr().out
    for option in api.list_options(algorithm):
        assert f"  {option.name}: default {option.default}. " in shown
