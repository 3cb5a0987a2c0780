"""Gambit's file format for games in normal form (.nfg), read exactly.

A file says ``NFG 1 R "title"`` (``D`` for ``R`` is the same), the names of the players in braces,
their strategies in braces (a count for each player, or for each the names in braces), and, if it
likes, a comment in quotes. Then follow the payoffs in one of two forms:

* payoff form: for each joint action the payoff of every player;
* outcome form: in braces a list of outcomes ``{ "name" payoff, payoff, .. }``, and then for each
  joint action the number of an outcome, from 1; 0 is an outcome that pays nothing.

In both the **first** player's strategy changes fastest. Line breaks are blanks. The format is that
of Gambit, https://www.gambit-project.org; the reader is ours.
"""

import math
from array import array
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ccerates.errors import InputError
from ccerates.games.families.parameters import check_table_size
from ccerates.games.nfg_tokens import Token, Tokens

# More joint actions than any table holds: products beyond need not be computed.
_MANY = 2**40
_ONE_EACH = "write one entry for each player above"


class NormalForm(NamedTuple):
    """A game in normal form.

    Attributes
    ----------
    title, comment
        What the file says of the game.
    players
        Name of each player.
    actions
        Names of each player's strategies.
    values
        The different payoffs, exactly.
    payoffs
        (players, joint_actions) int64, places in `values`; joint actions are row-major, with the
        last player's action changing fastest.
    """

    title: str
    comment: str
    players: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    values: tuple[Fraction, ...]
    payoffs: np.ndarray


def parse_nfg(text: str) -> NormalForm:
    """Read a game from the text of an .nfg file.

    Parameters
    ----------
    text
        The file, lines ended by line feeds.

    Raises
    ------
    InputError
        If the text is no such file, or the table would be too large; the message names line and
        column, what was expected, and what to write.
    """
    tokens = Tokens(text)
    title = _heading(tokens)
    players = _players(tokens)
    strategies = tokens.expect("{", "'{' before the strategies")
    names = _strategy_names(tokens, players) if tokens.peek().kind == "{" else None
    counts = [len(own) for own in names] if names else _strategy_counts(tokens, players)
    _check_size(tokens, strategies, counts)
    comment = tokens.take().text if tokens.peek().kind == "text" else ""
    outcome_form = tokens.peek().kind == "{"
    values, payoffs = (_outcome_form if outcome_form else _payoff_form)(tokens, counts)
    tokens.expect("end", "the end of the file", f"the game has {math.prod(counts)} joint actions")
    return NormalForm(
        title=title,
        comment=comment,
        players=players,
        actions=tuple(names or (tuple(map(str, range(1, count + 1))) for count in counts)),
        values=values,
        payoffs=_last_fastest(payoffs, counts),
    )


def _heading(tokens: Tokens) -> str:
    for place, (accepted, meaning) in enumerate(
        ((("NFG",), "the kind of file"), (("1",), "the version"), (("R", "D"), "R or D"))
    ):
        token = tokens.take()
        if token.kind != "word" or token.text not in accepted:
            hint = 'an .nfg file begins NFG 1 R "title"'
            if place == 0:
                hint += (
                    "; for other files of Gambit write one in Python: "
                    "pygambit.read_efg(FILE).to_nfg(NEW_FILE), or read_gbt or read_agg"
                )
            raise tokens.error(
                token, f"expected {' or '.join(accepted)} ({meaning}), got {token}", hint
            )
    return tokens.expect("text", "the title in quotes", 'write "" if there is none').text


def _names(tokens: Tokens, what: str) -> tuple[str, ...]:
    """Return the texts up to the next '}'."""
    names: list[str] = []
    while tokens.peek().kind == "text":
        names.append(tokens.take().text)
    last = tokens.expect("}", f"{what} in quotes or '}}'", f'write names as "{what}"')
    if not names:
        raise tokens.error(last, f"expected {what} in quotes, got '}}'", "name at least one")
    return tuple(names)


def _players(tokens: Tokens) -> tuple[str, ...]:
    tokens.expect("{", "'{' before the players", 'write { "name" "name" }')
    return _names(tokens, "a player")


def _strategy_names(tokens: Tokens, players: tuple[str, ...]) -> list[tuple[str, ...]]:
    names = []
    for player in players:
        tokens.expect("{", f"'{{' before the strategies of player {player!r}")
        names.append(_names(tokens, "a strategy"))
    tokens.expect("}", "'}' after the strategies of the last player", _ONE_EACH)
    return names


