"""The records that Excel's binary workbooks are made of. Runs in a child."""

import struct
from collections.abc import Iterator


def records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    """(kind, start, end) of every record; a record that runs over the end is the last."""
    position, size = 0, len(stream)
    while position + 4 <= size:
        kind, length = struct.unpack_from("<HH", stream, position)
        start = position + 4
        position = min(start + length, size)
        yield kind, start, position
