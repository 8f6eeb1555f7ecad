"""Properties that an XMP packet tells. Used for PDF and pictures in a child."""

import io

from redwell.core.errors import InvalidFile
from redwell.handlers.structures.xml_text import leaves

_MOST_ELEMENTS = 20_000
_LISTS = frozenset(("Alt", "Seq", "Bag"))


def properties(packet: bytes) -> dict[str, str]:
    """The text of each property by its name without the prefix, the first where there are several.

    XMP writes lists as rdf:li below a property, and plain values as elements or attributes.
    A packet that is broken tells nothing.
    """
    try:
        found = leaves(io.BytesIO(packet.strip(b"\0 \r\n")), most=_MOST_ELEMENTS)
    except InvalidFile:
        return {}
    told: dict[str, str] = {}
    items: list[str] = []
    for name, attributes, said in found:
        if name == "li":
            items.append(said)
            continue
        for key, value in {**attributes, name: said or "; ".join(filter(None, items))}.items():
            if value:
                told.setdefault(key, value)
        if name not in _LISTS:
            items = []
    return told