def _strategy_counts(tokens: Tokens, players: tuple[str, ...]) -> list[int]:
    counts = []
    for player in players:
        token = tokens.take()
        count = tokens.number(token)
        if count.denominator != 1 or not 1 <= count <= _MANY:
            raise tokens.error(
                token,
                f"expected the number of strategies of player {player!r}, got {token}",
                "write an integer >= 1",
            )
        counts.append(int(count))
    tokens.expect("}", "'}' after the number of strategies of the last player", _ONE_EACH)
    return counts


def _check_size(tokens: Tokens, strategies: Token, counts: list[int]) -> None:
    """Raise InputError if the table would be too large."""
    joint = 1
    for count in counts:
        joint *= count
        if joint > _MANY:
            raise tokens.error(
                strategies,
                f"{len(counts)} players with these strategies have more than {_MANY} joint actions",
                "take fewer players or strategies",
            )
    try:
        check_table_size(1, counts, 1, 1)
    except InputError as error:
        raise tokens.error(strategies, str(error)) from None


class _Values:
    """Numbers for the different payoffs; a file repeats few of them many times."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._places: dict[str, int] = {}
        self.values: list[Fraction] = []

    def place(self, token: Token) -> int:
        """Return the place in `values` of the number that a token stands for."""
        known = self._places.get(token.text) if token.kind == "word" else None
        if known is not None:
            return known
        self.values.append(self._tokens.number(token))
        return self._places.setdefault(token.text, len(self.values) - 1)


def _payoff_form(tokens: Tokens, counts: list[int]) -> tuple[tuple[Fraction, ...], np.ndarray]:
    """Return the values, and (joint_actions, players) places in them, in the order of the file."""
    values, places = _Values(tokens), array("q")
    expected = math.prod(counts) * len(counts)
    for read in range(expected):
        token = tokens.take()
        if token.kind != "word":
            raise tokens.error(
                token,
                f"expected payoff {read + 1} of {expected}, got {token}",
                "write a payoff for each player and joint action, with blanks in between",
            )
        places.append(values.place(token))
    return tuple(values.values), np.array(places).reshape(-1, len(counts))


def _outcome_form(tokens: Tokens, counts: list[int]) -> tuple[tuple[Fraction, ...], np.ndarray]:
    """Return the values, and (joint_actions, players) places in them, in the order of the file."""
    values, places = _Values(tokens), array("q")
    places.extend([values.place(Token("word", "0", 0))] * len(counts))  # the outcome of number 0
    tokens.take()
    while tokens.peek().kind == "{":
        places.extend(_outcome(tokens, values, len(counts)))
    tokens.expect("}", "'{' of an outcome or '}' after the last one")
    outcomes = np.array(places).reshape(-1, len(counts))
    joint, known, chosen = math.prod(counts), {}, array("q")
    for read in range(joint):
        token = tokens.take()
        if token.text not in known or token.kind != "word":
            known[token.text] = _outcome_number(tokens, token, read, joint, len(outcomes))
        chosen.append(known[token.text])
    return tuple(values.values), outcomes[np.array(chosen)]


def _outcome(tokens: Tokens, values: _Values, num_players: int) -> list[int]:
    """Return the places of one outcome's payoffs."""
    tokens.take()
    if tokens.peek().kind == "text":
        tokens.take()
    places = []
    for player in range(num_players):
        if player and tokens.peek().kind == ",":
            tokens.take()
        token = tokens.take()
        if token.kind != "word":
            raise tokens.error(
                token,
                f"expected payoff {player + 1} of {num_players} of the outcome, got {token}",
                'write { "name" payoff, payoff, .. }, one payoff for each player',
            )
        places.append(values.place(token))
    tokens.expect("}", "'}' after an outcome's payoffs", f"the game has {num_players} players")
    return places


def _outcome_number(tokens: Tokens, token: Token, read: int, joint: int, count: int) -> int:
    if token.kind == "word":
        number = tokens.number(token)
        if number.denominator == 1 and 0 <= number < count:
            return int(number)
    raise tokens.error(
        token,
        f"expected the outcome of joint action {read + 1} of {joint}, got {token}",
        f"write the number of an outcome, 1..{count - 1}, or 0 for payoffs of 0",
    )


def _last_fastest(payoffs: np.ndarray, counts: list[int]) -> np.ndarray:
    """Return (players, joint_actions), row-major, from rows whose first player is fastest."""
    chosen = [count for count in counts if count > 1]  # NumPy allows 64 axes, but any number of 1s
    cube = payoffs.T.reshape(len(counts), *reversed(chosen))
    return cube.transpose(0, *range(len(chosen), 0, -1)).reshape(len(counts), -1)
