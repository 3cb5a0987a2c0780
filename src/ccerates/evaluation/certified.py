"""Exact value of a certified policy and a bound on its best responses, beside the learner.

The certified policy of an online learner draws an episode k uniformly; at every step h, in state
s, it draws one of the visits to (h, s) before episode k, moves k to the episode of that visit and
plays the product policy that was used there. Without a visit (with stages: without a completed
stage) it plays uniformly from there on. Visit i of t is drawn with weight a_i prod_{j>i} (1-a_j),
a_t = (H+1)/(H+t) (averaging ``"alpha"``), or uniformly from the last completed stage (``"stage"``).

With the policy pi used at a visit and the tables as they were before this episode,

    W_h(s) <- (1-a) W_h(s) + a E_{a~pi} [r_i + P W_{h+1}],
    U_h(s, a_i) <- (1-a) U_h(s, a_i) + a E_{a_-i~pi_-i} [r_i + P max_a' U_{h+1}(., a')],

and with stages the averages of the last terms over a stage at its end (ours; the policy is that of
Jin, Liu, Wang and Yu 2021, arXiv:2110.14555, and with stages of Mao, Yang, Zhang and Basar 2022,
arXiv:2110.05707). Tables start at the values of uniform play and of best responses to it. Before
episode k, W_1 is the value of the policy given k; max U_1 is the best response of a player who
also learns k and every jump, at least that of one who does not.
"""

from collections.abc import Mapping
from typing import NamedTuple, get_args

import numpy as np

from ccerates.checks import check_choice
from ccerates.errors import InputError
from ccerates.evaluation.certified_alpha_kernel import build_alpha_kernel
from ccerates.evaluation.certified_stage_kernel import build_stage_kernel
from ccerates.evaluation.certified_tables import (
    audit_memory,
    initial_memory,
    prepare,
    work_space,
)
from ccerates.games.model import MarkovGame
from ccerates.online.audit import BoundsAudit
from ccerates.online.result import Averaging
from ccerates.online.visits import VisitChunk


class CertifiedGap(NamedTuple):
    """What is known exactly of a certified policy, in units of reward; never clipped.

    Attributes
    ----------
    gap
        Maximum of `players`: at least the CCE gap.
    gap_worst
        The largest difference of bound and value of a player from a state where episodes may
        start (others a learner never sees).
    players
        (players,): `best_response_bound` less `value`.
    value
        (players,): expected return, over the start distribution.
    best_response_bound
        (players,): at least what a player gets who deviates alone, whatever the player remembers.
    episodes
        K, episodes that the policy draws from.
    """

    gap: float
    gap_worst: float
    players: np.ndarray
    value: np.ndarray
    best_response_bound: np.ndarray
    episodes: int


class CertifiedEvaluator:
    """Evaluates the certified policy of one run of an online learner while it learns.

    Parameters
    ----------
    game
        The game that is learnt. The evaluator reads the model; the learner never does.
    averaging
        ``"alpha"`` or ``"stage"``.
    audit
        Whether to compare the learner's upper and lower values with the exact ones at the end of
        every stage; needs ``"stage"``.

    Raises
    ------
    InputError
        If `averaging` is unknown, or an audit is asked for without stages.
    """

    def __init__(self, game: MarkovGame, averaging: str, *, audit: bool = False) -> None:
        check_choice("averaging", averaging, get_args(Averaging))
        if audit and averaging != "stage":
            raise InputError(
                f"audit: learners with averaging {averaging!r} have no stages to audit; "
                "leave the audit out"
            )
        self._game = game
        self._averaging = averaging
        self.needs_values, self.needs_samples = audit, False
        self._tables = prepare(game).tables
        self._memory = initial_memory(game, averaging)
        self._audit = audit_memory(game, audit)
        self._work = work_space(game)

    def observe(self, chunk: VisitChunk, lane: int) -> None:
        """Follow some episodes.

        Parameters
        ----------
        chunk
            What the learner did in the episodes after those observed before.
        lane
            The replicate to follow.

        Raises
        ------
        InputError
            If there is an audit, but the chunk holds no upper and lower values.
        """
        if self.needs_values and len(chunk.upper) != len(chunk.state):
            raise InputError("audit: the learner hands on no upper and lower values; audit others")
        shape = self._game.num_actions, self._game.next_state.shape[-1]
        distinct = self._tables.successor.shape[-1]
        common = self._tables, self._memory, self._work
        if self._averaging == "alpha":
            build_alpha_kernel(*shape, distinct)(*common, chunk.state, chunk.policy, lane)
        else:
            values = chunk.upper, chunk.lower, chunk.surplus
            follow = build_stage_kernel(*shape, self.needs_values)
            follow(*common, self._audit, chunk.state, chunk.policy, *values, lane)

    def gap(self) -> CertifiedGap:
        """Return the gap over the episodes so far.

        Raises
        ------
        InputError
            If there were none.
        """
        memory, players = self._memory, self._game.num_players
        episodes = int(memory.episodes[0])
        if episodes == 0:
            raise InputError("gap: no episode was observed yet; observe one first")
        unchanged = episodes - memory.start_since
        mean = (memory.start_sum + memory.table[0] * unchanged[:, None]) / episodes
        value, bound = self._game.start @ mean[:, :players], self._game.start @ mean[:, players:]
        difference = mean[self._game.start > 0.0]
        worst = float((difference[:, players:] - difference[:, :players]).max())
        return CertifiedGap(
            float((bound - value).max()), worst, bound - value, value, bound, episodes
        )

    def audit(self) -> BoundsAudit:
        """Return the audit of the learner's values so far.

        Raises
        ------
        InputError
            If no audit was asked for.
        """
        if not self.needs_values:
            raise InputError("audit: this evaluator makes none; give it audit=True")
        audit = self._audit
        return BoundsAudit(
            commits=audit.commits.copy(),
            best_response_bound=audit.upper_sides[..., 0].copy(),
            upper_value=audit.upper_sides[..., 1].copy(),
            lower_value=audit.lower_sides[..., 0].copy(),
            value=audit.lower_sides[..., 1].copy(),
            chain_error=audit.chain_error.copy(),
        )

    def state(self) -> dict[str, np.ndarray]:
        """Return copies of all that `restore` needs."""
        return {name: values.copy() for name, values in self._arrays().items()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue where `state` was taken.

        Parameters
        ----------
        state
            From an evaluator of the same game, averaging and audit.

        Raises
        ------
        InputError
            If it is of something else.
        """
        arrays = self._arrays()
        for name, values in arrays.items():
            found = state.get(name)
            if found is None or found.shape != values.shape or found.dtype != values.dtype:
                seen = "nothing" if found is None else f"{found.dtype} of shape {found.shape}"
                raise InputError(
                    f"state of the evaluator: {name}: expected {values.dtype} of shape "
                    f"{values.shape}, got {seen}; restore it for the same game and learner"
                )
        for name, values in arrays.items():
            values[...] = state[name]

    def _arrays(self) -> dict[str, np.ndarray]:
        return self._memory._asdict() | self._audit._asdict()
