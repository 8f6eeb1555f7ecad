"""Cells of binary workbooks with the values they showed last, in place of their formulas. Called in a child.

LibreOffice calculates TODAY(), NOW() and the like anew when it opens a file. In Excel's format until 2003 a cell keeps
its place in the stream, to which other records point: behind the shorter record of its value stands one that means
nothing. In the binary format since 2007 nothing points anywhere.
"""

import struct
from collections.abc import Iterator

_FORMULA, _NUMBER, _FILE_PASS, _NOTHING = 0x0006, 0x0203, 0x002F, 0x0FFF
_HEAD = struct.Struct("<HH")
_CELL, _VALUE = 6, 8  # bytes: row, column and look; a number
_TOKENS = _CELL + _VALUE + 8  # flags, a chain and the length of the formula stand before it
_CHANGING = {63, 74, 221}  # RAND, NOW, TODAY
_FUNCTION = {0x21, 0x41, 0x61}  # a function with a fixed number of arguments
_NO_NUMBER = b"\xff\xff"

# formulas by their results, and the same cells without one; what is kept of each: a cell of 8 bytes and its value
_PLAIN = {9: 5, 10: 4, 11: 3, 8: 6}
_VALUE_BYTES = {9: 8, 10: 1, 11: 1}
_STRING = 8
_BINARY_CELL = 8


def still_in_workbook(stream: bytes) -> bytes:
    """Of the same length. One that is locked stays as it is: what it says can't be told from here."""
    out, at = bytearray(stream), 0
    while at + _HEAD.size <= len(stream):
        kind, length = _HEAD.unpack_from(stream, at)
        if kind == _FILE_PASS:
            return stream
        body = stream[at + _HEAD.size : at + _HEAD.size + length]
        if kind == _FORMULA and len(body) == length >= _TOKENS and _is_changing(body):
            value = _HEAD.pack(_NUMBER, _CELL + _VALUE) + body[: _CELL + _VALUE]
            rest = length - _CELL - _VALUE - _HEAD.size
            out[at : at + _HEAD.size + length] = value + _HEAD.pack(_NOTHING, rest) + bytes(rest)
        at += _HEAD.size + length
    return bytes(out)


def _is_changing(body: bytes) -> bool:
    """A number of today: looked for in the formula without reading it; another number that looks so stays the same."""
    tokens = body[_TOKENS:]
    has_number = body[_CELL + _VALUE - 2 : _CELL + _VALUE] != _NO_NUMBER
    return has_number and any(
        code in _FUNCTION and int.from_bytes(tokens[at + 1 : at + 3], "little") in _CHANGING
        for at, code in enumerate(tokens[:-2])
    )


def still_in_binary_sheet(part: bytes) -> bytes:
    """Every formula that has a result becomes a cell with that."""
    out = bytearray()
    for kind, body, whole in _records(part):
        kept = _kept(kind, body)
        out += bytes([_PLAIN[kind]]) + _length(len(kept)) + kept if kept else whole
    return bytes(out)


def _kept(kind: int, body: bytes) -> bytes:
    if kind == _STRING:
        chars = int.from_bytes(body[_BINARY_CELL : _BINARY_CELL + 4], "little")
        length = _BINARY_CELL + 4 + 2 * chars
    else:
        length = _BINARY_CELL + _VALUE_BYTES.get(kind, 0)
    return body[:length] if kind in _PLAIN and length <= len(body) else b""


def _records(part: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Kind, body, and all of it; ValueError where the part ends in the middle of one."""
    at = 0
    while at < len(part):
        kind, behind = _number(part, at, 2)
        length, behind = _number(part, behind, 4)
        if behind + length > len(part):
            raise ValueError("a record is cut off")
        yield kind, part[behind : behind + length], part[at : behind + length]
        at = behind + length


def _number(part: bytes, at: int, most: int) -> tuple[int, int]:
    """Seven bits a byte for lengths; kinds keep the eighth, which tells that another byte follows."""
    value = 0
    for place in range(most):
        if at >= len(part):
            raise ValueError("a record is cut off")
        byte = part[at]
        value |= (byte & 0x7F) << (7 * place)
        at += 1
        if not byte & 0x80:
            break
    return value, at


def _length(value: int) -> bytes:
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)
