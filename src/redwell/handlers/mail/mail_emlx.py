"""What Apple Mail notes behind a message (EMLX). Called by the eml handler in a child."""

import plistlib
from datetime import UTC, datetime
from xml.parsers.expat import ExpatError

from redwell.core.handler import MetaValue
from redwell.handlers.structures.dates import iso

_LONGEST = 1 << 20
_FLAGS = {0: "is_read", 1: "is_deleted", 2: "is_answered", 4: "is_flagged", 6: "is_draft"}


def emlx_fields(trailer: bytes) -> dict[str, MetaValue]:
    """When the message was received and what its owner did with it; nothing where the list is damaged."""
    try:
        told = plistlib.loads(trailer[:_LONGEST].strip())
    except (
        plistlib.InvalidFileException,
        ExpatError,
        ValueError,
        OverflowError,
        LookupError,
        TypeError,
        RecursionError,
    ):
        return {}
    if not isinstance(told, dict):
        return {}
    flags, received = told.get("flags"), told.get("date-received")
    found: dict[str, MetaValue] = {}
    if isinstance(flags, int):
        found |= {name: True for bit, name in _FLAGS.items() if flags >> bit & 1} | {"is_read": bool(flags & 1)}
    if isinstance(received, int | float) and 0 < received < 1 << 33:
        found["date_received"] = iso(datetime.fromtimestamp(received, UTC))
    return found
