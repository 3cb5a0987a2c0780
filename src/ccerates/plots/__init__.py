"""Figures: tables in, a matplotlib figure and the table of everything drawn in it out.

`sweep`, `players`, `exponents`, `gap_decay`, `ablation`, `real_games` and `bandit` make one figure
each with one pure function; the other modules are what they share. Nothing is estimated here:
means, intervals and slopes come from `ccerates.analysis`.
"""
