"""Running an online learner on a game, with a bound on the gap beside it."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tqdm import tqdm

from ccerates.api.algorithms import NamedLearner, read_learner
from ccerates.api.inputs import check_game
from ccerates.api.learning import MOST_ROUNDS, check_threads
from ccerates.api.memory import check_memory
from ccerates.api.seeds import learner_seeds
from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.games.model import MarkovGame
from ccerates.online.registry import online_learner
from ccerates.online.result import Averaging, OnlineResult
from ccerates.online.source import Episodes
from ccerates.protocol import PythonLearner

if TYPE_CHECKING:  # what is imported below when it is used brings the compiler with it
    from ccerates.evaluation.certified import CertifiedEvaluator, CertifiedGap


class Checkpoint(NamedTuple):
    """What was learnt after some episodes.

    Attributes
    ----------
    episodes
        Number of episodes, each of which costs as many samples as the game has steps.
    results
        One for each replicate.
    gaps
        Of each replicate's certified policy over these episodes: ``gap`` is an upper bound on its
        CCE gap, computed from the model. None if it was not asked for.
    """

    episodes: int
    results: tuple[OnlineResult, ...]
    gaps: "tuple[CertifiedGap, ...] | None"


class Stopped(KeyboardInterrupt):
    """A run was stopped between two episodes, so that it can go on there.

    Parameters
    ----------
    episode
        Number of episodes that were played.
    """

    def __init__(self, episode: int) -> None:
        super().__init__(episode)
        self.episode = episode


def learn_online(
    game: MarkovGame,
    algorithm: str | PythonLearner,
    *,
    episodes: int | None = None,
    samples: int | None = None,
    checkpoints: Sequence[int] = (),
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    replicates: int = 1,
    evaluate: bool = True,
    record: bool = False,
    threads: int = 1,
    state: str | None = None,
    stop: Callable[[], bool] | None = None,
    report: Callable[[Checkpoint], None] | None = None,
    resume: Callable[[int], None] | None = None,
) -> list[Checkpoint]:
    """Run an online learner on episodes of a game.

    Parameters
    ----------
    game
        The game; the learner plays it from the start and sees nothing else of it.
    algorithm
        Name of an online learner, see `ALGORITHMS`, or a learner of your own, see
        `ccerates.protocol`: the path of its file, or what `load_learner` returned.
    episodes
        K, the number of episodes of a run.
    samples
        In place of `episodes`: how many samples a run may take; an episode takes one a step.
    checkpoints
        Numbers of episodes, increasing and below K, after which to report as well.
    seed
        Integer >= 0: the same seed gives the same results, whatever `threads` is.
    options
        Options of the learner by name, see `list_options`; None stands for the defaults, and for
        those that `load_learner` was given.
    replicates
        Number of runs, which differ in their random numbers only.
    evaluate
        Whether to bound the gap. That has to happen beside the run: the certified policy depends
        on all that was played, which nobody stores.
    record
        Whether results hold all states and joint actions, 4 bytes a step: `certified_policy` needs
        them. Not for a learner in a file.
    threads
        Number of threads; one for a learner in a file.
    state
        File that the unfinished run is saved to at every checkpoint and when it is stopped. If it
        is there, the run that it holds goes on, bit by bit as if it had never stopped; earlier
        checkpoints are then left out. It stays after the end. Not for a learner in a file.
    stop
        Called several times a second, unless a single episode of a learner in a file takes longer;
        perhaps in another thread. True stops the run.
    report
        Called with each checkpoint as soon as it is reached.
    resume
        Called with the number of episodes that were played already if `state` holds a run.

    Returns
    -------
    list of Checkpoint
        The last is the end of the run.

    Raises
    ------
    InputError
        If `game` is none, there is no such learner, it cannot use an argument, or `state` holds
        another run.
    Stopped
        If `stop` returned True.
    """
    check_game(game)
    learner = read_learner(algorithm, options, "online")
    if (episodes is None) == (samples is None):
        raise InputError("episodes, samples: give exactly one of them")
    if episodes is None:
        assert samples is not None
        episodes = _affordable_episodes(game, samples)
    check_integer("episodes", episodes, 1, MOST_ROUNDS)
    stops = _read_checkpoints(checkpoints, int(episodes))
    check_integer("replicates", replicates, 1)
    check_threads(learner, threads)
    if state is not None and isinstance(learner, PythonLearner):
        raise InputError(
            f"state: {learner.name} is plain Python, which no file can hold; leave it out"
        )
    if record and isinstance(learner, PythonLearner):
        raise InputError(f"record: {learner.name} is plain Python, which is not replayed; leave it")
    averaging = _averaging_of(learner) if evaluate else None
    check_memory(game, replicates, averaging)
    evaluators = None if averaging is None else _make_evaluators(game, averaging, replicates)

    sources, seeds = [Episodes(game)] * replicates, learner_seeds(seed, replicates)
    found: list[Checkpoint] = []
    with tqdm(
        total=stops[-1],
        desc=learner.name,
        unit="episode",
        unit_scale=True,
        leave=False,
        disable=None,
    ) as bar:

        def progress(episode: int) -> None:
            bar.update(episode - bar.n)
            if stop is not None and stop():
                raise Stopped(episode)

        if isinstance(learner, PythonLearner):
            from ccerates.protocol import online as driver  # noqa: PLC0415  (imports the compiler)

            reports = driver.learn_online(
                learner, sources, stops, seeds, observers=evaluators, progress=progress
            )
        else:
            from ccerates.api.unfinished import open_batch, play  # noqa: PLC0415  (the same)

            batch = open_batch(
                learner,
                sources,
                seeds,
                stops[-1],
                evaluators,
                record=record,
                threads=threads,
                state=state,
            )
            bar.update(batch.episode)
            if batch.episode and resume is not None:
                with tqdm.external_write_mode():
                    resume(batch.episode)
            reports = play(batch, stops, state, progress)
        for results in reports:
            gaps = None if evaluators is None else tuple(each.gap() for each in evaluators)
            found.append(Checkpoint(results[0].episodes, tuple(results), gaps))
            if report is not None:
                with tqdm.external_write_mode():
                    report(found[-1])
    return found


def _read_checkpoints(checkpoints: Sequence[int], episodes: int) -> list[int]:
    """Return all numbers of episodes to report at; the last is the end."""
    previous = 0
    for checkpoint in checkpoints:
        check_integer("checkpoints", checkpoint, 1, episodes)
        if checkpoint <= previous:
            raise InputError(f"checkpoints: must increase: {checkpoint} follows {previous}")
        previous = int(checkpoint)
    stops = [int(checkpoint) for checkpoint in checkpoints]
    return stops if previous == episodes else [*stops, episodes]


def _affordable_episodes(game: MarkovGame, samples: int) -> int:
    check_integer("samples", samples, 1)
    if samples < game.horizon:
        raise InputError(
            f"samples: {samples} do not last for one episode of this game, which takes "
            f"{game.horizon}; take more"
        )
    return samples // game.horizon


def _averaging_of(learner: NamedLearner | PythonLearner) -> Averaging:
    """Return how the learner's certified policy weighs visits."""
    if isinstance(learner, NamedLearner):
        return online_learner(learner.name).averaging
    assert learner.averaging is not None  # `read_learner` refuses those of the other setting
    return learner.averaging


def _make_evaluators(
    game: MarkovGame, averaging: Averaging, replicates: int
) -> "list[CertifiedEvaluator]":
    from ccerates.evaluation.certified import (  # noqa: PLC0415  (imports the compiler)
        CertifiedEvaluator,
    )

    return [CertifiedEvaluator(game, averaging) for _ in range(replicates)]
