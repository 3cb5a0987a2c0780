"""Pure-Python counterparts that several twins of kernels share; see `pythonpath` in pyproject."""

MASK = 2**64 - 1


def _rotate_left(word: int, places: int) -> int:
    return ((word << places) | (word >> (64 - places))) & MASK


class Xoshiro:
    """Generator xoshiro256++, after the C code of Blackman and Vigna (public domain, 2019)."""

    def __init__(self, words) -> None:
        self.words = [int(word) for word in words]

    def next(self) -> int:
        """Return the next 64-bit integer."""
        s = self.words
        result = (_rotate_left((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotate_left(s[3], 45)
        return result

    def uniform(self) -> float:
        """Return the upper 53 bits of the next integer as a number in [0, 1)."""
        return (self.next() >> 11) * 2.0**-53
