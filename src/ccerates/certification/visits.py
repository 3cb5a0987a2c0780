"""Certificate of any online learner that shows the distributions it played (ours).

It reads states, product policies, joint actions and rewards, never the model or the learner's
values. Let visit j of t to (h, s) have the weight u_j (a_t averaging, or 1/t over a stage of t
visits), u = u_t the largest. The weights depend on j and t alone. So the deviation lemma of the
paper's section on the bandit holds for the gains u_j x_j / u, with u_j / (u w_j(a)) for 1/w_j(a):
its proof asks only that this is known before the visit. An arm is played in a round with
u_j / (u w_j(a)) > t / delta' with probability sum_j (u_j / u) delta' / t <= delta' at most; the
levels of the scale and of the sum of squares, hence N and iota, are those of t rounds. With
x_j = r + upper(s'), x'_j = r + lower(s'), read before step h+1 of the same episode,

    upper = min{B, max_a sum_j u_j m_j + Y(a) + 1.44 sqrt(iota Q(a)) + 2.36 iota B rho(a)},
    lower = max{0, sum_j u_j x'_j - 1.44 sqrt(iota V') - 1.18 iota B u},
    Y(a), Q(a) = sum and sum of squares of u_j (x_j - m_j) 1{a_j = a} / w_j(a),
    rho(a) = max{A u, max_j u_j / w_j(a)},   V' = sum_j u_j^2 (x'_j - m'_j)^2;

m_j, m'_j are the averages of x, x' so far, at first B/2; B = H - h + 1. The t-th visit (stage) of
each player, step and state may fail with probability delta / (m H S t (t+1)); the sum over all is
delta. By backward induction upper and lower then enclose the best response to the certified policy
and its value for all h, s and episodes together, so also on average over the episodes before which
they are read, whenever learning stops. Before the first visit or completed stage they are B and 0.
"""

from collections.abc import Mapping
from typing import NamedTuple, get_args

import numpy as np

from ccerates.certification.visits_kernel import build_kernel
from ccerates.checks import check_between, check_choice, check_integer
from ccerates.errors import InputError
from ccerates.online.result import Averaging
from ccerates.online.visits import VisitChunk


class _Memory(NamedTuple):
    episodes: np.ndarray
    visits: np.ndarray
    stage: np.ndarray
    length: np.ndarray
    mean: np.ndarray
    arm: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    start_sum: np.ndarray
    start_since: np.ndarray


class VisitCertifier:
    """Certifies one run of an online learner while it learns.

    Parameters
    ----------
    num_actions
        Number of actions of each player, at least 1.
    num_states
        S, at least 1.
    horizon
        H, at least 1.
    start
        (S,): start distribution mu, which is known.
    averaging
        ``"alpha"`` or ``"stage"``.
    failure
        delta, probability with which any upper or lower value ever fails.

    Raises
    ------
    InputError
        If `averaging` is unknown, a number is out of its range, there is no player, or `start` has
        another shape.
    """

    needs_values = False
    needs_samples = True

    def __init__(
        self,
        num_actions: tuple[int, ...],
        num_states: int,
        horizon: int,
        start: np.ndarray,
        averaging: str,
        *,
        failure: float = 0.05,
    ) -> None:
        check_choice("averaging", averaging, get_args(Averaging))
        check_between("certificate: failure", failure, 0.0, 1.0)
        check_integer("certificate: num_states", num_states, 1)
        check_integer("certificate: horizon", horizon, 1)
        counts, places = tuple(num_actions), (horizon, num_states)
        if not counts:
            raise InputError("certificate: num_actions is empty; give one number for each player")
        for player, count in enumerate(counts):
            check_integer(f"certificate: num_actions[{player}]", count, 1)
        players = len(counts)
        self._start = np.array(start, dtype=np.float64)
        if self._start.shape != (num_states,):
            raise InputError(
                f"certificate: start has shape {self._start.shape}; give one probability for each "
                f"state, ({num_states},)"
            )
        self._share = failure / (players * horizon * num_states)
        self._kernel = build_kernel(counts, averaging == "stage")
        bound = np.arange(horizon, 0.0, -1.0)[:, None, None]
        self._memory = _Memory(
            episodes=np.zeros(1, dtype=np.int64),
            visits=np.zeros(places, dtype=np.int64),
            stage=np.ones(places, dtype=np.int64),
            length=np.full(places, horizon, dtype=np.int64),
            mean=np.zeros((*places, players, 4)),
            arm=np.zeros((*places, players, max(counts), 3)),
            upper=np.broadcast_to(bound, (*places, players)).copy(),
            lower=np.zeros((*places, players)),
            start_sum=np.zeros((num_states, players)),
            start_since=np.zeros(num_states, dtype=np.int64),
        )

    @property
    def upper_value(self) -> np.ndarray:
        """(horizon, states, players): at least the best response to the certified policy."""
        return self._memory.upper.copy()

    @property
    def lower_value(self) -> np.ndarray:
        """(horizon, states, players): at most the value of the certified policy."""
        return self._memory.lower.copy()

    def observe(self, chunk: VisitChunk, lane: int) -> None:
        """Take in the episodes after those observed before; see `Observer`.

        Raises
        ------
        InputError
            If the chunk holds no samples.
        """
        if len(chunk.joint_action) != len(chunk.state) or len(chunk.reward) != len(chunk.state):
            raise InputError("certificate: the learner hands on no samples; hand on all of them")
        self._kernel(
            self._memory,
            self._share,
            chunk.state,
            chunk.policy,
            chunk.joint_action,
            chunk.reward,
            lane,
        )

    def certificate(self) -> float:
        """Return the bound on the CCE gap of the certified policy, in units of reward.

        Raises
        ------
        InputError
            If no episode was observed.
        """
        memory, episodes = self._memory, int(self._memory.episodes[0])
        if episodes == 0:
            raise InputError("certificate: no episode was observed yet; observe one first")
        unchanged = (episodes - memory.start_since)[:, None]
        total = memory.start_sum + (memory.upper[0] - memory.lower[0]) * unchanged
        return float((self._start @ total / episodes).max())

    def state(self) -> dict[str, np.ndarray]:
        """Return copies of all that `restore` needs."""
        return {name: values.copy() for name, values in self._memory._asdict().items()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue where `state` was taken, by a certifier of the same arguments.

        Raises
        ------
        InputError
            If it is of something else.
        """
        arrays = self._memory._asdict()
        for name, values in arrays.items():
            found = state.get(name)
            if found is None or found.shape != values.shape or found.dtype != values.dtype:
                raise InputError(
                    f"state of the certifier: {name}: expected {values.dtype} of shape "
                    f"{values.shape}; restore it for the same game and learner"
                )
        for name, values in arrays.items():
            values[...] = state[name]
