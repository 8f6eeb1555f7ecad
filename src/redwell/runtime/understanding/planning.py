"""Which documents are to be understood: those with text that nobody has asked about yet, each content once."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from redwell.core.case.rows import Exhibit, Wanted
from redwell.core.errors import NotFound, UserError
from redwell.ports.understanding import KeptSchema, UnderstandingStore, Wish
from redwell.runtime.bootstrap.open_understanding import UnderstoodCase

AT_ONCE = 500
_CONTAINERS = {"archive", "delivery", "mailbox", "image-of-disk", "volume", "database", "program", "recording"}


def schema_named(store: UnderstandingStore, name: str) -> KeptSchema:
    found = next((each for each in store.schemas() if each.name == name), None)
    if found is None:
        raise NotFound(f"the case has no schema {name!r}; `redwell schema list` shows them")
    return found


def chosen(case: UnderstoodCase, numbers: Sequence[str], query: str) -> list[Exhibit]:
    """By control number, by a search, or all there are."""
    rows = case.reader.rows
    if numbers:
        found = rows.numbered(list(numbers))
        if missing := [number for number in numbers if number not in found]:
            raise NotFound(f"there is no document {missing[0]}; `redwell documents` lists them")
        return list(found.values())
    if query:
        keys = case.exhibits_found(query)
        return [
            each for start in range(0, len(keys), AT_ONCE) for each in rows.some(keys[start : start + AT_ONCE]).values()
        ]
    return list(rows.exhibits(Wanted()))


def is_container(exhibit: Exhibit) -> bool:
    return exhibit.kind in _CONTAINERS


def has_something_to_say(exhibit: Exhibit) -> bool:
    return bool(exhibit.outcome and (exhibit.text or exhibit.ocr) and not is_container(exhibit))


def plan(store: UnderstandingStore, exhibits: Iterable[Exhibit], wish: Wish, *, again: bool) -> int:
    """How many ingestions there are more; `wish` is that of each, but for the exhibit."""
    if not store.schemas():
        raise UserError("the case has no schema yet: add one with `redwell schema add FILE --case CASE`")
    added = set[bytes]()
    for some in _chunks(each for each in exhibits if has_something_to_say(each)):
        firsts = {each.duplicate_of or each.id: each for each in some}
        known = set() if again else store.known(list(firsts))
        fresh = [key for key in firsts if key not in known]
        added.update(store.wish([_of(wish, key) for key in fresh]))  # copies of a content share one
    return len(added)


def _of(wish: Wish, exhibit: int) -> Wish:
    return Wish(exhibit=exhibit, schema=wish.schema, source=wish.source, uploader=wish.uploader, said=wish.said)


def _chunks(exhibits: Iterable[Exhibit]) -> Iterator[list[Exhibit]]:
    following = iter(exhibits)
    while some := list(islice(following, AT_ONCE)):
        yield some
