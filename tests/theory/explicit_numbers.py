"""Numbers that the theorems of the paper state."""


def rate_factors(rate_scale):
    """Return C_1 and C_2 of the bandit's rate for a factor c_eta of the learning rate."""
    return 6.0 + 2.0 * rate_scale + 0.5 / rate_scale, 17.0 + 0.125 / rate_scale
