"""The folders of a store and which items lie in each, by the node database alone. Called by the pst handler."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from redwell.handlers.pst.nodes import Database
from redwell.handlers.pst.properties import Keeper
from redwell.handlers.pst.tree import Damaged

_FOLDER, _ITEM, _CONTENTS = 0x02, 0x04, 0x0E
_ROOT = 0x122
_NAME, _COUNT = 0x3001, 0x3602
_DEEPEST = 200


@dataclass(slots=True)
class Folder:
    nid: int
    path: str
    told: int | None  # items that the folder itself counts
    items: "array[int]"
    unlisted: frozenset[int]  # items that its own table leaves out: no mail program shows them


def read_folders(database: Database) -> list[Folder]:
    """Every folder in the order of the tree, then what lies in folders that are gone. Takes 4 bytes an item."""
    parents, items = dict[int, int](), dict[int, "array[int]"]()
    for node in database:
        if node.kind == _FOLDER:
            parents[node.nid] = node.parent
        elif node.kind == _ITEM:
            items.setdefault(node.parent, array("I")).append(node.nid)
    for lost in sorted(items.keys() - parents.keys()):
        parents[lost] = 0
    names = {nid: _told(database, nid) for nid in parents}
    paths = {nid: tuple(_steps(nid, parents, names)) for nid in parents}
    ordered = sorted(parents, key=lambda nid: _order(nid, parents))
    found = ((nid, items.get(nid, array("I"))) for nid in ordered)
    return [
        Folder(nid, "/".join(paths[nid]), names[nid][1], inside, _unlisted(database, nid, inside))
        for nid, inside in found
    ]


def _unlisted(database: Database, nid: int, items: "array[int]") -> frozenset[int]:
    """None where the table is missing or damaged: then nothing can be said of it."""
    if not items:
        return frozenset()
    try:
        listed = Keeper(database, database.node(nid & ~0x1F | _CONTENTS)).row_ids()
    except Damaged:
        return frozenset()
    return frozenset(items) - listed


def _told(database: Database, nid: int) -> tuple[str, int | None]:
    try:
        told = Keeper(database, database.node(nid)).properties()
    except Damaged:
        return f"folder {nid:#x}", None
    name = " ".join(told.text(_NAME).replace("/", " ").split())
    return name or ("" if nid == _ROOT else f"folder {nid:#x}"), told.number(_COUNT) if told.kind(_COUNT) else None


def _steps(nid: int, parents: dict[int, int], names: dict[int, tuple[str, int | None]]) -> Iterator[str]:
    return (name for each in reversed(list(_line(nid, parents))) if (name := names[each][0]))


def _order(nid: int, parents: dict[int, int]) -> list[int]:
    return list(reversed(list(_line(nid, parents))))


def _line(nid: int, parents: dict[int, int]) -> Iterator[int]:
    """From a folder up to its root, which is its own parent; no further where a damaged store runs in circles."""
    for _ in range(_DEEPEST):
        yield nid
        above = parents[nid]
        if above == nid or above not in parents:
            return
        nid = above
