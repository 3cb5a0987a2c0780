import numpy as np
import pytest

from benchmarks.gap_evaluation import make_mixture, prepare_cce_dist, prepare_gap
from normal_forms import openspiel_gap


@pytest.mark.parametrize("num_actions", [(2, 3), (4, 4), (2, 3, 2)])
def test_openspiel_agrees_on_the_mixture(num_actions):
    payoffs, mixed = make_mixture(num_actions, 12)
    gaps = prepare_gap(payoffs, mixed)()
    assert len(gaps) == len(num_actions)
    ours = np.maximum(gaps, 0.0).sum()
    assert prepare_cce_dist(payoffs, mixed)() == pytest.approx(ours, abs=1e-12)
    letters = "abc"[: len(num_actions)]
    product = np.einsum(",".join(f"k{each}" for each in letters) + f"->{letters}", *mixed) / 12
    assert openspiel_gap(payoffs, product.ravel()) == pytest.approx(ours, abs=1e-12)
