"""Reads the words of Publisher documents. Called by the compound handler in a child."""

import struct

from redwell.core.errors import InvalidFile
from redwell.handlers.structures.ole import Compound

_STREAM = "Quill/QuillSub/CONTENTS"
_MAGIC, _FIRST, _ENTRY = b"CHNKINK ", 0x20, 0x18


def text(compound: Compound) -> str:
    """All stories, one behind the other; raises `InvalidFile` where the list of parts is damaged."""
    data = compound.stream(_STREAM)
    if not data.startswith(_MAGIC):
        raise InvalidFile("the text's list of parts is missing")
    runs = []
    at = _FIRST
    while at + _ENTRY <= len(data) and struct.unpack_from("<H", data, at)[0] == _ENTRY:
        offset, length = struct.unpack_from("<II", data, at + 16)
        if data[at + 2 : at + 6] == b"TEXT":
            runs.append(data[offset : offset + length].decode("utf-16-le", "replace"))
        at += _ENTRY
    return "".join(runs).replace("\r", "\n").replace("\x0b", "\n").replace("\x0c", "\n").replace("\0", "")
