"""Events as files for analysis (SPEC A16): where they lie, what is in them, what is asked of them. Pure."""

from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from redwell.core.events.event import Event

LISTENER = "statuses"  # by which a case remembers how far it has been written down
STATUSES, ERRORS = "statuses", "errors"


class Column(NamedTuple):
    name: str
    type: str  # of SQL
    says: str


# as a line of JSON has them; the partitions (caseid, batchid) are folders
COLUMNS = (
    Column("id", "VARCHAR", "of the event, the same each time it is told"),
    Column("eventtype", "VARCHAR", "one of [the types](events.md#types)"),
    Column("jobid", "BIGINT", "the batch's job that it belongs to"),
    Column("documentid", "VARCHAR", "the content, a UUID"),
    Column("exhibits", "BIGINT[]", "exhibits that it is about"),
    Column("eventdetail", "JSON", "an object with the keys of its type"),
    Column("status", "VARCHAR", "`SUCCESS` or `ERROR`"),
    Column("source", "VARCHAR", "the component that published it"),
    Column("timestamp", "BIGINT", "milliseconds since 1970 (UTC); the column `happened` is the same as a time"),
)


class StatusLine(msgspec.Struct, frozen=True):
    """An event as a line of JSON; the fields are COLUMNS, in order."""

    id: str
    eventtype: str
    jobid: int | None
    documentid: str | None
    exhibits: tuple[int, ...]
    eventdetail: object
    status: str
    source: str
    timestamp: int


def status_line(event: Event) -> StatusLine:
    return StatusLine(
        event.id,
        event.event_type,
        event.job_id,
        event.document_id,
        event.exhibit_ids,
        event.event_detail,
        event.status,
        event.source,
        event.timestamp,
    )


def case_folder(case: int) -> str:
    return f"{STATUSES}/caseid={case}/"


def status_file(case: int, batch: int, first: int) -> str:
    """The file of a batch's events among those that were written together, from the journal's row `first` on.

    Written again after a kill it has the same name, or one that `first_row` tells to be no good.
    """
    return f"{case_folder(case)}batchid={batch}/{first:015}.parquet"


def first_row(name: str) -> int:
    return int(name.rpartition("/")[2].removesuffix(".parquet"))


def error_file(kind: str, case: int, row: int, timestamp_ms: int) -> str:
    """Where a row of the journal goes that can't be written down as events."""
    day = datetime.fromtimestamp(timestamp_ms / 1000, UTC)
    return f"{ERRORS}/{kind}/{day:%Y/%m/%d}/{case}-{row}.json"


class Buffer(NamedTuple):
    rows: int = 500  # of the journal; of documents each stands for hundreds of events, some 64 MB in all
    seconds: int = 60


USUAL = Buffer()


def is_due(rows: int, oldest_ms: int, now_ms: int, *, ends: bool, buffer: Buffer = USUAL) -> bool:
    """Whether what waits is written down now: there is enough of it, it waits too long, or a job is over."""
    return ends or rows >= buffer.rows or now_ms - oldest_ms >= buffer.seconds * 1000
