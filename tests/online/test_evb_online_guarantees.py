"""What EVB-online promises of its values, against exact ones; and that it learns."""

import numpy as np
import pytest

from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.online.evb_online import EvbOnlineOptions
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes
from online.test_stage_v_learning import one_state_game

NAME = "evb-online"


@pytest.fixture(scope="module")
def rigorous(make_sources, make_seeds):
    """Return results and evaluators of rigorous runs on eight games."""
    sources = make_sources(8, horizon=2, states=2)
    evaluators = [CertifiedEvaluator(each._game, "stage", audit=True) for each in sources]
    options = EvbOnlineOptions(constants="rigorous")
    runs = learn_online(
        NAME, sources, [1000, 200_000], make_seeds(8), options, observers=evaluators
    )
    return [(results, [each.gap() for each in evaluators]) for results in runs], evaluators


def test_certificate_is_at_least_the_exact_gap(rigorous) -> None:
    for results, gaps in rigorous[0]:
        for result, gap in zip(results, gaps, strict=True):
            assert result.certificate >= gap.gap >= 0.0
    last = [result.certificate for result in rigorous[0][1][0]]
    assert max(last) < 0.4  # of a largest return of 2: they say something
    assert min(last) > 0.0


def test_values_bound_the_exact_ones_after_every_stage(rigorous) -> None:
    for evaluator in rigorous[1]:
        audit = evaluator.audit()
        assert (audit.commits > 20).all()
        assert (audit.upper_value >= audit.best_response_bound).all()
        assert (audit.lower_value <= audit.value).all()
        assert audit.chain_error.max() < 1e-9


def test_pathwise_inequality_holds_in_every_stage(rigorous) -> None:
    for results, _ in rigorous[0]:
        for result in results:
            trace = result.trace
            assert (trace.completed_stages[1] > 5).all()
            known = ~np.isnan(trace.pathwise_slack)  # a first stage has fewer visits than arms
            assert known[1].all()
            slack, right_side = trace.pathwise_slack[known], trace.pathwise_right_side[known]
            assert (slack >= -1e-9 * trace.pathwise_scale[known]).all()
            assert (slack < right_side).any()  # without a right side it would not hold


def test_gap_falls_with_practical_constants(make_seeds) -> None:
    """A game in which the second action of both is worth .2 more at both steps."""
    game = one_state_game([[0.1, 0.3, 0.3, 0.5]] * 2, (2, 2))
    evaluator = CertifiedEvaluator(game, "stage")
    gaps = [
        evaluator.gap().gap
        for _ in learn_online(
            NAME, [Episodes(game)], [20, 2000, 200_000], make_seeds(1), observers=[evaluator]
        )
    ]
    assert gaps[0] == pytest.approx(0.2, abs=0.01)  # that of uniform play
    assert gaps[1] < 0.09
    assert gaps[2] < 0.006


def test_start_weighs_the_certificate(make_sources, make_seeds) -> None:
    """Only first states count: with other tables alike, the certificate is the mean over mu."""
    source = make_sources(1)[0]
    assert (source.start == 0.0).any()
    options = EvbOnlineOptions()
    (short,), (long,) = learn_online(NAME, [source], [4000, 4001], make_seeds(1), options)
    width = source.start @ (short.upper_value[0] - short.lower_value[0])
    total = 4001 * long.certificate - 4000 * short.certificate
    player = int(np.argmax(width))
    assert total == pytest.approx(width[player], abs=1e-9)
