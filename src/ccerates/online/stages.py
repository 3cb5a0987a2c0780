"""Stages of the visits to a (step, state), for the learners that restart their bandits.

A learner that uses these kernels has tables ``visits``, ``stage`` and ``stage_visit``, (horizon,
states, lanes) int64: visits so far, number of completed stages, and visits in the current stage.
Its parameters have ``length``, (stages,) int64, see `ccerates.online.schedule.stage_lengths`, and
``constants``, (horizon, stages, players, constants): what a stage's bandits run with. Its working
space has what the current visits need of them: ``stage_length``, (1, lanes) int64, and
``constants``, (players, first constants, lanes); and ``ended``, (2, lanes) int64: whether the
visit completed a stage, and the visited state.
"""

from ccerates.compilation import inline_kernel
from ccerates.lanes import any_lane, gather, load, scatter, store, to_integer


@inline_kernel
def load_stage(learner, work, parameters, step, states, lanes):
    """Set length and constants of the stages that the visited states are in."""
    num_players, num_constants, _ = work.constants.shape
    # The row serves for the number of the stage, then for its length.
    store(work.stage_length, (0,), gather(learner.stage, (step,), states))
    for lane in range(lanes):
        stage = work.stage_length[0, lane]
        work.stage_length[0, lane] = parameters.length[stage]
        for player in range(num_players):
            for item in range(num_constants):
                here = parameters.constants[step, stage, player, item]
                work.constants[player, item, lane] = here


@inline_kernel
def count_visit(learner, step, states):
    """Count a visit and return the number of visits, a vector, in each stage."""
    scatter(learner.visits, (step,), states, gather(learner.visits, (step,), states) + 1)
    stage_visit = gather(learner.stage_visit, (step,), states) + 1
    scatter(learner.stage_visit, (step,), states, stage_visit)
    return stage_visit


@inline_kernel
def note_ends(work, stage_visit, states, lanes):
    """Set `ended` if the visits complete a stage in any lane, and return whether they do."""
    ended = stage_visit == load(work.stage_length, (0,), lanes)
    any_ended = any_lane(ended)
    if any_ended:
        store(work.ended, (0,), to_integer(ended))
        store(work.ended, (1,), states)
    return any_ended


@inline_kernel
def begin_stage(learner, step, state, lane):
    """Turn to the next stage in one lane."""
    learner.stage[step, state, lane] += 1
    learner.stage_visit[step, state, lane] = 0
