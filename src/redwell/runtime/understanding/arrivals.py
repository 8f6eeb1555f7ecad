"""Documents that came into a case with schemas are asked about by themselves, when their import is over.

Called by whoever works on understanding; several may, and killed anywhere each document is asked about once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from redwell.core.case.rows import Exhibit, Wanted
from redwell.ports.case_reader import CaseReader
from redwell.ports.understanding import Plan, UnderstandingStore, Wish
from redwell.runtime.understanding.planning import AT_ONCE, has_something_to_say, is_container

_NOBODY = "redwell"


@dataclass(frozen=True, slots=True)
class _Origin:
    """What a source or a person brought is an ingestion each time; of other imports a content is asked about once."""

    source: int | None
    uploader: str | None
    is_arrival: bool


def plan_arrivals(store: UnderstandingStore, rows: CaseReader) -> list[bytes]:
    """The ingestions that there are more."""
    return [uid for plan in store.unplanned() for uid in _planned(store, rows, plan)]


def _planned(store: UnderstandingStore, rows: CaseReader, plan: Plan) -> Iterator[bytes]:
    origin, said = _origin(rows, plan), store.said(plan.batch)
    while True:
        page = rows.page(plan.cursor or None, AT_ONCE, Wanted(batch=plan.batch))
        wishes = [
            Wish(
                exhibit=key,
                source=origin.source,
                uploader=origin.uploader,
                said=said.get(row.name, {}),
                is_arrival=origin.is_arrival,
            )
            for key, row in _asked_about(store, page.exhibits, origin)
        ]
        yield from store.plan_on(plan, wishes, page.after)
        if page.after is None:
            return
        plan = replace(plan, cursor=page.after)


def _origin(rows: CaseReader, plan: Plan) -> _Origin:
    if plan.source is not None:
        return _Origin(plan.source, None, True)
    if plan.uploader is not None:
        return _Origin(None, plan.uploader, True)
    runs = rows.runs(plan.batch)
    return _Origin(None, runs[0].user if runs else _NOBODY, False)


def _asked_about(store: UnderstandingStore, exhibits: Sequence[Exhibit], origin: _Origin) -> list[tuple[int, Exhibit]]:
    if origin.is_arrival:
        return [(each.id, each) for each in exhibits if each.outcome and not is_container(each)]
    firsts = {each.duplicate_of or each.id: each for each in exhibits if has_something_to_say(each)}
    known = store.known(list(firsts))
    return [(key, each) for key, each in firsts.items() if key not in known]
