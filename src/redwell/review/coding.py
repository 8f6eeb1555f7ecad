"""Which documents a change of tags is about, and what it would do, before it is done."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from redwell.core.errors import UserError
from redwell.ports.review import ReviewStore
from redwell.review.searching import Asked, Searched, search

CONFLICTS_SHOWN = 20
MOST = 100_000  # documents of one change


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Documents by id, or all that a search finds; `family`: with their families."""

    documents: Sequence[int] = ()
    found: Asked | None = None
    family: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    documents: int  # that were chosen
    changing: int  # that are different afterwards
    otherwise: int  # that have another tag, by which somebody decided about them
    conflicts: Sequence[int] = ()  # the first of these


def chosen(choice: Choice, case: Searched, review: ReviewStore) -> list[int]:
    """Each once, those that were named first."""
    keys = list(choice.documents)
    if choice.found is not None:
        keys += _found(replace(choice.found, limit=1000, facets=False), case, review)
    if not keys and choice.found is None:
        raise UserError("name documents, or a query")
    return _with_families(keys, case) if choice.family else list(dict.fromkeys(keys))


def _with_families(keys: Sequence[int], case: Searched) -> list[int]:
    found, known = dict.fromkeys(keys), set[int]()
    for key in keys:
        if key not in known:  # of a family that was met, all members are there
            members = [member.id for member in case.rows.family(key)]
            known.update(members)
            found.update(dict.fromkeys(members))
    return list(found)


def _found(asked: Asked, case: Searched, review: ReviewStore) -> list[int]:
    keys = list[int]()
    while True:
        found = search(asked, case, review)
        if found.total > MOST:
            raise UserError(
                f"{found.total:,} documents are more than one change may have ({MOST:,}): narrow the search"
            )
        keys += [line.exhibit.id for line in found.lines]
        if not found.after:
            return keys
        asked = replace(asked, after=found.after)


def preview(tag: int, on: bool, keys: Sequence[int], review: ReviewStore) -> Preview:
    taggings = review.taggings(keys)
    having = {each.exhibit for each in taggings if each.tag == tag}
    others = {each.exhibit for each in taggings if each.tag != tag}
    changing = [key for key in keys if (key in having) != on]
    conflicts = [key for key in changing if key in others]
    return Preview(
        documents=len(keys), changing=len(changing), otherwise=len(conflicts), conflicts=conflicts[:CONFLICTS_SHOWN]
    )
