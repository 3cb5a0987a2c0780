"""Exact evaluation of policies. The evaluator reads the model of a game; a learner never does.

Gap conventions, used everywhere in this package:

* The gap of player i from state s is V^dag_{i,0}(s) - V^pi_{i,0}(s): the value of the best response
  that does not see the player's recommendation, against the other players' part of the joint
  policy, less the value of following the joint policy.
* The gap of a policy is the **maximum over players** of the gap averaged over the game's start
  distribution (``gap``), or of the gap from the worst start state (``gap_worst``, as defined by
  Li, Chi, Wei and Chen 2022, arXiv:2208.10458). The worst start ranges over all states of the
  table, reachable or not; for certified policies of online learners (`certified`), of which only
  an upper bound on the gap is known, over the states where episodes may start. A policy is an
  eps-CCE if and only if ``gap <= eps``.
* Gaps are **never clipped**: a player whom the correlation serves better than any deviation has a
  negative gap, and so may the policy (a tighter statement than "is a CCE").
* Values are sums of rewards in [0, 1] over the H steps, so that a gap lies in [-H, H].

OpenSpiel's ``cce_dist`` follows another convention: it clips the gap of each player at zero and
sums over players. It equals ``np.maximum(report.players, 0).sum()``.
"""
