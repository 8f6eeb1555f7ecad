"""UUIDv7: sortable by time, for every id that leaves the system."""

import os
import time
import uuid


def uuid7() -> uuid.UUID:
    return uuid.UUID(bytes=uuid7_bytes())


def uuid7_bytes() -> bytes:
    """As rows keep it: a UUID object costs more to make than all the rest of it."""
    stamp = time.time_ns() // 1_000_000
    tail = bytearray(os.urandom(10))
    tail[0] = 0x70 | tail[0] & 0x0F
    tail[2] = 0x80 | tail[2] & 0x3F
    return stamp.to_bytes(6, "big") + tail


def uuid_text(data: bytes) -> str:
    """As people and messages write it, without a UUID object on the way."""
    text = data.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
