"""The journal of a case: events of every job, document and task (SPEC A18), written with the rows they speak of.

What a transaction adds is found by its numbers, which rise; what it ends is told by whoever ends it. Of each type and
batch there is one row, with the job that the batch has open (core.events.packed).
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.job_tables import event, job
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import derivation, ingestion, wanted
from redwell.adapters.sql_queues import event_kinds
from redwell.adapters.sql_queues.event_kinds import Kind
from redwell.core.case.exhibit_look import MADE
from redwell.core.case.settled import Settled
from redwell.core.events.event import Component, EventType
from redwell.core.events.packed import LONGEST_REASON, About, Group, PackedEvents
from redwell.core.ids import uuid7_bytes, uuid_text
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import KINDS, Phase, TaskType
from redwell.core.work.records import Failure, Read
from redwell.core.work.renderers import Goal, goal_of
from redwell.core.work.transitions import Stage, Work

_NEWEST_EXHIBIT = Prepared(select(func.coalesce(func.max(ingestion.c.id), constant(0))))
_NEWEST_WORK = Prepared(select(func.coalesce(func.max(derivation.c.id), constant(0))))
_NEW_EXHIBITS = Prepared(
    select(ingestion.c.batch, func.min(ingestion.c.id), func.max(ingestion.c.id))
    .where(ingestion.c.id > bindparam("newest"), ingestion.c.source == constant(0))
    .group_by(ingestion.c.batch)
)
_NEW_ENDS = Prepared(  # without bytes: they have no work that could end
    select(*(ingestion.c[c] for c in ("batch", "id", "outcome", "detail"))).where(
        ingestion.c.id > bindparam("newest"),
        ingestion.c.source == constant(0),
        ingestion.c.state == constant(Stage.DONE),
        ingestion.c.document.is_(None),
    )
)
_NEW_WORKS = Prepared(
    select(*(derivation.c[c] for c in ("batch", "id", "task", "outcome"))).where(derivation.c.id > bindparam("newest"))
)
_WORKS = Prepared(
    select(*(derivation.c[c] for c in ("batch", "id", "task", "state"))).where(among(derivation.c.id, "ids"))
)
_open = job.c.finished_ms.is_(None)
_WANTED_BY = Prepared(
    select(wanted.c.derivation, wanted.c.batch)
    .join_from(job, wanted, wanted.c.batch == job.c.batch)
    .where(_open, among(wanted.c.derivation, "ids"))
)
_OPEN_JOBS = Prepared(select(job.c.batch, job.c.id).where(_open, among(job.c.batch, "batches")))
_ADD = Prepared(event.insert().values({name: bindparam(name) for name in ("type", "batch", "body")}))

_Why = tuple[str, str]  # an outcome, and the reason for it
_NOTHING: _Why = "", ""


_ORDER = (
    *(EventType.DOCUMENT_ADDED, EventType.TASK_ADDED, EventType.WARNING, EventType.ERROR, EventType.TASK_FINISHED),
    *(EventType.RENDITION_ADDED, EventType.DOCUMENT_UPLOADED, EventType.DOCUMENT_PROCESSED, EventType.NOTIFICATION),
)


class Notes:
    """What one transaction has to tell: made when it begins, written when it ends."""

    def __init__(self, tx: Connection) -> None:
        self._tx = tx
        [(self._exhibit,)], [(self._work,)] = _NEWEST_EXHIBIT.all(tx), _NEWEST_WORK.all(tx)
        self._upto = self._exhibit
        self._spans: dict[tuple[Kind, int], tuple[int, int]] = {}
        self._groups: dict[tuple[Kind, int], dict[_Why, list[int]]] = defaultdict(lambda: defaultdict(list))

    def walked(self, batch: int, listed: int | None = None) -> None:
        """Files were found, and the walk has ended where `listed` is known."""
        self._find_exhibits(event_kinds.ADDED_FILE, event_kinds.READING_ADDED)
        for key, exhibit, outcome, reason in self._ends_without_bytes():
            self._left_out(key, exhibit, (outcome, reason))
        if listed is not None:
            detail = (("what", "a source was walked"), ("files", listed))
            kind = Kind(EventType.NOTIFICATION, Component.INTAKE, about=About.BATCH, detail=detail)
            self._note(kind, batch, 0, _NOTHING)

    def read(self, files: Iterable[tuple[Read, int]]) -> None:
        """Files of batches were read; one that could not be, or was left out, has ended with that."""
        for file, batch in files:
            if file.outcome is None:
                self._note(event_kinds.READ, batch, file.id, (Outcome.SUCCESS, ""))
            else:
                self._left_out(batch, file.id, (file.outcome, file.reason))

    def _left_out(self, batch: int, exhibit: int, why: _Why) -> None:
        """Without these the exhibit would never be complete for those who listen. A known file is a success (A12)."""
        self._note(event_kinds.READ if why[0] == Outcome.FILTERED else event_kinds.UNREAD, batch, exhibit, why)
        self._note(event_kinds.LEFT_OUT, batch, exhibit, why)

    def finished(self, ended: Mapping[int, Outcome], *, is_published: bool = False) -> None:
        """Works ended with what a handler made of them; where that is a rendition, it is there for all who want it.

        `is_published`: a PDF that is made can be viewed at once.
        """
        rendered = {}
        for batch, key, task, _ in self._works(ended):
            self._note(event_kinds.of_task(event_kinds.FINISHED, task), batch, key, (ended[key], ""))
            if KINDS[TaskType(task)].phase is not Phase.TEXT:
                rendered[batch, key] = task
        by_key = {key: task for (_, key), task in rendered.items()}
        for key, batch in _WANTED_BY.all(self._tx, ids=as_list(by_key)) if by_key else ():
            rendered[batch, key] = by_key[key]
        for (batch, key), task in rendered.items():
            self._note(event_kinds.of_task(event_kinds.RENDERED, task), batch, key, (ended[key], ""))
            if is_published and goal_of(TaskType(task)) is Goal.PDF and ended[key] in MADE:
                self._note(event_kinds.of_task(event_kinds.PUBLISHED, task), batch, key, (ended[key], ""))

    def blamed(self, failures: Sequence[Failure]) -> None:
        """After the blame: what comes again is a warning, what was given up an error and the end of its task (A17)."""
        by_work = {failure.derivation: failure for failure in failures}
        for batch, key, task, state in self._works(by_work):
            why = by_work[key].outcome, by_work[key].detail
            is_over, stands = state == Work.DONE, KINDS[TaskType(task)].warns
            self._note(
                event_kinds.of_task(event_kinds.GIVEN_UP if is_over and not stands else event_kinds.WARNED, task),
                batch,
                key,
                why,
            )
            if is_over:
                self._note(event_kinds.of_task(event_kinds.FAILED, task), batch, key, why)

    def settled(self, news: Settled) -> None:
        """Exhibits came to their ends, and members were found."""
        if news.found:
            self._find_exhibits(event_kinds.ADDED_MEMBER)
        is_lost = False
        for end in news.outcomes:
            if end.document is None:
                is_lost = True  # a member that could not be taken out, whose number nobody knows yet
            else:
                self._note(event_kinds.PROCESSED, end.batch, end.exhibit, (end.outcome, ""))
        for batch, exhibit, outcome, reason in self._ends_without_bytes() if is_lost else ():
            self._note(event_kinds.PROCESSED, batch, exhibit, (outcome, reason))

    def cancelled(self, batch: int, exhibits: Iterable[int]) -> None:
        for exhibit in exhibits:
            self._note(event_kinds.CANCELLED, batch, exhibit, (Outcome.CANCELLED, ""))

    def reopened(self, works: Iterable[int]) -> None:
        for batch, key, task, _ in self._works(works):
            self._note(event_kinds.of_task(event_kinds.TASK_ADDED, task), batch, key, _NOTHING)

    def write(self) -> None:
        """Last in the transaction: works that it has made are found by now, and the jobs that it has opened."""
        for batch, key, task, outcome in _NEW_WORKS.all(self._tx, newest=self._work):
            self._note(event_kinds.of_task(event_kinds.TASK_ADDED, task), batch, key, _NOTHING)
            if outcome:  # it was read together with its container
                self._note(event_kinds.of_task(event_kinds.FINISHED, task), batch, key, (outcome, ""))
        told = sorted({**self._spans, **self._groups}, key=lambda each: (_ORDER.index(each[0].type), each[1]))
        if told:
            jobs = _jobs(self._tx, {batch for _, batch in told})
            _ADD.many(
                self._tx, [_row(kind.type, batch, self._packed(kind, batch, jobs.get(batch))) for kind, batch in told]
            )

    def _packed(self, kind: Kind, batch: int, open_job: int | None) -> PackedEvents:
        groups = self._groups.get((kind, batch), {})
        return PackedEvents(
            **_stamp(),
            source=kind.source.value,
            job=open_job,
            status=kind.status.value,
            detail=dict(kind.detail),
            about=kind.about,
            span=self._spans.get((kind, batch)),
            groups=tuple(Group(tuple(keys), outcome, why[:LONGEST_REASON]) for (outcome, why), keys in groups.items()),
            upto=self._upto if kind.about is About.WORKS else 0,
        )

    def _note(self, kind: Kind, batch: int, key: int, why: _Why) -> None:
        self._groups[kind, batch][why].append(key)

    def _find_exhibits(self, *kinds: Kind) -> None:
        for batch, first, last in _NEW_EXHIBITS.all(self._tx, newest=self._exhibit):
            self._upto = max(self._upto, last)
            for kind in kinds:
                self._spans[kind, batch] = first, last

    def _ends_without_bytes(self) -> list[tuple[Any, ...]]:
        return _NEW_ENDS.all(self._tx, newest=self._exhibit)

    def _works(self, keys: Iterable[int]) -> list[tuple[Any, ...]]:
        asked = as_list(keys)
        return _WORKS.all(self._tx, ids=asked) if asked else []


@contextmanager
def noted(tx: Connection) -> Iterator[Notes]:
    """Around everything that a transaction does; what it has to tell is written at the end."""
    notes = Notes(tx)
    yield notes
    notes.write()


def add_event(tx: Connection, kind: EventType, batch: int, of_job: int, detail: Mapping[str, Any]) -> None:
    """One about a job."""
    source = event_kinds.SOURCES.get(kind, Component.JOBS)
    _ADD.many(tx, [_row(kind, batch, PackedEvents(**_stamp(), source=source, job=of_job, detail=detail))])


def _jobs(tx: Connection, batches: set[int]) -> dict[int, int]:
    """The open job of each batch; else the last that it had, which is seldom asked for."""
    found = dict(_OPEN_JOBS.all(tx, batches=as_list(batches)))
    if left := batches - found.keys():
        last = select(job.c.batch, func.max(job.c.id)).where(job.c.batch.in_(left)).group_by(job.c.batch)
        found.update((batch, key) for batch, key in tx.execute(last))
    return found


def _row(kind: EventType, batch: int, packed: PackedEvents) -> dict[str, Any]:
    return {"type": kind.value, "batch": batch, "body": packed.to_json()}


def _stamp() -> dict[str, Any]:
    return {"id": uuid_text(uuid7_bytes()), "timestamp": time.time_ns() // 1_000_000}
