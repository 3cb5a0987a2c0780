"""Verdicts about rows, counted by hand."""

import pandas as pd
import pytest

from ccerates.analysis import bounds, verdicts
from ccerates.report.tables import headings
from ccerates.report.verdicts import AGREES, MISSES, OPEN, UNPROMISED, Verdict, combine, judge


def rows(*words):
    return pd.DataFrame({"verdict": words, "name": [f"row {n}" for n in range(len(words))]})


def name(row):
    return row["name"]


@pytest.mark.parametrize(
    ("words", "kind", "word", "summary"),
    [
        (("confirmed", "consistent"), "agrees", "agrees", "2 of 2 rows agree."),
        (("pass", "inconclusive"), "open", "partly open", "1 of 2 rows agree, 1 open."),
        (("miss", "too few runs", "pass"), "misses", "misses in part",
         "1 of 3 rows agree, 1 open, 1 miss."),
        (("fail", "miss"), "misses", "misses", "0 of 2 rows agree, 2 miss."),
        (("informative", "pass", "no rate"), "agrees", "agrees", "1 of 1 rows agree."),
        (("informative",), "none", "nothing to judge", "No rows with a promise to keep."),
    ],
)  # fmt: skip
def test_rows_are_counted(words, kind, word, summary):
    found = judge(rows(*words), name, "rows")
    assert (found.kind, found.word, found.summary) == (kind, word, summary)


def test_rows_that_miss_or_stay_open_are_named():
    found = judge(rows("miss", "pass", "not fitted", "not caught"), name, "rows")
    assert found.misses == ["row 0", "row 3"]
    assert found.unsettled == ["row 2"]


def test_many_misses_are_counted_after_the_first():
    found = judge(rows(*["fail"] * 30), name, "rows")
    assert found.misses == [*(f"row {n}" for n in range(25)), "and 5 more"]


def test_every_word_of_a_verdict_is_judged():
    """A new word would be left out of all counts."""
    documented = [line.split("``")[1] for line in verdicts.__doc__.splitlines() if "``" in line[:2]]
    documented += [line.split("``")[1] for line in bounds.__doc__.splitlines() if "``" in line[:2]]
    assert len(documented) == 7 + 6
    assert {*documented} == {*AGREES, *OPEN, *MISSES, *UNPROMISED}


def test_several_verdicts_are_as_bad_as_the_worst():
    good, open_, bad = (
        Verdict("agrees", "agrees", "Good."),
        Verdict("open", "partly open", "Open.", [], ["a"]),
        Verdict("misses", "misses", "Bad.", ["b"]),
    )
    unjudged = Verdict("none", "nothing to judge", "None.")
    assert combine([good, unjudged]) == good
    assert combine([good, open_]).kind == "open"
    both = combine([open_, bad, good])
    assert (both.kind, both.word, both.summary) == ("misses", "misses in part", "Open. Bad. Good.")
    assert (both.misses, both.unsettled) == (["b"], ["a"])
    assert combine([unjudged]).kind == "none"


def test_headings_make_sense_one_by_one():
    titles = {"a": "Gap", "b": "95 % from", "c": "to", "d": "Certificate", "e": "Overtaken",
              "f": "Bound", "g": "Overtaken"}  # fmt: skip
    assert headings(titles) == [
        "Gap", "95 % from", "95 % to", "Certificate", "Certificate: overtaken", "Bound",
        "Bound: overtaken",
    ]  # fmt: skip
