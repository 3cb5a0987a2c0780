"""Words, quoted texts and braces of a Gambit file, and the exact numbers that words stand for."""

import re
from fractions import Fraction
from typing import NamedTuple

from ccerates.errors import InputError

# Longer numbers, or larger exponents, say no more than a float holds and take long to expand.
MAX_DIGITS = 400

_NEXT = re.compile(r'[ \t\n\r\f\v]*(?:([{},])|(")|([^ \t\n\r\f\v{},"]+))')
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+/(?P<denominator>[0-9]+)"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]+))?)"
)
_LARGEST = Fraction(2) ** 1023  # differences of two such payoffs are still finite as floats


class Token(NamedTuple):
    """A piece of the file.

    Attributes
    ----------
    kind
        ``"{"``, ``"}"``, ``","``, ``"text"`` (in quotes), ``"word"`` or ``"end"``.
    text
        What stands there; of a text what its quotes hold.
    offset
        Where it begins, in characters from 0.
    """

    kind: str
    text: str
    offset: int

    def __str__(self) -> str:
        if self.kind == "end":
            return "the end of the file"
        shown = self.text if len(self.text) <= 40 else f"{self.text[:37]}..."
        return f"the text {shown!r}" if self.kind == "text" else repr(shown)


class Tokens:
    """The tokens of a text, one after the other, with one to look ahead at.

    Parameters
    ----------
    text
        The file, lines ended by line feeds.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._ahead: Token | None = None

    def peek(self) -> Token:
        """Return the next token and leave it there."""
        if self._ahead is None:
            self._ahead = self._scan()
        return self._ahead

    def take(self) -> Token:
        """Return the next token and move past it."""
        token = self.peek()
        self._ahead = None
        return token

    def expect(self, kind: str, what: str, hint: str = "") -> Token:
        """Return the next token, which must be of a kind; `what` names it in the message."""
        token = self.take()
        if token.kind != kind:
            raise self.error(token, f"expected {what}, got {token}", hint)
        return token

    def error(self, token: Token, fault: str, hint: str = "") -> InputError:
        """Return an error that names line and column of a token, what is wrong and what to do."""
        line = self._text.count("\n", 0, token.offset) + 1
        column = token.offset - self._text.rfind("\n", 0, token.offset)
        return InputError(f"line {line}, column {column}: {fault}" + (f"; {hint}" if hint else ""))

    def number(self, token: Token) -> Fraction:
        """Return the number that a word stands for, exactly: ``3``, ``-1/2``, ``.5``, ``1e-3``.

        Raises
        ------
        InputError
            If the word is no number, or one that a float cannot hold.
        """
        match = _NUMBER.fullmatch(token.text)
        if token.kind != "word" or match is None:
            raise self.error(
                token, f"expected a number, got {token}", "numbers look like 3, -1/2, 0.25 or 1e-3"
            )
        if len(token.text) > MAX_DIGITS:
            raise self.error(token, f"{token} has more than {MAX_DIGITS} digits", "round it")
        if abs(int(match["exponent"] or 0)) > MAX_DIGITS:
            raise self.error(token, f"the exponent of {token} is beyond {MAX_DIGITS}", _RESCALE)
        if match["denominator"] and not int(match["denominator"]):
            raise self.error(token, f"{token} divides by zero", "write a finite number")
        number = Fraction(token.text)
        if abs(number) > _LARGEST:
            raise self.error(token, f"{token} is beyond 8.9e307", _RESCALE)
        return number

    def _scan(self) -> Token:
        match = _NEXT.match(self._text, self._end)
        if match is None:
            return Token("end", "", len(self._text))
        self._end = match.end()
        sign, quote, word = match.groups()
        if word is not None:
            return Token("word", word, match.start(3))
        if quote is None:
            return Token(sign, sign, match.start(1))
        return self._quoted(match.start(2))

    def _quoted(self, start: int) -> Token:
        r"""Return the text that begins with the quote at `start`; ``\"`` stands for a quote."""
        end = self._text.find('"', start + 1)
        while end > 0 and self._text[end - 1] == "\\":
            end = self._text.find('"', end + 1)
        if end < 0:
            opened = Token("text", self._text[start + 1 :], start)
            raise self.error(opened, f"{opened} does not end", 'close it with a second "')
        self._end = end + 1
        return Token("text", self._text[start + 1 : end].replace('\\"', '"'), start)


_RESCALE = "divide all payoffs by one number, which changes the unit of gaps alone"
