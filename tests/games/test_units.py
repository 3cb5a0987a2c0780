"""Gaps in a game's own units."""

import dataclasses

import numpy as np
import pytest

from ccerates.errors import InputError
from ccerates.evaluation.markov import cce_gap, product_policy
from ccerates.games.model import MarkovGame
from ccerates.games.openspiel import import_openspiel
from ccerates.games.units import own_gap, reward_scale, reward_unit


@pytest.fixture(scope="module")
def dilemma() -> MarkovGame:
    return import_openspiel("matrix_pd")


def test_gap_of_cooperation_in_the_prisoners_dilemma(dilemma: MarkovGame) -> None:
    """Both get 5 by cooperating, and who alone defects gets 10."""
    cooperate = np.array([[[1.0, 0.0]]])
    both = [np.repeat(cooperate, dilemma.num_states, axis=1)] * 2
    gap = cce_gap(dilemma, product_policy(dilemma, both)).gap
    assert gap == pytest.approx(0.5)
    assert own_gap(dilemma, gap) == pytest.approx(5.0)
    assert reward_unit(dilemma) == "units of the game's own reward"


def test_a_game_without_a_scale_is_in_its_own_units(dilemma: MarkovGame) -> None:
    plain = dataclasses.replace(dilemma, metadata={"reward_unit": "points"})
    assert (reward_scale(plain), own_gap(plain, 0.25), reward_unit(plain)) == (1.0, 0.25, "points")


@pytest.mark.parametrize("scale", [0, -1.0, "two", True, None])
def test_a_scale_that_is_none_is_refused(dilemma: MarkovGame, scale: object) -> None:
    wrong = dataclasses.replace(dilemma, metadata={"reward_scale": scale})
    with pytest.raises(InputError, match=r"^metadata: reward_scale: expected a number > 0, got"):
        reward_scale(wrong)
