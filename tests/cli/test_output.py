"""Tables and JSON that commands print."""

import json
from typing import NamedTuple

import numpy as np

from ccerates.cli.output import write_json, write_table


class Row(NamedTuple):
    name: str
    values: np.ndarray


def test_json_is_plain_and_strict(capsys):
    rows = {"rows": (Row("a", np.array([1.5, np.nan])), np.int64(3), np.float64("inf"), True)}
    write_json(rows)

    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    found = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert found == {"rows": [{"name": "a", "values": [1.5, None]}, 3, None, True]}


def test_numbers_stand_to_the_right_and_texts_to_the_left(capsys):
    write_table(["name", "count", "gap"], [["a", 5, 0.123456], ["longer", 1000, None]])
    assert capsys.readouterr().out.splitlines() == [
        "name    count      gap",
        "a           5  0.12346",
        "longer   1000        -",
    ]
