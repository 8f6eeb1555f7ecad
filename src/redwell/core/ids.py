"""UUIDv7: sortable by time, for every id that leaves the system."""

import os
import time
import uuid


def uuid7() -> uuid.UUID:
    stamp = time.time_ns() // 1_000_000
    tail = int.from_bytes(os.urandom(10), "big")
    value = (
        (stamp & 0xFFFF_FFFF_FFFF) << 80
        | 0x7 << 76
        | (tail >> 62 & 0xFFF) << 64
        | 0b10 << 62
        | tail & 0x3FFF_FFFF_FFFF_FFFF
    )
    return uuid.UUID(int=value)
