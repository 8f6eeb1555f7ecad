"""Events about documents (SPEC A18), in the transaction of the rows they speak of. Written where the setting asks."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.jobs import add_event
from redwell.adapters.sql.lists import among, as_list
from redwell.adapters.sql.schema import derivation, document, event, ingestion
from redwell.adapters.sql.settled import Ended, Settled
from redwell.adapters.sql.statements import Prepared, constant
from redwell.core.events import Event, EventType
from redwell.core.ledger import Stage, Work
from redwell.core.outcomes import Outcome
from redwell.core.records import Failure, Read
from redwell.core.tasks import GIVEN_UP, TaskType, task_on

_UIDS = Prepared(select(document.c.id, document.c.uid).where(among(document.c.id, "ids")))
_WORKS = Prepared(
    select(*(derivation.c[name] for name in ("id", "batch", "state", "members")), document.c.uid)
    .join_from(derivation, document, derivation.c.document == document.c.id)
    .where(among(derivation.c.id, "ids"))
)
_READ = Prepared(
    select(*(ingestion.c[c] for c in ("id", "batch", "state", "outcome", "detail")), document.c.uid)
    .join_from(ingestion, document, ingestion.c.document == document.c.id, isouter=True)
    .where(among(ingestion.c.id, "ids"), ingestion.c.state.in_((constant(Stage.WAITING), constant(Stage.DONE))))
    .order_by(ingestion.c.id)
)
_ADD = Prepared(event.insert().values({name: bindparam(name) for name in ("type", "batch", "body")}))


class Journal:
    """Does nothing unless it is on: most homes have nobody who listens to every document."""

    def __init__(self, on: bool) -> None:
        self._on = on

    def walked(self, tx: Connection, batch: int, files: int, listed: int | None = None) -> None:
        """Files of a walk were registered, and it has ended where `listed` is known."""
        if self._on and files:
            add_event(tx, Event(event_type=EventType.DOCUMENT_ADDED, batch=batch, detail={"count": files}))
        if self._on and listed is not None:
            detail = {"what": "a source was walked", "files": listed}
            add_event(tx, Event(event_type=EventType.NOTIFICATION, batch=batch, detail=detail))

    def read(self, tx: Connection, reads: Sequence[Read]) -> None:
        """Contents wait to be worked on; a file that could not be read, or was left out, has ended with that."""
        rows = _READ.rows(tx, ids=as_list(r.id for r in reads)) if self._on else []
        waiting = Counter(row["batch"] for row in rows if row["state"] == Stage.WAITING)
        for batch, count in sorted(waiting.items()):
            add_event(tx, Event(event_type=EventType.TASK_ADDED, batch=batch, detail={"count": count}))
        ended_here = {read.id for read in reads if read.outcome}
        _write(tx, (fact for row in rows if row["id"] in ended_here for fact in _unread(row)))

    def settled(self, tx: Connection, news: Settled) -> None:
        """One event for each content that ended, with all of its exhibits that did; one for a chunk of members."""
        if not self._on:
            return
        for batch, count in sorted(Counter(news.children).items()):
            add_event(tx, Event(event_type=EventType.DOCUMENT_ADDED, batch=batch, detail={"count": count}))
        lost = Counter((end.batch, end.outcome) for end in news.outcomes if end.document is None)
        _write(tx, (_processed_unseen(batch, outcome, count) for (batch, outcome), count in sorted(lost.items())))
        groups: dict[tuple[int, int], list[Ended]] = {}
        for end in news.outcomes:
            if end.document is not None:
                groups.setdefault((end.batch, end.document), []).append(end)
        uids = dict(_UIDS.all(tx, ids=as_list({key for _, key in groups})))
        _write(tx, (_processed(batch, uids[key], ends) for (batch, key), ends in groups.items()))

    def finished(self, tx: Connection, ended: Mapping[int, Outcome]) -> None:
        if self._on:
            _write(tx, [_task(row, ended[row["id"]], "") for row in _rows(tx, set(ended))])

    def blamed(self, tx: Connection, failures: Sequence[Failure]) -> None:
        """After the blame: what comes again is a warning, what was given up an error and the end of its task (A17)."""
        by_work = {failure.derivation: failure for failure in failures} if self._on else {}
        for row in _rows(tx, set(by_work)):
            failure, over = by_work[row["id"]], row["state"] == Work.DONE
            kind, status = (EventType.ERROR, "ERROR") if over else (EventType.WARNING, "SUCCESS")
            detail = {"outcome": failure.outcome, "reason": failure.detail}
            uid = str(UUID(bytes=row["uid"]))
            fact = Event(event_type=kind, batch=row["batch"], document=uid, detail=detail, status=status)
            _write(tx, [fact, _task(row, failure.outcome, failure.detail)] if over else [fact])


def _write(tx: Connection, facts: Iterable[Event]) -> None:
    _ADD.many(tx, [{"type": fact.event_type.value, "batch": fact.batch, "body": fact.to_json()} for fact in facts])


def _processed(batch: int, uid: bytes, ends: Sequence[Ended]) -> Event:
    return Event(
        event_type=EventType.DOCUMENT_PROCESSED,
        batch=batch,
        document=str(UUID(bytes=uid)),
        exhibits=tuple(end.exhibit for end in ends),
        detail={"outcome": ends[0].outcome},
    )


def _rows(tx: Connection, keys: set[int]) -> list[dict[str, Any]]:
    return _WORKS.rows(tx, ids=as_list(keys)) if keys else []


def _task(row: Mapping[str, Any], outcome: Outcome, reason: str) -> Event:
    return Event(
        event_type=EventType.TASK_FINISHED,
        batch=row["batch"],
        document=str(UUID(bytes=row["uid"])),
        detail=_told(task_on(row["members"]), outcome, reason),
        status="ERROR" if reason else "SUCCESS",
    )


def _told(task: TaskType, outcome: str, reason: str) -> dict[str, str]:
    failed = {"reason": reason, "problem": GIVEN_UP[task]} if reason else {}
    return {"task": task, "outcome": outcome, **failed}


def _unread(row: Mapping[str, Any]) -> tuple[Event, Event]:
    """Without them the exhibit would never be complete for those who listen. A known file is a success (SPEC A12)."""
    failed = row["outcome"] != Outcome.FILTERED
    told = _told(TaskType.INTAKE_DOCUMENT, row["outcome"], row["detail"] if failed else "")
    document = str(UUID(bytes=row["uid"])) if row["uid"] else None
    about = {"batch": row["batch"], "document": document, "exhibits": (row["id"],)}
    ended = {"outcome": row["outcome"], "reason": row["detail"]}
    return (
        Event(event_type=EventType.TASK_FINISHED, detail=told, status="ERROR" if failed else "SUCCESS", **about),
        Event(event_type=EventType.DOCUMENT_PROCESSED, detail=ended, **about),
    )


def _processed_unseen(batch: int, outcome: str, count: int) -> Event:
    """Members that could not be taken out: complete, without content, and without a number that is known here."""
    detail = {"outcome": outcome, "count": count}
    return Event(event_type=EventType.DOCUMENT_PROCESSED, batch=batch, detail=detail)
