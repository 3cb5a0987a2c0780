"""Exit codes of answers: 0 for yes, 1 for no, 3 for not yet."""

from collections.abc import Sequence

from ccerates.certification.answer import Answer

CODES: dict[Answer, int] = {"yes": 0, "no": 1, "not yet": 3}
_BADNESS = (CODES["yes"], CODES["not yet"], CODES["no"])


def exit_code(answers: Sequence[Answer]) -> int:
    """Return the code of the worst of several answers: a no, then a not yet, then a yes."""
    return max((CODES[each] for each in answers), key=_BADNESS.index)
