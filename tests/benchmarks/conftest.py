import pytest

from benchmarks.games import case_of, dense


@pytest.fixture(scope="session")
def tiny():
    """A case that takes no time; peers run on it."""
    game = dense(players=2, actions=2, states=3, horizon=2)
    return case_of("main", game, 0.0015, replicates=2, has_peers=True)
