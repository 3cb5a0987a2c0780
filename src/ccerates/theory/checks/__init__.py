"""The paper's inequalities as named checks on runs: left side, right side, slack, verdict.

A check reads what a run stored, and the game's model where a statement is about true values. Its
kind says what a violation means:

* ``deterministic``: the statement holds in every run. A single violation is an error in the code
  or in a proof.
* ``confidence``: the statement holds with probability 1 - delta. The frequency of violations is
  compared with delta.
* ``informative``: nothing is promised, for example with practical constants.
"""
