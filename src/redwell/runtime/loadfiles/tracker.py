"""Whether a volume is in the case already (SPEC A13): then a second import goes on with the first, or does nothing.

Called by the command line before a batch begins. Names, sizes and times are compared, no byte is read.
"""

from datetime import UTC, datetime

from msgspec import convert

from redwell.core.jobs.job import JobState
from redwell.core.loadfiles.volume_document import Told, read_volume
from redwell.core.names import display, unquoted
from redwell.core.work.records import Found
from redwell.intake.walk import walk
from redwell.runtime.bootstrap.open_case import Case


def earlier_import(case: Case, source: str, told: Told) -> int | None:
    """The last batch that is the same import of the same volume, and still says what lies there."""
    place = display(unquoted(source))
    stopped = {job.batch for job in case.rows.jobs(every=True) if job.state is JobState.CANCELLED}
    for batch in reversed(case.rows.batches()):
        is_same = batch.type == "loadfile" and convert(batch.settings["loadfile"], Told) == told
        if not is_same or batch.id in stopped or [each.path for each in case.rows.sources(batch.id)] != [place]:
            continue
        if batch.finished_ms is None or _is_unchanged(case, batch.id, batch.created_ms, unquoted(source)):
            return batch.id
        return None
    return None


def _is_unchanged(case: Case, batch: int, since_ms: int, source: bytes) -> bool:
    known = next((each for each in case.rows.volumes() if each.batch == batch), None)
    exhibit = case.rows.numbered([known.control]).get(known.control) if known else None
    if exhibit is None or exhibit.sha256 is None:
        return False
    places = case.rows.known_blobs([exhibit.sha256])
    with case.blobs.open(exhibit.sha256, places[exhibit.sha256]) as document:
        _, files = read_volume(document)
    begun = datetime.fromtimestamp(since_ms / 1000, UTC)
    there = {found.path: (found.size or 0, _is_older(found, begun)) for found in walk(source)}
    return there == {file.path: (file.size, True) for file in files}


def _is_older(found: Found, begun: datetime) -> bool:
    return "modified" not in found.dates or datetime.fromisoformat(found.dates["modified"]) < begun
