"""Events about documents (SPEC A18), in the transaction of the rows they speak of. Written where the setting asks."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.jobs import add_event
from redwell.adapters.sql.lists import among, as_list
from redwell.adapters.sql.occurrences import Ended, Settled
from redwell.adapters.sql.schema import derivation, document, event, ingestion
from redwell.adapters.sql.statements import Prepared, constant
from redwell.core.events import Event, EventType
from redwell.core.ledger import Stage, Work
from redwell.core.outcomes import Outcome
from redwell.core.records import Failure, Read
from redwell.core.tasks import TaskType

_UIDS = Prepared(select(document.c.id, document.c.uid).where(among(document.c.id, "ids")))
_WORKS = Prepared(
    select(derivation.c.id, derivation.c.batch, derivation.c.state, derivation.c.outcome, document.c.uid)
    .join_from(derivation, document, derivation.c.document == document.c.id)
    .where(among(derivation.c.id, "ids"))
)
_WAITING = Prepared(
    select(ingestion.c.batch).where(among(ingestion.c.id, "ids"), ingestion.c.state == constant(Stage.WAITING))
)
_ENDED = Prepared(
    select(ingestion.c.id, ingestion.c.batch, ingestion.c.outcome, ingestion.c.detail, document.c.uid)
    .join_from(ingestion, document, ingestion.c.document == document.c.id, isouter=True)
    .where(among(ingestion.c.id, "ids"), ingestion.c.state == constant(Stage.DONE))
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
        """Contents wait to be worked on; files that are left out, or could not be read, have come to their end."""
        if not self._on:
            return
        waiting = _WAITING.all(tx, ids=as_list(r.id for r in reads))
        for batch, count in sorted(Counter(batch for (batch,) in waiting).items()):
            add_event(tx, Event(event_type=EventType.TASK_ADDED, batch=batch, detail={"count": count}))
        ended = as_list(r.id for r in reads if r.outcome)
        _write(tx, [_left_out(row) for row in _ENDED.rows(tx, ids=ended)] if ended else [])

    def settled(self, tx: Connection, news: Settled) -> None:
        """One event for each content that ended, with all of its exhibits that did; one for a chunk of members."""
        if not self._on:
            return
        for batch, count in sorted(Counter(news.children).items()):
            add_event(tx, Event(event_type=EventType.DOCUMENT_ADDED, batch=batch, detail={"count": count}))
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
        """After the blame: what comes again is a warning, what was given up an error and the end of its task."""
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


def _left_out(row: Mapping[str, Any]) -> Event:
    """SPEC A12: what is left out, such as a known file, is a success."""
    return Event(
        event_type=EventType.DOCUMENT_PROCESSED,
        batch=row["batch"],
        document=str(UUID(bytes=row["uid"])) if row["uid"] else None,
        exhibits=(row["id"],),
        detail={"outcome": row["outcome"], "reason": row["detail"]},
        status="SUCCESS" if row["outcome"] == Outcome.FILTERED else "ERROR",
    )


def _rows(tx: Connection, keys: set[int]) -> list[dict[str, Any]]:
    return _WORKS.rows(tx, ids=as_list(keys)) if keys else []


def _task(row: Mapping[str, Any], outcome: Outcome, reason: str) -> Event:
    return Event(
        event_type=EventType.TASK_FINISHED,
        batch=row["batch"],
        document=str(UUID(bytes=row["uid"])),
        detail={"task": TaskType.EXTRACT_TEXT, "outcome": outcome, **({"reason": reason} if reason else {})},
        status="ERROR" if reason else "SUCCESS",
    )
