"""EVB-sim and V-learning as others would write them, to compare with.

Each file is one learner in one style. All of them take the same uniform random numbers in the same
order as the package's kernels, and return the same numbers up to rounding: tests compare them.
"""
