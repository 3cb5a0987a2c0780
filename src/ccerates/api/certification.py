"""Is a policy an eps-CCE? Asked of a simulator: a game of this package or a class of your own."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ccerates.api.policies import read_policy_file
from ccerates.api.results import load_results
from ccerates.api.seeds import certification_seed
from ccerates.certification.answer import PolicyCertificate
from ccerates.certification.policy import certify_policy as certify_from_samples
from ccerates.checks import check_integer
from ccerates.errors import InputError
from ccerates.games.model import MarkovGame
from ccerates.online.result import OnlineResult
from ccerates.protocol.games import PythonSimulator
from ccerates.simulator.source import Simulator

if TYPE_CHECKING:
    from ccerates.certification.sampled_game import SampledGame

_SUFFIXES = (".npy", ".npz", ".parquet")


def certify_policy(
    simulator: Any,
    policy: np.ndarray,
    *,
    epsilon: float,
    failure: float = 0.05,
    samples: int,
    seed: int = 0,
    report: Callable[[PolicyCertificate], object] | None = None,
) -> PolicyCertificate:
    """Answer whether a Markov policy is an epsilon-CCE, from fresh samples alone.

    Parameters
    ----------
    simulator
        A game, of which nothing but samples is used; what `load_simulator` returned; or an object
        of your own with the attributes and the method `sample` that `ccerates.protocol.games`
        describes.
    policy
        (horizon, states, joint_actions), joint actions row-major, or with an axis for each player's
        actions at the end: the probability with which a joint action is played. It must not depend
        on the samples drawn here, as a learner's would that used the same `seed` of a simulator
        with random numbers of its own.
    epsilon
        Largest CCE gap that is accepted, in (0, horizon).
    failure
        delta, the probability with which the answer may be wrong, in (0, 1).
    samples
        How many samples may be drawn; fewer are if they decide.
    seed
        Integer >= 0.
    report
        Called with what is known so far, each time the number of samples has doubled.

    Returns
    -------
    PolicyCertificate

    Raises
    ------
    InputError
        If an argument is wrong, the samples do not last for one round at every step and state, or
        the simulator's code fails or returns what is no sample; the message names the place.

    Examples
    --------
    >>> import numpy as np
    >>> from ccerates import api
    >>> class Simulator:  # a coin toss: both players get 1 if their coins agree
    ...     num_actions, num_states, horizon = (2, 2), 1, 1
    ...
    ...     def sample(self, step, state, actions, generator):
    ...         agreed = float(actions[0] == actions[1])
    ...         return (agreed, 1.0 - agreed), 0
    >>> fair, loaded = np.full((1, 1, 2, 2), 1 / 4), np.array([[[[1.0, 0.0], [0.0, 0.0]]]])
    >>> api.certify_policy(Simulator(), fair, epsilon=0.1, samples=100_000).answer
    'yes'
    >>> api.certify_policy(Simulator(), loaded, epsilon=0.1, samples=100_000).answer
    'no'
    """
    return certify_from_samples(
        _sampled(simulator),
        policy,
        epsilon=epsilon,
        failure=failure,
        samples=samples,
        seed=certification_seed(seed),
        report=report,
    )


def load_policy(path: str | os.PathLike[str], replicate: int | None = None) -> np.ndarray:
    """Read a Markov policy from a file.

    Parameters
    ----------
    path
        Results of a simulator learner; a .parquet file that `save_policies` wrote; a .npy file;
        or a .npz file with one array, or with one named ``policy``.
    replicate
        Which of the results' runs it is, from 0; None if there is one only.

    Returns
    -------
    numpy.ndarray
        As the file holds it; `certify_policy` checks it.

    Raises
    ------
    InputError
        If there is no such file, it holds no policy, or `replicate` is missing or out of range.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: there is no such file, seen from {Path.cwd()}")
    if path.suffix not in _SUFFIXES:
        raise InputError(f"{path}: the name of a policy's file must end in .npy, .npz or .parquet")
    if path.suffix == ".parquet":
        return read_policy_file(path, replicate)
    try:
        content = np.load(path, allow_pickle=False)
        if path.suffix == ".npy":
            arrays = {"policy": content}
        elif "metadata" in content.files:
            return _learnt_policy(path, replicate)
        else:
            arrays = {name: content[name] for name in content.files}
    except (InputError, MemoryError):
        raise
    except Exception as error:  # damaged bytes make zipfile, zlib and NumPy raise all kinds
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(f"{path}: not a usable policy file: {reason}") from error
    if replicate is not None:
        raise InputError(f"replicate: {path} holds arrays, not the runs of a learner; leave it out")
    if len(arrays) != 1 and "policy" not in arrays:
        raise InputError(
            f"{path}: holds the arrays {', '.join(arrays) or 'none'}; name one of them policy"
        )
    policy: np.ndarray = arrays["policy"] if "policy" in arrays else next(iter(arrays.values()))
    return policy


def _learnt_policy(path: Path, replicate: int | None) -> np.ndarray:
    results = load_results(path)
    if replicate is None and len(results) > 1:
        raise InputError(
            f"{path}: holds {len(results)} runs; say which, --replicate 0 for the first"
        )
    replicate = replicate or 0
    check_integer("replicate", replicate, 0, len(results) - 1)
    result = results[replicate]
    if isinstance(result, OnlineResult):
        raise InputError(
            f"{path}: {result.algorithm} learnt online: its policy depends on all "
            f"{result.episodes} episodes and is no table of a policy; `ccerates certify {path}` "
            "shows the certificate that the run made from its own samples"
        )
    return result.policy


def _sampled(simulator: Any) -> "SampledGame":
    if isinstance(simulator, MarkovGame):
        return Simulator(simulator)
    if isinstance(simulator, Simulator | PythonSimulator):
        return simulator
    if isinstance(simulator, str | os.PathLike | type):
        named = simulator.__name__ if isinstance(simulator, type) else os.fspath(simulator)
        hint = f"{named}()" if isinstance(simulator, type) else f"load_simulator({named!r})"
        raise InputError(f"simulator: expected an object, got {simulator!r}; write {hint}")
    return PythonSimulator(simulator)
