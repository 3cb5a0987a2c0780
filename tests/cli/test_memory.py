"""What online runs take is known before they take it."""

import numpy as np
import pytest

from ccerates import api
from ccerates.api.memory import evaluator_bytes
from ccerates.errors import InputError
from ccerates.evaluation.certified import CertifiedEvaluator
from ccerates.games.families import make_game


def dense(num_players, num_actions, **sizes):
    parameters = {"num_players": num_players, "num_actions": num_actions, **sizes}
    return make_game("dense-random", parameters, np.random.default_rng(5))


@pytest.mark.parametrize("averaging", ["alpha", "stage"])
@pytest.mark.parametrize(
    ("game", "is_exact"),
    [
        (dense(2, [2, 3], num_states=4, horizon=2), True),  # as many successors as there may be
        (dense(4, 3, num_states=4, horizon=3), True),
        (dense(2, [2, 3], num_states=3, horizon=2), False),
        (dense(4, 3, num_states=1, horizon=3), False),
        (dense(2, [2, 3], num_states=6, horizon=2), False),
    ],
    ids=["unequal", "many", "three", "one", "six"],
)
def test_the_size_of_an_evaluator_bounds_what_its_arrays_hold(game, is_exact, averaging):
    evaluator = CertifiedEvaluator(game, averaging)
    tables = evaluator._tables._asdict()
    of_the_game = [tables.pop(name) for name in ("layer", "next_state", "probability")]
    own = [game.layer, game.next_state, game.probability]
    assert all(map(np.shares_memory, of_the_game, own))
    arrays = [*tables.values(), *evaluator._memory, *evaluator._work]
    held = sum(values.nbytes for values in arrays)
    bound = evaluator_bytes(game, averaging)
    assert bound == held if is_exact else held < bound < 2 * held


def test_bounds_on_gaps_count_when_there_are_many_joint_actions():
    """Six players with four actions have 4^6 joint ones; the learners' own tables are small.

    Numbers for each joint action: 2 layers * 2 states * (12 + 12) rewards and effects, 6 for who
    plays what, 37 to work in, 2 steps * 2 states of products; 143 * 4^6 * 8 bytes, and a little,
    for each of 3000.
    """
    game = dense(6, 4, num_states=2, horizon=2)
    with pytest.raises(InputError) as caught:
        api.learn_online(game, "evb-online", episodes=1, replicates=3000)
    assert str(caught.value) == (
        "replicates: 3000 runs with bounds on their gaps need 13.1 GiB, more than 2 GiB; take "
        "fewer, with several seeds, or leave out the bounds (evaluate=False, --no-gap)"
    )
