"""Small problems with known answers, solved by whatever is installed."""

import numba
import numpy as np

from ccerates.compilation import kernel
from ccerates.evaluation.certified import CertifiedEvaluator, CertifiedGap
from ccerates.evaluation.markov import cce_gap, policy_value, uniform_policy
from ccerates.games.model import MarkovGame
from ccerates.online import registry as online
from ccerates.online.run import learn_online
from ccerates.online.source import Episodes
from ccerates.simulator import registry as simulator
from ccerates.simulator.source import Simulator

_ROUNDS, _EPISODES = 20_000, 50_000
_UNIFORM_GAP = 0.25


def try_compiler() -> tuple[str, str]:
    """Compile a loop and compare it with the closed form.

    Returns
    -------
    status, detail : str
    """
    count = 1_000
    found, expected = kernel(_sum_of_squares)(count), count * (count + 1) * (2 * count + 1) // 6
    if found != expected:
        return "failed", f"numba {numba.__version__} computes {found}, not {expected}; reinstall it"
    return "ok", f"numba {numba.__version__} compiles"


def _sum_of_squares(count: int) -> int:
    total = 0
    for number in range(1, count + 1):
        total += number * number
    return total


def prisoners_dilemma() -> MarkovGame:
    """Return a dilemma played twice; its only CCE is that both always defect (action 1).

    Defecting pays 1/4 more whatever the other does, so a policy in which a player ever cooperates
    has a deviation that gains. Both defecting pays 1/4 a step, 1/2 in all. In uniform play a player
    cooperates half the time, so its gap is 1/2 * 1/4 a step.
    """
    return MarkovGame(
        num_actions=(2, 2),
        reward=np.array([[[[0.75, 0.0, 1.0, 0.25]], [[0.75, 1.0, 0.0, 0.25]]]]),
        next_state=np.zeros((1, 1, 4, 1), dtype=int),
        probability=np.ones((1, 1, 4, 1)),
        layer=[0, 0],  # type: ignore[arg-type]
        start=[1.0],  # type: ignore[arg-type]
        name="prisoners-dilemma",
    )


def try_learners() -> tuple[str, str]:
    """Let every learner play the dilemma, and compare what it learns with the answer.

    Returns
    -------
    status, detail : str
    """
    game = prisoners_dilemma()
    uniform_gap = cce_gap(game, uniform_policy(game)).gap
    if abs(uniform_gap - _UNIFORM_GAP) > 1e-12:
        return "failed", f"uniform play has gap {uniform_gap:.12g}, not {_UNIFORM_GAP}; run ./test"
    found, wrong = [], []
    for algorithm in simulator.MODULES:
        result = simulator.learn(algorithm, Simulator(game), _ROUNDS, np.random.SeedSequence(1))
        gap = cce_gap(game, result.policy).gap
        value = policy_value(game, result.policy)[0, 0]
        found.append(f"{algorithm} reaches gap {gap:.4g}")
        if not (-1e-12 <= gap < uniform_gap / 10 and np.abs(value - 0.5).max() < 0.05):
            wrong.append(algorithm)
    for algorithm in online.MODULES:
        bound = _online_bound(game, algorithm)
        found.append(f"{algorithm} at most {bound.gap:.4g}")
        # Both get 1/2 in the end, and more in the early episodes, which count as much.
        if not (-1e-12 <= bound.gap < uniform_gap / 2 and np.abs(bound.value - 0.5).max() < 0.25):
            wrong.append(algorithm)
    text = f"{', '.join(found)} on a game where uniform play has {uniform_gap:g}"
    if wrong:
        return "failed", f"{text}; {', '.join(wrong)} should do better: reinstall, run ./test"
    return "ok", text


def _online_bound(game: MarkovGame, algorithm: str) -> CertifiedGap:
    evaluator = CertifiedEvaluator(game, online.online_learner(algorithm).averaging)
    seeds = [np.random.SeedSequence(1)]
    for _ in learn_online(algorithm, [Episodes(game)], [_EPISODES], seeds, observers=[evaluator]):
        pass
    return evaluator.gap()
