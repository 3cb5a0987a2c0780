"""The policy that an online run learnt, to be played: rebuilt by running the learner again."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ccerates.api.algorithms import read_learner
from ccerates.api.inputs import check_game
from ccerates.api.seeds import learner_seeds
from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.games.model import MarkovGame
from ccerates.online.result import OnlineResult
from ccerates.online.source import Episodes
from ccerates.protocol import PythonLearner

if TYPE_CHECKING:  # what is imported below when it is used brings the compiler with it
    from ccerates.online.certified import CertifiedPolicy


def certified_policy(
    game: MarkovGame,
    result: OnlineResult,
    *,
    seed: int = 0,
    replicate: int = 0,
    options: Mapping[str, Any] | None = None,
    episodes: int | None = None,
) -> "CertifiedPolicy":
    """Return the certified policy of a recorded run of an online learner.

    Results hold what was played, not with which probabilities; so the learner plays the run once
    more, which is compared with the record. All probabilities are then kept in memory.

    Parameters
    ----------
    game
        What was learnt.
    result
        A result of `learn_online` with ``record=True``; not of a learner in a file.
    seed, options
        What `learn_online` was given.
    replicate
        Which of the runs it is, from 0.
    episodes
        How many episodes `learn_online` was asked for; None if the result is from the end.

    Returns
    -------
    CertifiedPolicy
        Its method ``play(Episodes(game), generator)`` plays an episode and returns states, joint
        actions and rewards.

    Raises
    ------
    InputError
        If the run was not recorded, it was another one than the arguments say, or the
        probabilities of all its episodes take too much memory.

    Examples
    --------
    >>> import numpy as np
    >>> from ccerates import api
    >>> parameters = {"num_players": 2, "num_actions": 2, "num_states": 2, "horizon": 3}
    >>> game = api.make_game("dense-random", parameters)
    >>> (end,) = api.learn_online(game, "v-learning", episodes=500, seed=3, record=True)
    >>> policy = api.certified_policy(game, end.results[0], seed=3)
    >>> episode = policy.play(api.Episodes(game), np.random.default_rng(1))
    >>> episode.rewards.shape  # of each step and player
    (3, 2)
    """
    from ccerates.online.certified import replay  # noqa: PLC0415  (imports the compiler)

    check_game(game)
    if result.history is None:
        raise InputError(
            f"{result.algorithm}: the run was not recorded; learn with record=True (not possible "
            "with a learner in a file)"
        )
    check_integer("replicate", replicate, 0)
    learner = read_learner(result.algorithm, options, "online")
    assert not isinstance(learner, PythonLearner)  # those are never recorded
    return replay(
        result,
        Episodes(game),
        learner_seeds(seed, int(replicate) + 1)[-1],
        learner.options,
        planned_episodes=episodes,
    )
