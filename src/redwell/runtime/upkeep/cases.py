"""Every case of a home as its users see it, and its end: `redwell cases`, `redwell case rename|delete`."""

import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from redwell.core.case.completeness import Completeness
from redwell.core.command_lines import command_line
from redwell.core.errors import RedwellError, UserError
from redwell.core.jobs.queue_names import loader_dead_letters, loader_queue
from redwell.runtime.bootstrap.cases.case_places import CasePlace, CasePlaces, size_of
from redwell.runtime.bootstrap.cases.transfer_notes import incoming_of
from redwell.runtime.bootstrap.open_reader import Reader, checked_name, kept_elsewhere
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.run_facts import maker
from redwell.runtime.upkeep.completeness import completeness, is_at_work
from redwell.runtime.upkeep.status import when

GONE, UNMADE, UNREADABLE, ARRIVING = "gone", "unmade", "unreadable", "arriving"


def cases(home: Path, settings: Settings) -> Iterator[dict[str, Any]]:
    with closing(CasePlaces(home, settings)) as places:
        known = list(places.all())
    for place in known:
        yield described(place, settings)


def described(place: CasePlace, settings: Settings) -> dict[str, Any]:
    """A case that can't be opened is told with the reason; none is left out."""
    size = size_of(place.folder)[1]
    told: dict[str, Any] = {
        "case": place.name,
        "number": place.number,
        "state": GONE,
        "documents": None,
        "batches": None,
        "bytes": size,
        "last_activity": None,
        "kept": (place.note.keeper if place.note else "") or "here",
        "database": "postgresql" if place.note else "sqlite",
        "folder": str(place.folder) if place.folder else None,
        "problem": "",
    }
    if place.folder and not place.folder.exists():
        problem = f"its folder is gone; put it back from a copy, or: {command_line('case delete', place.name)}"
        return told | {"problem": problem}
    if place.folder and incoming_of(place.folder):
        here = command_line("case delete", place.name)
        return told | {"state": ARRIVING, "problem": f"go on with the command that brings it, or: {here}"}
    try:
        with Reader(place, settings) as reader:
            return told | _looked_at(reader, size, bool(place.blobs))
    except (RedwellError, OSError) as error:
        return told | {"state": UNREADABLE, "problem": str(error)}


def _looked_at(reader: Reader, size: int, elsewhere: bool) -> dict[str, Any]:
    if not reader.rows.is_made():
        return {"state": UNMADE, "problem": "whoever made it was stopped; import into it again"}
    reader.rows.info()
    activity, batches = reader.rows.activity(), reader.rows.batches()
    return {
        "state": _state(completeness(reader), bool(batches)),
        "documents": sum(reader.rows.counts().values()),
        "batches": len(batches),
        "bytes": size + (activity.stored if elsewhere else 0),
        "last_activity": when(activity.last_ms),
    }


def _state(standing: Completeness, has_batches: bool) -> str:
    """That of the batch that is furthest from its end."""
    states = {batch.state for batch in standing.batches}
    for state in ("running", "cancelling", "stopped", "queued"):
        if state in states:
            return state
    if standing.unread:
        return "incomplete"
    return "finished" if has_batches else "empty"


def rename(home: Path, settings: Settings, old: str, new: str) -> dict[str, Any]:
    from redwell.runtime.bootstrap.cases.case_removal import place_of_case  # with all that opens cases for work
    from redwell.runtime.bootstrap.cases.case_removal import rename as renamed

    place, name = place_of_case(home, settings, checked_name(old)), checked_name(new)
    with closing(CasePlaces(home, settings)) as places:
        if any(other.name == name for other in places.all()):
            raise UserError(f"there is a case {name!r} already")
    require_free(place, settings)
    renamed(home, settings, place, name)
    return {"case": name, "was": place.name, "number": place.number}


def delete(home: Path, settings: Settings, name: str) -> dict[str, Any]:
    """Whatever was left when it is not all gone is under `left`; the same call goes on with it."""
    from redwell.runtime.bootstrap.cases.case_removal import Removal, place_of_case

    place = place_of_case(home, settings, checked_name(name))
    require_free(place, settings)
    before = described(place, settings)
    uid, queues = _known(place, settings)
    removal = Removal(home, settings, place, uid)
    gone, left = removal.run(queues)
    account = {**before, "uid": uid, "removed": gone, "left": left, "at": when(time.time_ns() // 1_000_000), **maker()}
    if not left:
        removal.close(account)
    return account


def _known(place: CasePlace, settings: Settings) -> tuple[str, list[str]]:
    """What other places know the case by, and its queues; nothing where its rows are gone."""
    if place.folder is not None and place.folder.exists():
        with suppress(RedwellError, OSError), Reader(place, settings) as reader:
            if reader.rows.is_made():
                return reader.rows.info().uid, [*reader.rows.queues(), *_of_loaders(reader, settings.name_prefix)]
    return (place.note.uid if place.note else ""), []


def _of_loaders(reader: Reader, prefix: str) -> Iterator[str]:
    for batch, life in reader.rows.loaders().items():
        name = life.queue or loader_queue(prefix, reader.number, batch, life.attempt)
        if life.queue or life.kept:
            yield from (name, loader_dead_letters(name))


def require_free(place: CasePlace, settings: Settings) -> None:
    if place.note and place.note.keeper:
        raise UserError(kept_elsewhere(place.name, place.note.keeper))
    if place.folder is None or not place.folder.exists():
        return
    with suppress(OSError), Reader(place, settings) as reader:
        if reader.rows.is_made() and is_at_work(reader):
            raise UserError(f"somebody is at work on case {place.name!r}: wait, or stop them (`redwell workers`)")


def in_short(before: Mapping[str, Any]) -> str:
    """What a person is asked about."""
    documents = "an unknown number of" if before["documents"] is None else f"{before['documents']:,}"
    return f"case {before['case']!r} ({before['state']}): {documents} documents, {before['bytes']:,} bytes"
