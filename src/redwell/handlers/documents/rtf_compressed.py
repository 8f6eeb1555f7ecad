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
    window = bytearray(_PRESET.ljust(_WINDOW, b"\0"))
    write, out, at = len(_PRESET), bytearray(), _HEADER
    while at < len(stream) and len(out) < size:
        flags = stream[at]
        at += 1
        for bit in range(8):
            if flags >> bit & 1:
                pair = int.from_bytes(stream[at : at + 2], "big")
                at += 2
                if at > len(stream) or pair >> 4 == write % _WINDOW:  # the end mark points at itself
                    return bytes(out[:size]), at <= len(stream)
                run = _run(window, pair, write)
            else:
                run = stream[at : at + 1]
                at += 1
                window[write % _WINDOW] = run[0] if run else 0
            write += len(run)
            out += run
    return bytes(out[:size]), len(out) >= size


def _run(window: bytearray, pair: int, write: int) -> bytes:
    """The bytes that an offset and a length stand for; a run may read what it has just written."""
    run = bytearray()
    for step in range((pair & 15) + 2):
        byte = window[((pair >> 4) + step) % _WINDOW]
        window[(write + step) % _WINDOW] = byte
        run.append(byte)
    return bytes(run)
