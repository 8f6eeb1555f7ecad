"""Which record is attached to which, by what rows say of their families. Pure."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

_DEEPEST = 20


class Member(NamedTuple):
    """What a row says of itself and of its family; empty where it says nothing."""

    id: str
    begbates: str = ""
    parentid: str = ""
    begattach: str = ""
    attachids: tuple[str, ...] = ()
    familyid: str = ""  # the same for all members, mostly the id of the first


class Tree(NamedTuple):
    parents: list[int | None]  # of each row, by place
    troubles: dict[int, str]  # what is wrong with a row's family


def family_tree(rows: Sequence[Member]) -> Tree:
    """PARENTID counts, then what a parent says of its attachments, then the family's first page, then its id.

    A parent that is in no row, or leads in a circle, is told of and not guessed: the record stands for itself.
    """
    names = _names(rows)
    claimed = {names[each]: at for at, row in enumerate(rows) for each in _keys(row.attachids) if each in names}
    heads = _heads(rows, names)
    parents: list[int | None] = []
    troubles: dict[int, str] = {}
    for at, row in enumerate(rows):
        parent, trouble = _parent(at, row, names, claimed)
        if parent is None and not trouble and not row.parentid and not row.begattach:
            parent = head if (head := heads.get(row.familyid.strip().casefold())) != at else None
        parents.append(parent)
        if trouble:
            troubles[at] = trouble
    for at in list(_circles(parents)):
        parents[at] = None
        troubles[at] = "its parents lead back to itself, or too far"
    return Tree(parents, troubles)


def _keys(values: Sequence[str]) -> Iterator[str]:
    return (value.strip().casefold() for value in values if value.strip())


def _names(rows: Sequence[Member]) -> dict[str, int]:
    """The first row that has a name is known by it."""
    found: dict[str, int] = {}
    for at, row in enumerate(rows):
        for name in _keys((row.id, row.begbates)):
            found.setdefault(name, at)
    return found


def _heads(rows: Sequence[Member], names: dict[str, int]) -> dict[str, int]:
    """The head of each family that has an id: the record that is called so, else its first."""
    heads: dict[str, int] = {}
    for at, row in enumerate(rows):
        for key in _keys((row.familyid,)):
            heads.setdefault(key, names.get(key, at))
    return heads


def unsure_ids(rows: Sequence[Member]) -> Iterator[tuple[int, str]]:
    """Rows that no id tells from the others, by place, and why."""
    first: dict[str, int] = {}
    for at, row in enumerate(rows):
        if not row.id:
            yield at, "the record has no id"
        elif first.setdefault(row.id.casefold(), at) != at:
            yield at, f"another row has the same id {row.id}"


def _parent(at: int, row: Member, names: dict[str, int], claimed: dict[int, int]) -> tuple[int | None, str]:
    own = set(_keys((row.id, row.begbates)))
    for told in _keys((row.parentid,)):
        if told in own:
            return None, ""  # many senders write the record's own number where it has no parent
        return names.get(told), "" if told in names else f"its parent {row.parentid} is in no row"
    if at in claimed and claimed[at] != at:
        return claimed[at], ""
    for told in _keys((row.begattach,)):
        if told in own:
            return None, ""
        parent = names.get(told)
        return (parent if parent != at else None), "" if parent is not None else f"no row begins at {row.begattach}"
    return None, ""


def _circles(parents: Sequence[int | None]) -> Iterator[int]:
    """One row of each circle, and rows that are attached too deep."""
    depth: dict[int, int] = {}
    for start in range(len(parents)):
        path: list[int] = []
        at: int | None = start
        on_path: set[int] = set()
        while at is not None and at not in depth and at not in on_path:
            path.append(at)
            on_path.add(at)
            at = parents[at]
        below = depth[at] if at is not None and at in depth else 0
        if at is not None and at in on_path:
            yield at
            below = 0
        for each in reversed(path):
            below += 1
            if below > _DEEPEST:
                yield each
                below = 1
            depth[each] = below
