"""The one exception that means "the input is wrong", as opposed to a defect of this package."""


class InputError(ValueError):
    """Input that cannot be used; the message names the place and what to write instead.

    The command line and the workflow scripts print the message without a traceback and leave
    with exit code 2.
    """
