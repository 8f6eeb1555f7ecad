"""Files inside the objects of an RTF document. Called by the document handler in a child."""

import struct
from functools import partial

from redwell.core.errors import InvalidFile
from redwell.handlers.structures.embedded import Embedded, packaged, unwrap


def embedded(objects: list[bytes]) -> list[Embedded]:
    """The files inside a document's OLE 1 objects."""
    return [
        Embedded(f"obj:{index}", f"object {index + 1}", partial(_object_file, raw, f"object {index + 1}"))
        for index, raw in enumerate(objects)
    ]


def _object_file(raw: bytes, name: str) -> tuple[str, bytes]:
    """The file in an OLE 1 object: a package with its own name, or the program's data."""
    try:
        texts, offset = [], 8
        for _ in range(3):
            (length,) = struct.unpack_from("<I", raw, offset)
            texts.append(raw[offset + 4 : offset + 4 + length].rstrip(b"\0"))
            offset += 4 + length
        (size,) = struct.unpack_from("<I", raw, offset)
        data = raw[offset + 4 : offset + 4 + size]
        if texts[0] == b"Package":
            return packaged(data)
        return unwrap(name, data)
    except (struct.error, ValueError, IndexError):
        raise InvalidFile("the embedded object is cut off") from None
