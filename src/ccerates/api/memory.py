"""How much memory online runs take, before they take it."""

from ccerates.errors import InputError
from ccerates.evaluation.certified_tables import MOST_SUCCESSORS, row_width
from ccerates.games.model import MAX_TABLE_BYTES, MarkovGame
from ccerates.online.result import Averaging

_NUMBER = 8  # bytes; nearly all tables hold float64 or int64


def check_memory(game: MarkovGame, replicates: int, averaging: Averaging | None) -> None:
    """Raise InputError if the tables of all runs are too large.

    Parameters
    ----------
    game
        What they learn.
    replicates
        Number of runs.
    averaging
        Of the certified policies whose gaps are bounded beside the runs; None if they are not.
    """
    places = game.horizon * game.num_states * game.num_players * max(game.num_actions)
    learners = 4 * _NUMBER * replicates * places  # up to four numbers for each action
    limit = f"more than {MAX_TABLE_BYTES / 2**30:g} GiB"
    if learners > MAX_TABLE_BYTES:
        raise InputError(
            f"replicates: the tables of {replicates} runs need {learners / 2**30:.1f} GiB, "
            f"{limit}; take fewer, with several seeds"
        )
    evaluators = 0 if averaging is None else replicates * evaluator_bytes(game, averaging)
    if learners + evaluators > MAX_TABLE_BYTES:
        raise InputError(
            f"replicates: {replicates} runs with bounds on their gaps need "
            f"{(learners + evaluators) / 2**30:.1f} GiB, {limit}; take fewer, with several seeds, "
            "or leave out the bounds (evaluate=False, --no-gap)"
        )


def evaluator_bytes(game: MarkovGame, averaging: Averaging) -> int:
    """Return a bound on the size of what one `CertifiedEvaluator` holds beside the game.

    Parameters
    ----------
    game
        What is learnt.
    averaging
        ``"alpha"`` or ``"stage"``.
    """
    players, joint = game.num_players, game.num_joint_actions
    values, own = 2 * players, players * max(game.num_actions)
    visited = game.horizon * game.num_states
    row = max(values, row_width(players, MOST_SUCCESSORS))
    places = len(game.reward) * game.num_states
    tables = joint * players + places * joint * (values + row)
    flags = places * (1 + 4 * MOST_SUCCESSORS)  # bytes: whether actions matter, who follows
    work = (2 + row) * own + joint * (2 * values + row + 1)
    memory = (visited + game.num_states) * values + visited * (1 + own)
    memory += game.num_states * (values + 1) + 1
    if averaging == "stage":
        memory += visited * (values + 3 + joint) + game.horizon
    return _NUMBER * (tables + work + memory) + flags
