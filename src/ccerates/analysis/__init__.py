"""From tables of runs to samples to target, exponents, verdicts and verified tables.

Everything here is a pure function of tables; nothing reads a game or draws a sample of one.

Conventions
-----------
Replicates are paired: in one cell of a sweep every algorithm ran on the same games, so
intervals of differences resample the games and keep the pairs. Intervals hold 95 % and come from
the bootstrap over replicates (`ccerates.analysis.statistics`). Samples are counted in calls of
the simulator, or in steps of play online.
"""
