"""How samples are drawn inside kernels: generators into lanes, successors from tables."""

from ccerates.compilation import inline_kernel


@inline_kernel
def load_generators(generator, base, lanes, state):
    """Copy the generator states of the entries from `base` on into the lanes.

    Parameters
    ----------
    generator
        (entries, 4) uint64.
    base, lanes
        First entry and number of lanes.
    state
        (4, lanes) uint64, overwritten.
    """
    for lane in range(lanes):
        for word in range(4):
            state[word, lane] = generator[base + lane, word]


@inline_kernel
def draw_successor(next_state, cumulative, game, state, joint_action, uniform):
    """Return the next state that a uniform number in [0, 1) draws; see `SamplingTables`.

    `game` is the first index of the tables: a game, or a layer of one.
    """
    place = 0
    for successor in range(next_state.shape[3] - 1):
        place += uniform >= cumulative[game, state, joint_action, successor]
    return next_state[game, state, joint_action, place]
