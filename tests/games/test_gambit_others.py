"""Gambit files of other programs: OpenSpiel's export and reader, and pygambit's catalogue.

pygambit has no wheel for Linux, so that it is not among the locked packages and the tests of its
catalogue are skipped. They run where it is installed from source, which takes a C++ compiler and
some minutes::

    pip install pygambit            # in the environment of this repository
    pytest tests/games/test_gambit_others.py
"""

import numpy as np
import pyspiel
import pytest

from ccerates.evaluation.markov import cce_gap
from ccerates.games.gambit import import_gambit, import_gambit_catalogue
from normal_forms import openspiel_gap, own_payoffs

ONE_SHOT = sorted(
    game.short_name
    for game in pyspiel.registered_games()
    if game.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    and game.information == pyspiel.GameType.Information.ONE_SHOT
    and game.default_loadable
)


def openspiel_payoffs(game):
    """Return (players, A_1, .., A_m) payoffs by playing every joint action."""
    start = game.new_initial_state()
    counts = [len(start.legal_actions(player)) for player in range(game.num_players())]
    payoffs = np.empty((len(counts), *counts))
    for joint in np.ndindex(*counts):
        state = start.clone()
        legal = [start.legal_actions(player) for player in range(len(counts))]
        state.apply_actions([own[action] for own, action in zip(legal, joint, strict=True)])
        payoffs[:, *joint] = state.returns()
    return payoffs


@pytest.mark.parametrize("name", ONE_SHOT)
def test_games_that_openspiel_exports(name, tmp_path):
    theirs = pyspiel.load_game(name)
    path = tmp_path / "exported.nfg"
    path.write_text(pyspiel.game_to_nfg_string(theirs))
    game = import_gambit(path)
    np.testing.assert_allclose(own_payoffs(game), openspiel_payoffs(theirs), atol=1e-12)


def test_openspiel_exports_games():
    assert len(ONE_SHOT) >= 10
    assert {"blotto", "matching_pennies_3p", "matrix_shapleys_game"} <= set(ONE_SHOT)


@pytest.mark.parametrize("counts", [(3, 2), (2, 3, 4), (2, 1, 3, 2)])
def test_openspiel_reads_the_same_game(counts, tmp_path):
    numbers = np.random.default_rng(8).integers(-99, 100, size=len(counts) * np.prod(counts))
    players = " ".join(f'"{player}"' for player in range(len(counts)))
    path = tmp_path / "game.nfg"
    path.write_text(
        f'NFG 1 R "random" {{ {players} }} {{ {" ".join(map(str, counts))} }}\n\n'
        + " ".join(map(str, numbers))
        + "\n"
    )
    theirs = openspiel_payoffs(pyspiel.load_game(f"nfg_game(filename={path})"))
    np.testing.assert_allclose(own_payoffs(import_gambit(path)), theirs, atol=1e-12)


def test_every_game_of_pygambits_catalogue():
    """Payoffs are pygambit's, gaps of random correlated policies OpenSpiel's."""
    catalogue = pytest.importorskip("pygambit.catalog")
    names = list(catalogue.games()["Game"])
    assert names
    for seed, name in enumerate(names):
        game = import_gambit_catalogue(name)
        payoffs = np.array(catalogue.load(name).to_arrays(float), dtype=float)
        scale = max(1.0, np.abs(payoffs).max())
        np.testing.assert_allclose(own_payoffs(game), payoffs, atol=1e-12 * scale, err_msg=name)
        generator = np.random.default_rng(seed)
        policy = np.zeros(game.num_joint_actions)
        support = generator.permutation(len(policy))[:8]  # OpenSpiel takes long for each member
        policy[support] = generator.dirichlet(np.ones(len(support)))
        gaps = cce_gap(game, policy[None, None]).players * game.metadata["reward_scale"]
        expected = openspiel_gap(payoffs, policy)
        assert expected == pytest.approx(np.maximum(gaps, 0).sum(), abs=1e-9 * scale), name
