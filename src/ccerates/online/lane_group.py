"""The replicates that share one kernel call: their games, generators and learner, in lanes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ccerates.errors import InputError
from ccerates.online.kernel import World, build_kernel, empty_chunk
from ccerates.online.registry import OnlineLearner
from ccerates.online.source import Episodes
from ccerates.online.visits import VisitChunk
from ccerates.sample_source import cumulative_probability, extend_lists

# Visits of all lanes together in one call: what is handed on fits into a second-level cache.
_SEEN_VISITS = 2**15
_UNSEEN_VISITS = 2**18

GENERATOR = "generator"  # beside the names of the learner's own arrays


class LaneGroup:
    """Replicates side by side, one in each lane.

    Parameters
    ----------
    learner
        What runs.
    parameters
        Its parameters.
    sources
        One for each lane.
    generators
        (lanes, 4) uint64, see `ccerates.streams.kernel_states`.
    is_observed, needs_values, needs_samples, is_recorded
        Whether chunks hold visits; values; joint actions and rewards; joint actions at least.

    Attributes
    ----------
    state
        All that the learner remembers.
    generator
        (4, lanes) uint64.
    chunk_episodes
        Number of episodes that can be played in one call.
    """

    def __init__(
        self,
        learner: OnlineLearner,
        parameters: Any,
        sources: Sequence[Episodes],
        generators: np.ndarray,
        *,
        is_observed: bool,
        needs_values: bool,
        needs_samples: bool,
        is_recorded: bool,
    ) -> None:
        lanes, shape = len(sources), sources[0].shape
        num_actions, _, horizon = shape
        start = np.stack([source.start for source in sources], axis=-1)
        self.state: Any = learner.module.allocate(shape, start, lanes)
        self.generator = np.ascontiguousarray(generators.T)
        is_seen = is_observed or is_recorded
        visits = _SEEN_VISITS if is_seen else _UNSEEN_VISITS
        self.chunk_episodes = max(1, visits // (horizon * lanes))
        room = self.chunk_episodes if is_seen else 0
        self._chunk = empty_chunk(
            room,
            num_actions,
            horizon,
            lanes,
            joint_actions=needs_samples or is_recorded,
            rewards=needs_samples,
            values=needs_values,
        )
        self._play: Callable[..., None] = build_kernel(learner.module, lanes)
        self._work = learner.module.allocate_work(shape, lanes)
        self._parameters = parameters
        self._num_actions = np.array(num_actions)
        self._world = _make_world(sources)

    def play(self, episodes: int) -> None:
        """Play some episodes, `chunk_episodes` at most."""
        self._play(
            episodes,
            self.state,
            self._work,
            self._parameters,
            self._num_actions,
            self._world,
            self.generator,
            self._chunk,
        )

    def visits(self, episodes: int) -> VisitChunk:
        """Return the visits of the episodes played last, if their number is given."""
        return VisitChunk(*(values[:episodes] for values in self._chunk))

    def lane_arrays(self, lane: int) -> dict[str, np.ndarray]:
        """Return all that the future of a lane depends on."""
        arrays = {**self.state._asdict(), GENERATOR: self.generator}
        return {name: values[..., lane] for name, values in arrays.items()}

    def set_lane(self, lane: int, arrays: Mapping[str, np.ndarray]) -> None:
        """Set a lane to what `lane_arrays` returned.

        Raises
        ------
        InputError
            If names, shapes or types are not those of this learner.
        """
        expected = self.lane_arrays(lane)
        if arrays.keys() != expected.keys():
            raise InputError(f"expected arrays {', '.join(expected)}, got {', '.join(arrays)}")
        for name, values in expected.items():
            saved = arrays[name]
            if (saved.shape, saved.dtype) != (values.shape, values.dtype):
                raise InputError(
                    f"array {name}: expected shape {values.shape} of {values.dtype} for each run, "
                    f"got {saved.shape} of {saved.dtype}"
                )
            values[...] = saved


def _make_world(sources: Sequence[Episodes]) -> World:
    """Return the tables of all distinct games in a row, and where each lane finds its own."""
    place: dict[str, int] = {}
    distinct = []
    layers = 0
    for source in sources:
        if source.content_hash not in place:
            place[source.content_hash] = layers
            distinct.append(source._tables)
            layers += len(source._tables.reward)
    longest = max(tables.next_state.shape[-1] for tables in distinct)
    layer = [place[each.content_hash] + each._game.layer.astype(np.int64) for each in sources]
    starts = [_start_list(source.start) for source in sources]
    places = max(len(states) for states, _ in starts)
    return World(
        np.concatenate([tables.reward for tables in distinct]),
        np.concatenate([extend_lists(tables.next_state, longest, 0) for tables in distinct]),
        np.concatenate([extend_lists(tables.cumulative, longest, np.inf) for tables in distinct]),
        np.stack(layer, axis=-1),
        np.stack([extend_lists(states, places, 0) for states, _ in starts])[:, None, None],
        np.stack([extend_lists(sums, places, np.inf) for _, sums in starts])[:, None, None],
    )


def _start_list(start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the possible first states and their cumulative probabilities."""
    states = np.flatnonzero(start > 0.0).astype(np.int32)
    return states, cumulative_probability(start[states])
