"""Which property ids of a store stand for the properties that are known by a set and a number. Runs in a child."""

import struct
from uuid import UUID

from redwell.handlers.pst.nodes import Database
from redwell.handlers.pst.properties import Keeper
from redwell.handlers.pst.tree import Damaged

_MAP_NODE = 0x61
_SETS, _ENTRIES = 0x02, 0x03
_FIRST_NAMED = 0x8000


def named_properties(database: Database) -> dict[tuple[str, int], int]:
    """(property set, number) to property id; those known by a text are left out. Empty where the map is damaged."""
    try:
        kept = Keeper(database, database.node(_MAP_NODE)).properties()
        sets, entries = kept.data(_SETS), kept.data(_ENTRIES)
    except Damaged:
        return {}
    found = {}
    for number, told, index in struct.iter_unpack("<IHH", entries[: len(entries) // 8 * 8]):
        which = (told >> 1) - 3
        raw = sets[which * 16 : which * 16 + 16] if which >= 0 else b""
        if not told & 1 and len(raw) == 16:
            found[str(UUID(bytes_le=raw)), number] = _FIRST_NAMED + index
    return found
