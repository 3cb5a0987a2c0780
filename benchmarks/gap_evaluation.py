"""The gap of a mixture of product policies on a matrix game: ours and OpenSpiel's."""

from collections.abc import Callable, Sequence

import numpy as np
import pyspiel

from benchmarks.games import SEED
from benchmarks.timing import Task
from ccerates.evaluation.markov import cce_gap
from ccerates.games.model import MarkovGame

POLICIES = 1_000
OFTEN = 1_000  # one evaluation is too short to be timed alone
GAP = "gap evaluation"
CCE_DIST = "gap evaluation by OpenSpiel's cce_dist"


def gap_tasks(num_actions: Sequence[int], policies: int) -> list[Task]:
    """Return the evaluation of one mixture of `policies` product policies, ours first."""
    payoffs, mixed = make_mixture(num_actions, policies)
    evaluate = prepare_gap(payoffs, mixed)

    def often() -> None:
        for _ in range(OFTEN):
            evaluate()

    return [
        Task(GAP, OFTEN, often),
        Task(CCE_DIST, 1, prepare_cce_dist(payoffs, mixed), warms_up=False),
    ]


def make_mixture(num_actions: Sequence[int], policies: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return a random normal form and product policies, all equally likely.

    Returns
    -------
    payoffs : numpy.ndarray
        (players, A_1, .., A_m) in [0, 1].
    mixed : list of numpy.ndarray
        For each player (policies, A_i).
    """
    generator = np.random.default_rng(SEED)
    payoffs = generator.random((len(num_actions), *num_actions))
    return payoffs, [generator.dirichlet(np.ones(count), policies) for count in num_actions]


def matrix_game(payoffs: np.ndarray) -> MarkovGame:
    """Return a normal form as a game of one step and one state."""
    joint = payoffs[0].size
    return MarkovGame(
        num_actions=payoffs.shape[1:],
        reward=payoffs.reshape(1, len(payoffs), 1, joint),
        next_state=np.zeros((1, 1, joint, 1), dtype=int),
        probability=np.ones((1, 1, joint, 1)),
        layer=np.array([0]),
        start=np.array([1.0]),
    )


def prepare_gap(payoffs: np.ndarray, mixed: Sequence[np.ndarray]) -> Callable[[], np.ndarray]:
    """Return what evaluates the mixture; it returns the players' gaps."""
    game = matrix_game(payoffs)

    def run() -> np.ndarray:
        # All but the last player's product, one row for each policy; the sum is a matrix product.
        product = mixed[0]
        for own in mixed[1:-1]:
            product = (product[:, :, None] * own[:, None]).reshape(len(own), -1)
        joint = product.T @ mixed[-1] / len(product)
        return cce_gap(game, joint.reshape(1, 1, -1)).players

    return run


def prepare_cce_dist(payoffs: np.ndarray, mixed: Sequence[np.ndarray]) -> Callable[[], float]:
    """Return what has OpenSpiel evaluate the mixture.

    Its policies are made here, outside of what is timed. It returns the sum over the players of
    their gaps, those below 0 taken for 0.
    """
    game = pyspiel.convert_to_turn_based(pyspiel.create_tensor_game(list(payoffs)))
    state, keys = game.new_initial_state(), []
    while not state.is_terminal():  # nobody sees what another has played
        keys.append(state.information_state_string())
        state.apply_action(0)
    device = [
        (1.0 / len(mixed[0]), pyspiel.TabularPolicy(dict(zip(keys, rows, strict=True))))
        for policies in zip(*mixed, strict=True)
        for rows in [[list(enumerate(own.tolist())) for own in policies]]
    ]
    return lambda: float(pyspiel.cce_dist(game, device).dist_value)
