"""What needs a person, out of the index: exact counts, and a page at a time, however many documents there are.

What is still open is in no index yet; the counts of the rows tell of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redwell.core.case.rows import Exhibit
from redwell.core.outcomes import NOTES, Code, Outcome
from redwell.core.search.query import And, Everything, Node, Not, Or, Value
from redwell.core.search.request import CONTROL_NUMBER, Cursor, Facet, Search, Sort
from redwell.ports.search_index import Counts, Hits
from redwell.review.searching import Searched

FINE = (Outcome.SUCCESS, Outcome.FILTERED)
_IS_FINE = Or(tuple(Value("outcome", outcome.lower()) for outcome in FINE))
_IS_WRONG = Or(tuple(Value("problem", code.lower()) for code in Code if code not in NOTES))
NEEDS_A_PERSON: Node = Or((And((Everything(), Not(_IS_FINE))), _IS_WRONG))


@dataclass(frozen=True, slots=True, kw_only=True)
class Exceptions:
    exhibits: Sequence[Exhibit]
    after: str  # empty: this was the last page
    outcomes: Mapping[str, int]  # of all of them, whichever outcome is shown


def exceptional(
    case: Searched, outcome: str = "", batch: int | None = None, after: str = "", limit: int = 100
) -> Exceptions:
    of_batch = (Value("batch", str(batch)),) if batch is not None else ()
    counted = _search(case, of_batch, "", 0).facets.get(
        "outcome", Counts(())
    )  # nothing is indexed yet: nothing is told
    filters = (*of_batch, *((Value("outcome", outcome.lower()),) if outcome else ()))
    found = _search(case, filters, after, limit)
    known = case.rows.some([hit.exhibit for hit in found.hits])
    return Exceptions(
        exhibits=[known[hit.exhibit] for hit in found.hits if hit.exhibit in known],
        after=str(found.after or ""),
        outcomes={name.upper(): count for name, count in counted.values},
    )


def _search(case: Searched, filters: tuple[Node, ...], after: str, limit: int) -> Hits:
    return case.index.search(
        Search(
            query=NEEDS_A_PERSON,
            filters=filters,
            sort=Sort(CONTROL_NUMBER),
            limit=limit,
            after=Cursor.read(after) if after else None,
            facets=() if limit else (Facet("outcome"),),
            snippets=False,
        )
    )
