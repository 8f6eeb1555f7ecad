"""Which exhibit another one is a duplicate of, by its number: looked up for many at once."""

from collections.abc import Iterable, Iterator
from itertools import islice

from redwell.core.case.rows import Exhibit
from redwell.ports.case_reader import CaseReader

_AT_ONCE = 500


def with_originals(rows: CaseReader, exhibits: Iterable[Exhibit]) -> Iterator[tuple[Exhibit, str]]:
    """Each with the control number of the exhibit that it is a duplicate of, or an empty text."""
    following = iter(exhibits)
    while some := list(islice(following, _AT_ONCE)):
        numbers = {each.id: each.control_number for each in some}
        wanted = {each.duplicate_of for each in some if each.duplicate_of is not None} - numbers.keys()
        numbers |= {key: each.control_number for key, each in rows.some(sorted(wanted)).items()} if wanted else {}
        for each in some:
            yield each, numbers.get(each.duplicate_of, "") if each.duplicate_of is not None else ""
