"""Sample complexity of learning coarse correlated equilibria in Markov games."""

__version__ = "0.1.0"
