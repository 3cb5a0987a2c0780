"""Learners, and games (see `games`), that people write in plain Python, in a file of their own.

A learner is one file: it may import what is installed, but helper modules beside it are not found,
since a workflow would not notice when those change. The file defines one class, `Learner`. It is
constructed as ``Learner(num_actions=..., num_states=..., horizon=..., episodes=..., **options)`` (a
simulator learner: ``rounds=...`` in place of episodes) and offers two methods; steps, states,
players and actions count from 0:

* ``act(step, state)`` returns a sequence with a probability vector for each player, whose sum may
  miss 1 by 1e-6, as in single precision: it is divided by its sum;
* ``update(step, state, actions, rewards, next_state)`` tells what came of it: an action and a
  reward for each player, as tuples. What follows the last step is worth nothing.

With the attribute ``averaging`` it is an *online* learner, which plays episodes from the start
distribution: ``"alpha"`` and ``"stage"`` name the certified policy that is evaluated, the one of
V-learning (weights of its step size) or of stage-based V-learning (the last completed stage).
Without the attribute it is a *simulator* learner: the driver goes from the last step to the first
and from state to state, and plays all rounds of a (step, state) in a row; what is evaluated is
the average policy. A learner sees samples only, never the game; the driver draws all actions.
"""

from ccerates.protocol.games import PythonSimulator, load_simulator
from ccerates.protocol.loading import PythonLearner, load_learner

__all__ = ["PythonLearner", "PythonSimulator", "load_learner", "load_simulator"]
