"""The method of PKZIP 1 that libraries have forgotten: "implode". Called by zip_methods in a child.

Shannon-Fano codes over literals, lengths and distances, complemented, in bytes read from their low end.
"""

from collections.abc import Iterator, Sequence

from redwell.core.errors import InvalidFile
from redwell.handlers.detect.zip_directory import Entry
from redwell.handlers.zip.bits import LONGEST_CODE, Bits, Table

_LARGE_WINDOW, _LITERAL_TREE = 2, 4  # of the member's flags
_LONGEST_MATCH = 63  # a length beyond it follows in a byte
_YIELD = 1 << 16
_WINDOW = 1 << 13


def exploded(packed: Iterator[bytes], entry: Entry) -> Iterator[bytes]:
    """The member in the clear: as many bytes as its header says."""
    bits = Bits(packed)
    literals = _table(bits, 256) if entry.flags & _LITERAL_TREE else None
    lengths, distances = _table(bits, 64), _table(bits, 64)
    low_bits, shortest = 7 if entry.flags & _LARGE_WINDOW else 6, 3 if literals else 2
    out, left = bytearray(_WINDOW), entry.size
    while left > 0:
        if bits.take(1):
            out.append(bits.symbol(literals) if literals else bits.take(8))
            left -= 1
        else:
            back = bits.take(low_bits) + (bits.symbol(distances) << low_bits) + 1
            length = bits.symbol(lengths)
            length += (bits.take(8) if length == _LONGEST_MATCH else 0) + shortest
            for _ in range(min(length, left)):
                out.append(out[-back])
            left -= length
        if len(out) > _WINDOW + _YIELD or left <= 0:
            yield bytes(out[_WINDOW:])
            del out[:-_WINDOW]


def _table(bits: Bits, symbols: int) -> Table:
    """The code lengths lie before the data, run by run: how many symbols have codes of how many bits."""
    lengths: list[int] = []
    for _ in range(bits.take(8) + 1):
        length, repeated = bits.take(4) + 1, bits.take(4) + 1
        lengths += [length] * repeated
    if len(lengths) != symbols:
        raise InvalidFile("the member's code table is damaged")
    width = max(lengths)
    entries = [(-1, 0)] * (1 << width)
    for symbol, (code, length) in enumerate(zip(_codes(lengths), lengths, strict=True)):
        step = 1 << length
        entries[code::step] = [(symbol, length)] * len(range(code, 1 << width, step))
    if (-1, 0) in entries:
        raise InvalidFile("the member's code table is damaged")
    return width, entries


def _codes(lengths: Sequence[int]) -> list[int]:
    """The code of each symbol as it stands in the bytes: canonical, complemented, first bit lowest."""
    following, code = [0] * (LONGEST_CODE + 2), 0
    for length in range(1, LONGEST_CODE + 1):
        following[length] = code
        code = (code + lengths.count(length)) << 1
    codes = []
    for length in lengths:
        canonical = following[length]
        following[length] += 1
        if canonical >> length:
            raise InvalidFile("the member's code table is damaged")
        codes.append(int(f"{canonical:0{length}b}"[::-1], 2) ^ ((1 << length) - 1))
    return codes
