"""Settings that hold for all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel compiles it, which no deadline should count. The same examples every
# time: a test that fails for one person fails for all.
settings.register_profile("ccerates", deadline=None, derandomize=True)
settings.load_profile("ccerates")

WORKFLOW = Path(__file__).parent / "workflow"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file on one core, which compiles and prepares what they share.

    Those of the workflow share one run of it, and start first, since they take longest.
    """
    for item in items:
        group = WORKFLOW if WORKFLOW in item.path.parents else item.path
        item.add_marker(pytest.mark.xdist_group(str(group)))
    items.sort(key=lambda item: WORKFLOW not in item.path.parents)
