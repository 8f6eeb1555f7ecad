"""Sources that were imported more than once: what a later batch read of them that an earlier one could not."""

from collections import defaultdict
from typing import NamedTuple

from redwell.adapters.sql_reader.session import Session
from redwell.core.outcomes import Outcome
from redwell.core.work.transitions import Stage

# only sources are below nothing, and by that they are found
_SOURCES = """SELECT id, batch, locator, name, state, outcome, listed, metadata FROM ingestion
    WHERE parent IS NULL ORDER BY id"""
_HOSTS = "SELECT batch, host FROM job ORDER BY id DESC"
_RESOLVED = f"""SELECT e.id, max(l.batch) FROM ingestion e JOIN ingestion l ON l.locator = e.locator
    WHERE e.parent = :source AND coalesce(e.outcome, '') <> '{Outcome.SUCCESS}' AND l.parent IN :later
        AND l.outcome = '{Outcome.SUCCESS}' GROUP BY e.id"""


class SourceRow(NamedTuple):
    id: int
    batch: int
    locator: str
    name: str
    state: str
    outcome: str | None
    listed: int | None
    metadata: str


def sources(session: Session) -> list[SourceRow]:
    return [SourceRow._make(row) for row in session.all(_SOURCES)]


def read_again(session: Session) -> dict[int, list[SourceRow]]:
    """By source: those of later batches, begun on the same machine, that read the same path to its end."""
    hosts = dict[int, str](session.all(_HOSTS))  # of the first job
    by_place = defaultdict[tuple[str, str | None], list[SourceRow]](list)
    for row in sources(session):
        by_place[row.locator, hosts.get(row.batch)].append(row)
    return {
        row.id: later
        for rows in by_place.values()
        for place, row in enumerate(rows)
        if (later := [other for other in rows[place + 1 :] if other.state == Stage.DONE and not other.outcome])
    }


def resolved_files(session: Session) -> dict[int, int]:
    """Files that did not succeed, and the last batch in which the same file of the same source did."""
    found: dict[int, int] = {}
    for source, later in read_again(session).items():
        found.update(session.all(_RESOLVED, source=source, later=[row.id for row in later]))
    return found
