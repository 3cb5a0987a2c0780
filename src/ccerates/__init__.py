"""Sample complexity of learning coarse correlated equilibria in Markov games.

`ccerates.api` holds what most users need; ``ccerates --help`` shows the same on the command line.
"""

__version__ = "0.1.0"
