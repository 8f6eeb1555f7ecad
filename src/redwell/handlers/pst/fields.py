"""What contacts, appointments, tasks and journal entries of a store say, in the words that other formats use for it.

Called when an item is composed, in a child.
"""

from redwell.core.handler import MetaValue
from redwell.handlers.outlook import mapi
from redwell.handlers.outlook.mapi_items import item_fields
from redwell.handlers.pst.items import Item
from redwell.handlers.pst.tree import Damaged

_LONGEST = 64 << 10  # bodies and pictures are no fields


def fields_of(item: Item) -> dict[str, MetaValue]:
    """None for mail and for classes that nobody here knows."""
    told = mapi.Properties()
    for key in item.properties:
        try:
            kind, values = item.properties.raw_values(key, _LONGEST)
        except Damaged:
            continue
        told.put(key, kind, values)
    for (space, number), key in item.names.items():
        told.name(space, number, key)
    return item_fields(told)
