"""Tables on disk, byte for byte."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ccerates.analysis.tables import read_csv, write_csv, write_latex
from ccerates.errors import InputError

TABLE = pd.DataFrame(
    {
        "algorithm": ["q-ftrl", "50 % & more_"],
        "samples": [1234567, 8],
        "gap": [0.123456789012345, np.nan],
        "needed": [1234567.0, -2.5],
        "fitted": [True, False],
        "word": ["none", np.nan],
    }
)


def test_csv_is_written_as_promised(tmp_path: Path) -> None:
    path = tmp_path / "new" / "table.csv"
    write_csv(TABLE, path)
    assert path.read_bytes() == (
        b"algorithm,samples,gap,needed,fitted,word\n"
        b"q-ftrl,1234567,0.123456789,1234567,True,none\n"
        b"50 % & more_,8,,-2.5,False,\n"
    )


def test_csv_comes_back(tmp_path: Path) -> None:
    write_csv(TABLE, tmp_path / "table.csv")
    pd.testing.assert_frame_equal(
        read_csv(tmp_path / "table.csv"), TABLE, rtol=1e-9, check_dtype=False
    )


def test_latex_is_a_booktabs_tabular(tmp_path: Path) -> None:
    titles = {
        "algorithm": "algorithm", "needed": "samples_needed", "samples": "95 % low", "gap": "gap",
        "fitted": "fitted", "word": "CI",
    }  # fmt: skip
    write_latex(TABLE, tmp_path / "table.tex", titles)
    assert (tmp_path / "table.tex").read_text(encoding="utf-8").splitlines() == [
        r"% Needs \usepackage{booktabs}",
        r"\begin{tabular}{lrrrrl}",
        r"\toprule",
        r"algorithm & samples\_needed & 95 \% low & gap & fitted & CI \\",
        r"\midrule",
        r"q-ftrl & $1.235 \times 10^{6}$ & $1234567$ & $0.1235$ & yes & none \\",
        r"50 \% \& more\_ & $-2.5$ & $8$ & -- & no & -- \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_a_title_without_a_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column gapp"):
        write_latex(TABLE, tmp_path / "table.tex", {"gapp": "gap"})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such table"),
        (b"", "not a CSV table"),
        (b"a,b\n1,2\n3,4,5\n", "not a CSV table"),
        (b"\xff\xfe\x00", "not a CSV table"),
    ],
)
def test_unreadable_tables_are_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "table.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=f"table.csv: {message}"):
        read_csv(path)
