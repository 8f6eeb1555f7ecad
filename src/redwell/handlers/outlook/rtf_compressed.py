"""Unpacks the RTF bodies of Outlook messages (MS-OXRTFCP). Called by the readers of MSG, TNEF and PST in a child.

Our own, because the library for it refuses a whole body for a wrong checksum.
"""

import struct

from redwell.core.errors import InvalidFile

_HEADER = 16
_COUNTED = 12
_WINDOW = 4096
_PRESET = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_PACKED, _STORED = b"LZFu", b"MELA"


def unpacked(stream: bytes) -> tuple[bytes, bool]:
    """The RTF, and whether all of it is there. Raises `InvalidFile` where the stream is no packed RTF."""
    if len(stream) < _HEADER:
        raise InvalidFile("the packed RTF body is cut off")
    size, kind = struct.unpack_from("<I4s", stream, 4)
    if kind == _STORED:
        content = stream[_HEADER : _HEADER + size]
        return content, len(content) >= size - _COUNTED  # some writers count a part of the header too
    if kind != _PACKED:
        raise InvalidFile("the RTF body is packed in an unknown way")
    return _inflated(stream, size)


def _inflated(stream: bytes, size: int) -> tuple[bytes, bool]:
    """The bytes up to `size`, which the stream claims, or up to its own end mark; a run is 17 bytes at most."""
    out = bytearray(_WINDOW) + _PRESET  # a run may reach a whole window back, into zeros
    start, at = len(out), _HEADER
    while at < len(stream) and len(out) - start < size:
        flags = stream[at]
        at += 1
        if flags == 0:
            out += stream[at : at + 8]
            at += 8
            continue
        for bit in range(8):
            if not flags >> bit & 1:
                out += stream[at : at + 1]
                at += 1
                continue
            pair = int.from_bytes(stream[at : at + 2], "big")
            back = (len(out) - _WINDOW - (pair >> 4)) % _WINDOW
            at += 2
            if at > len(stream) or back == 0:  # the end mark points at itself
                return bytes(out[start : start + size]), at <= len(stream)
            length, source = (pair & 15) + 2, len(out) - back
            run = out[source : source + length]
            out += run if len(run) == length else (run * length)[:length]  # it may read what it has just written
    return bytes(out[start : start + size]), len(out) - start >= size
