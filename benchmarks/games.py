"""The games that are measured: the main case, one quantity varied at a time, and a real game."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ccerates.games.families import make_game
from ccerates.games.model import MarkovGame
from ccerates.games.openspiel import import_openspiel
from ccerates.games.store import load_game, save_game

SEED = 1
REPLICATES = 20
SAMPLES, ONLINE_SAMPLES = 160_000, 40_000
"""Of each replicate, about; four times as many in the main case. With the simulator, making the
streams of all steps and states takes a while, which few samples would have to bear."""

GOOFSPIEL = "goofspiel(players=2,num_cards=5,points_order=descending)"


class Case(NamedTuple):
    """A game and how much of it is played.

    Attributes
    ----------
    name
        What tables call it.
    game
        The game.
    rounds
        K of EVB-sim, at each step and state.
    episodes
        K of learners that play episodes.
    replicates
        Runs side by side.
    has_peers
        Whether the programs of `benchmarks.peers` run on it.
    """

    name: str
    game: MarkovGame
    rounds: int
    episodes: int
    replicates: int
    has_peers: bool

    def shape(self) -> dict[str, int]:
        """Return the dimensions of the game, as tables show them."""
        return {
            "players": self.game.num_players,
            "actions": max(self.game.num_actions),
            "states": self.game.num_states,
            "horizon": self.game.horizon,
            "successors": self.game.next_state.shape[-1],
            "joint_actions": self.game.num_joint_actions,
        }


def dense(players: int = 2, actions: int = 4, states: int = 8, horizon: int = 8) -> MarkovGame:
    """Return a dense random game; the main case unless told otherwise."""
    parameters = {
        "num_players": players,
        "num_actions": actions,
        "num_states": states,
        "horizon": horizon,
    }
    return make_game("dense-random", parameters, np.random.default_rng(SEED))


def survival() -> MarkovGame:
    """Return a small game of the family that the paper's sweeps run on: two successors."""
    parameters: dict[str, Any] = {"num_players": 2, "num_actions": 3, "alive_states": 1}
    parameters |= {"horizon": 8, "eps_game": 0.25}
    return make_game("survival", parameters, np.random.default_rng(SEED))


def goofspiel(cache: Path) -> MarkovGame:
    """Return goofspiel with five cards, made once and then read from the folder `cache`."""
    path = cache / "goofspiel-5.npz"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        save_game(import_openspiel(GOOFSPIEL), path)
    return load_game(path)


def cases(cache: Path, share: float) -> list[Case]:
    """Return all games of speed.csv, the main case first.

    Parameters
    ----------
    cache
        Folder for the game that takes long to make.
    share
        Share of the usual number of samples that is played.
    """
    return [
        case_of("main", dense(), 4 * share, has_peers=True),
        case_of("survival", survival(), share),
        case_of("2 actions", dense(actions=2), share),
        case_of("16 actions", dense(actions=16), share),
        case_of("3 players", dense(players=3, actions=2), share),
        case_of("6 players", dense(players=6, actions=2), share),
        case_of("64 states", dense(states=64), share),
        case_of("goofspiel-5", goofspiel(cache), share, least_rounds=round(200 * share)),
    ]


def case_of(
    name: str,
    game: MarkovGame,
    share: float,
    *,
    least_rounds: int = 1,
    replicates: int = REPLICATES,
    has_peers: bool = False,
) -> Case:
    """Return a case with a share, or a multiple, of the usual samples of each replicate."""
    rounds = max(least_rounds, 1, round(share * SAMPLES / (game.horizon * game.num_states)))
    episodes = max(1, round(share * ONLINE_SAMPLES / game.horizon))
    return Case(name, game, rounds, episodes, replicates, has_peers)
