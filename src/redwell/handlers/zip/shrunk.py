"""The first method of PKZIP: "shrink", LZW whose table is cleared in part. Called by zip_methods in a child."""

from collections.abc import Iterator

from redwell.core.errors import InvalidFile
from redwell.handlers.detect.zip_directory import Entry
from redwell.handlers.zip.bits import Bits

_CONTROL, _FIRST_FREE, _CODES = 256, 257, 1 << 13
_WIDER, _CLEAR = 1, 2
_NARROWEST, _WIDEST = 9, 13
_YIELD = 1 << 16


def unshrunk(packed: Iterator[bytes], entry: Entry) -> Iterator[bytes]:
    """The member in the clear: as many bytes as its header says."""
    decoder, out, left = _Decoder(Bits(packed)), bytearray(), entry.size
    while left > 0:
        string = decoder.string()
        out += string[:left]
        left -= len(string)
        if len(out) > _YIELD or left <= 0:
            yield bytes(out)
            out.clear()


class _Decoder:
    def __init__(self, bits: Bits) -> None:
        self._bits, self._width = bits, _NARROWEST
        self._parents: dict[int, int] = {}
        self._last: dict[int, int] = {}  # the last byte of each string
        self._next = _FIRST_FREE
        self._previous = -1
        self._string = b""

    def string(self) -> bytes:
        """What the next code stands for; the string before it and its first byte become a new code."""
        code = self._code()
        if self._previous < 0:
            if code > 255:
                raise InvalidFile("the member's bytes are damaged: it begins with no byte")
            self._previous, self._string = code, bytes((code,))
            return self._string
        known = code < _CONTROL or code in self._parents
        string = self._spelled(code) if known else self._string + self._string[:1]
        self._learn(string[0])
        self._previous, self._string = code, string
        return string

    def _code(self) -> int:
        while (code := self._bits.take(self._width)) == _CONTROL:
            order = self._bits.take(self._width)
            if order == _WIDER and self._width < _WIDEST:
                self._width += 1
            elif order == _CLEAR:
                self._clear()
            else:
                raise InvalidFile("the member's bytes are damaged: an unknown order")
        return code

    def _spelled(self, code: int) -> bytes:
        reversed_ = bytearray()
        while code > 255:
            if code not in self._parents or len(reversed_) > _CODES:
                raise InvalidFile("the member's bytes are damaged: a code without meaning")
            reversed_.append(self._last[code])
            code = self._parents[code]
        reversed_.append(code)
        return bytes(reversed_[::-1])

    def _learn(self, first: int) -> None:
        while self._next in self._parents:
            self._next += 1
        if self._next < _CODES:
            self._parents[self._next], self._last[self._next] = self._previous, first
            self._next += 1

    def _clear(self) -> None:
        """Forget the strings that no other string is made of."""
        needed = set(self._parents.values())
        self._parents = {code: parent for code, parent in self._parents.items() if code in needed}
        self._next = _FIRST_FREE
