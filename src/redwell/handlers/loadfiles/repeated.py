"""Load files of a volume that say the same records once more: a DAT as CSV, or as EDRM XML. Used in a child."""

from collections.abc import Sequence
from itertools import chain
from pathlib import PurePosixPath

from redwell.core.errors import BadInput
from redwell.core.loadfiles.records.record_files import LoadFile

_ORDER = (".dat", ".csv", ".tsv", ".txt", ".dii", ".xml")  # what is read where several say the same


def without_repeats(tables: Sequence[LoadFile]) -> tuple[list[LoadFile], dict[str, str]]:
    """Those that are read, in the order given; and those that are not, with the one that says all they say.

    A file repeats another that is called like it, if it has the same ids, each once, and tells no field that the other
    does not tell.
    """
    kept, repeated = list[LoadFile](), dict[str, str]()
    for each in sorted(tables, key=_place):
        of = next((other for other in kept if _is_called_like(each, other) and _says_all(other, each)), None)
        if of is None:
            kept.append(each)
        else:
            repeated[each.name] = of.name
    return [each for each in tables if each.name not in repeated], repeated


def _place(table: LoadFile) -> tuple[int, str]:
    ending = PurePosixPath(table.name).suffix.lower()
    return _ORDER.index(ending) if ending in _ORDER else len(_ORDER), table.name


def _is_called_like(one: LoadFile, other: LoadFile) -> bool:
    stems = (PurePosixPath(each.name).stem.casefold() for each in (one, other))
    return len(set(stems)) == 1


def _says_all(table: LoadFile, other: LoadFile) -> bool:
    try:
        (ids, fields), (other_ids, other_fields) = _told(table), _told(other)
    except BadInput:
        return False
    is_once = len(set(ids)) == len(ids)
    return is_once and bool(ids) and sorted(ids) == sorted(other_ids) and other_fields <= fields


def _told(table: LoadFile) -> tuple[list[str], set[str]]:
    """Ids, and the fields that have any value."""
    ids, fields = list[str](), set[str]()
    for raw in table.records():
        ids.append(raw.values.get("docid") or raw.values.get("begbates") or "")
        told = chain(raw.values.items(), raw.others.items())
        fields.update(name.casefold() for name, value in told if value and name not in fields)
    return ids, fields
