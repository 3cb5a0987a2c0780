"""Settings that hold for all tests."""

from hypothesis import settings

# The first call of a kernel compiles it, which no deadline should count. The same examples every
# time: a test that fails for one person fails for all.
settings.register_profile("ccerates", deadline=None, derandomize=True)
settings.load_profile("ccerates")
