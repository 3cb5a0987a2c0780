"""Faulty Gambit files: each message names line and column, and leads to the fix."""

import contextlib
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccerates.errors import InputError
from ccerates.games import gambit
from ccerates.games.gambit import import_gambit
from ccerates.games.model import MarkovGame

HEAD = 'NFG 1 R "t" { "a" "b" } { 2 2 }\n'
OUTCOMES = HEAD + '{ { "x" 1, 2 } { 3 4 } }\n'
PAYOFFS = "1 2 3 4 5 6 7"

WRONG = [
    ("", "line 1, column 1: expected NFG (the kind of file), got the end of the file"),
    ('EFG 2 R "t"', "got 'EFG'; an .nfg file begins NFG 1 R \"title\"; for other files of Gambit"),
    ("#AGG", "pygambit.read_efg(FILE).to_nfg(NEW_FILE), or read_gbt or read_agg"),
    ('NFG 2 R "t"', "column 5: expected 1 (the version), got '2'"),
    ('NFG 1 X "t"', "column 7: expected R or D (R or D), got 'X'"),
    ("NFG 1 R t", "column 9: expected the title in quotes, got 't'; write \"\" if there is none"),
    ('NFG 1 R "t', "column 9: the text 't' does not end; close it with a second \""),
    ('NFG 1 R "t\\"', "does not end"),
    ('NFG 1 R "t" 2', "expected '{' before the players, got '2'"),
    ('NFG 1 R "t" { }', "column 15: expected a player in quotes, got '}'; name at least one"),
    ('NFG 1 R "t" { a }', "expected a player in quotes or '}', got 'a'"),
    ('NFG 1 R "t" { "a" } { 0 }', "number of strategies of player 'a', got '0'; write an integer"),
    ('NFG 1 R "t" { "a" } { 1.5 }', "expected the number of strategies of player 'a', got '1.5'"),
    ('NFG 1 R "t" { "a" "b" } { 2 }', "expected a number, got '}'"),
    ('NFG 1 R "t" { "a" } { 2 2 }', "got '2'; write one entry for each player above"),
    ('NFG 1 R "t" { "a" } { { } }', "expected a strategy in quotes, got '}'"),
    ('NFG 1 R "t" { "a" "b" } { { "x" } }', "expected '{' before the strategies of player 'b'"),
    (
        'NFG 1 R "t"\n{ "a" }\n{ 999999999999 }',
        "line 3, column 1: num_actions: 999999999999 joint actions with 1 states",
    ),
    (
        'NFG 1 R "t" { "a" "b" "c" } { 1000000 1000000 1000000 }',
        "3 players with these strategies have more than 1099511627776 joint actions",
    ),
    ('NFG 1 R "t" { "a" } { ' + "9" * 5000 + " }", "has more than 400 digits; round it"),
    (HEAD + PAYOFFS, "line 2, column 14: expected payoff 8 of 8, got the end of the file; write a"),
    (HEAD + PAYOFFS + " 8\n9", "line 3, column 1: expected the end of the file, got '9'; the game"),
    (HEAD + "1, 2", "line 2, column 2: expected payoff 2 of 8, got ','; write a payoff for each"),
    (HEAD + "1 two", "line 2, column 3: expected a number, got 'two'; numbers look like 3, -1/2,"),
    (HEAD + "1 1/0", "'1/0' divides by zero"),
    (HEAD + "1 nan", "expected a number, got 'nan'"),
    (HEAD + "1 inf", "expected a number, got 'inf'"),
    (HEAD + "1 1_0", "expected a number, got '1_0'"),
    (HEAD + "1 \N{ARABIC-INDIC DIGIT ONE}", "line 2, column 3: expected a number, got"),
    (HEAD + "1 1e999999999", "the exponent of '1e999999999' is beyond 400; divide all payoffs"),
    (HEAD + "1 1e" + "9" * 5000, "has more than 400 digits"),
    (HEAD + "1 1e-999999999", "the exponent of '1e-999999999' is beyond 400"),
    (HEAD + "1 -1e308", "'-1e308' is beyond 8.9e307; divide all payoffs by one number"),
    ('NFG 1 R "" { "a" } { 2 } 1e-400 2e-400', "payoffs differ by less than a float can hold"),
    (
        OUTCOMES + "1 2 3 1",
        "column 5: expected the outcome of joint action 3 of 4, got '3'",
    ),
    (OUTCOMES + "1 2 3 1", "write the number of an outcome, 1..2, or 0 for payoffs of 0"),
    (OUTCOMES + "1 2 -1 1", "got '-1'"),
    (OUTCOMES + "1 2 1", "expected the outcome of joint action 4 of 4, got the end of the file"),
    (OUTCOMES + "1 2 1 1 1", "expected the end of the file, got '1'; the game has 4 joint actions"),
    (HEAD + '{ { "x" 1 } }', "expected payoff 2 of 2 of the outcome, got '}'; write { \"name\""),
    (HEAD + '{ { "x" 1, , 2 } }', "expected payoff 2 of 2 of the outcome, got ','"),
    (
        HEAD + '{ { "x" 1 2 3 } }',
        "after an outcome's payoffs, got '3'; the game has 2 players",
    ),
    (HEAD + '{ { "x" 1 2 } 1', "expected '{' of an outcome or '}' after the last one, got '1'"),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.nfg"


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_faults(path, text, message):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        import_gambit(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400 + len(str(path))


def test_line_ends_of_every_system_count_once(path):
    for end in ("\n", "\r\n", "\r"):
        path.write_bytes(f'NFG 1 R "t"{end}{{ "a" }}{end}{{ 2 }}{end}1 x'.encode())
        with pytest.raises(InputError, match="line 4, column 3"):
            import_gambit(path)


def test_files_that_are_none(tmp_path, path, monkeypatch):
    with pytest.raises(InputError, match=r"there is no such file; name a Gambit \.nfg file"):
        import_gambit(path)
    with pytest.raises(InputError, match="there is no such file"):
        import_gambit(tmp_path)
    path.write_text(HEAD, encoding="utf-16")
    with pytest.raises(InputError, match="UTF-16; save it as UTF-8"):
        import_gambit(path)
    path.write_text(HEAD + "1 2 3 4 5 6 7 8")
    monkeypatch.setattr(gambit, "MAX_FILE_BYTES", path.stat().st_size)
    assert import_gambit(path).num_players == 2
    monkeypatch.setattr(gambit, "MAX_FILE_BYTES", path.stat().st_size - 1)
    with pytest.raises(InputError, match=re.escape("ccerates games make --arrays")):
        import_gambit(path)


PIECES = st.sampled_from(
    [*("NFG 1 R", "D", '"t"', '"', "\\", "{", "}", ",", "0", "1", "2", "-1/2", "1e9", "\n", " ")]
)


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=60),
        st.binary(max_size=20).map(HEAD.encode().__add__),
        st.lists(PIECES, max_size=20).map(lambda pieces: " ".join(pieces).encode()),
        st.lists(PIECES, max_size=20).map(lambda pieces: (HEAD + " ".join(pieces)).encode()),
        st.lists(PIECES, max_size=20).map(lambda pieces: (OUTCOMES + " ".join(pieces)).encode()),
        st.tuples(st.integers(0, 60), st.binary(max_size=3)).map(
            lambda cut: (
                (OUTCOMES + "1 2 0 1").encode()[: cut[0]]
                + cut[1]
                + (OUTCOMES + "1 2 0 1").encode()[cut[0] + 1 :]
            )
        ),
    )
)
def test_any_bytes_are_a_game_or_an_input_error(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "fuzz.nfg"
    path.write_bytes(content)
    began = time.process_time()
    with contextlib.suppress(InputError):
        assert isinstance(import_gambit(path), MarkovGame)
    assert time.process_time() - began < 1
