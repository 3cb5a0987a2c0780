"""A stored run of a simulator learner beside its game, with the exact values that checks share."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ccerates.errors import InputError
from ccerates.evaluation.markov import best_response_value, policy_value
from ccerates.games.model import MarkovGame
from ccerates.online.result import OnlineResult
from ccerates.simulator.evb_sim_trace import EvbSimTrace
from ccerates.simulator.result import LearningResult


@dataclass(frozen=True, eq=False)
class LearnerRun:
    """One run.

    Attributes
    ----------
    game
        The game that was learnt.
    result
        What the learner returned.
    name
        What messages call the run.

    Raises
    ------
    InputError
        If the result's arrays are not of the game's shape.
    """

    game: MarkovGame
    result: LearningResult
    name: str

    def __post_init__(self) -> None:
        check_value_shapes(self.game, self.result, self.name)

    @cached_property
    def best_response(self) -> np.ndarray:
        """(horizon, states, players): V^dag of the output policy."""
        return best_response_value(self.game, self.result.policy)

    @cached_property
    def value(self) -> np.ndarray:
        """(horizon, states, players): V^pi of the output policy."""
        return policy_value(self.game, self.result.policy)

    @property
    def has_bounds(self) -> bool:
        """Whether the learner gives upper and lower values; one that does not returns NaN."""
        bounds = self.result.upper_value, self.result.lower_value
        return not all(np.isnan(values).all() for values in bounds)

    @property
    def gain_bound(self) -> np.ndarray:
        """(horizon, 1, 1): B_h, the number of steps left."""
        return np.arange(self.game.horizon, 0.0, -1.0)[:, None, None]

    @property
    def own_actions(self) -> np.ndarray:
        """(players, max_actions): whether a player has an action."""
        counts = np.array(self.game.num_actions)
        own: np.ndarray = np.arange(counts.max()) < counts[:, None]
        return own

    @property
    def evb_trace(self) -> EvbSimTrace | None:
        """What the bandits of EVB-sim saw; None for other algorithms."""
        trace = self.result.trace
        return trace if isinstance(trace, EvbSimTrace) else None

    @property
    def recorded_trace(self) -> EvbSimTrace | None:
        """The trace of EVB-sim if it holds the transitions of the rounds."""
        trace = self.evb_trace
        return trace if trace is not None and trace.transitions.size else None


def check_value_shapes(game: MarkovGame, result: LearningResult | OnlineResult, name: str) -> None:
    """Raise InputError unless the values of a result are of the game's shape."""
    expected = (game.horizon, game.num_states, game.num_players)
    for attribute in ("upper_value", "lower_value"):
        shape = getattr(result, attribute).shape
        if shape != expected:
            raise InputError(
                f"{name}: {attribute} has shape {shape}; the game's (horizon, states, players) "
                f"are {expected}; give the game that the run was made on"
            )


def with_end(values: np.ndarray) -> np.ndarray:
    """Return values over (horizon, ...) with a last step of zeros."""
    return np.concatenate([values, np.zeros((1, *values.shape[1:]))])


def chain_sum(transitions: np.ndarray, rounds: int, terms: np.ndarray) -> np.ndarray:
    """Return the expected sum of terms along the empirical chain, from every step and state.

    Parameters
    ----------
    transitions
        (horizon, states, states): how many of the rounds at (h, s) led to a state.
    rounds
        K, rounds at every step and state.
    terms
        (horizon, states, players): what the chain collects in a state.

    Returns
    -------
    numpy.ndarray
        (horizon, states, players).
    """
    total = with_end(np.asarray(terms))
    for step in reversed(range(len(terms))):
        total[step] += (transitions[step] / rounds) @ total[step + 1]
    return total[:-1]
