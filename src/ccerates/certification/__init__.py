"""Bounds on the CCE gap from samples alone, for any learner and any policy.

Nothing here sees the model of a game: it works on what a learner or a simulator reports.
"""
