"""What a reader asks of a case besides its exhibits: counts, batches, jobs, workers, dead letters."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from redwell.adapters.sql_reader.session import Session
from redwell.core.blobs import Location
from redwell.core.case.families import FILE_DEPTH, MEMBER_ROLES
from redwell.core.case.rows import OPEN, Activity, AtWork, Batch, ParkedWork, Place, Source, VolumeAccount
from redwell.core.events.event import EventType
from redwell.core.events.packed import PackedEvents
from redwell.core.jobs.job import Job, JobKind, JobState, WorkerRow
from redwell.core.jobs.run import Run
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Purpose
from redwell.core.work.transitions import MemberState, Stage, Work
from redwell.ports.messaging.event_log import ParkedPost

# Rows of a batch come after its sources, which are found by the index on (parent, locator). "+ 0": of the id itself
# PostgreSQL would find the smallest by reading exhibits in the order of their ids until one is a source of the batch.
_FIRST_OF = "(SELECT min(s.id + 0) FROM ingestion s WHERE s.parent IS NULL AND s.batch = :{0})"
_OF_BATCH = f"i.batch = :batch AND i.id >= {_FIRST_OF.format('batch')}"
_COUNTS = f"""SELECT i.batch, coalesce(e.outcome, i.outcome), count(*) FROM ingestion i JOIN exhibit e ON e.id = i.id
    WHERE i.source = 0 AND i.id >= {_FIRST_OF.format("first")} AND i.batch IN :batches
    GROUP BY i.batch, coalesce(e.outcome, i.outcome)"""
_KEPT = "SELECT batch, outcome, exhibits FROM batch_outcome WHERE exhibits > 0 AND batch IN :batches"
_FIRST = "(SELECT o.id FROM exhibit o WHERE o.document = e.document ORDER BY o.number, o.control LIMIT 1)"
_DUPLICATES = f"""SELECT count(*) FROM ingestion i JOIN exhibit e ON e.id = i.id JOIN exhibit h ON h.id = e.family
    WHERE {_OF_BATCH} AND h.copy_of IS NOT NULL"""
_A_FILE = f"""SELECT 1 FROM ingestion i JOIN exhibit e ON e.id = i.id
    WHERE {_OF_BATCH} AND i.depth = {FILE_DEPTH} AND e.document IS NOT NULL{{0}} LIMIT 1"""
_NEW = f" AND e.id = {_FIRST}"
_DERIVED = f"""SELECT count(*) FROM (SELECT DISTINCT i.document, i.derivation FROM ingestion i
        WHERE {_OF_BATCH} AND i.derivation IS NOT NULL) AS mine
    WHERE NOT EXISTS (SELECT 1 FROM ingestion o WHERE o.document = mine.document AND o.derivation = mine.derivation
        AND o.batch < :batch AND coalesce(o.outcome, '') <> '{Outcome.CANCELLED}')"""
# places in a family that nothing has the number of; in a case of old what lies in a store is numbered by its place, too
_SKIPPED = f"""SELECT count(*) FROM ingestion i JOIN exhibit e ON e.id = i.id
    JOIN member m ON m.derivation = i.derivation AND m.ordinal < i.replayed
    WHERE {_OF_BATCH} AND i.replayed > 0 AND m.state = '{MemberState.SKIPPED}' AND (e.family <> e.id
        OR m.role NOT IN ({", ".join(f"'{role}'" for role in sorted(MEMBER_ROLES))})
        OR EXISTS (SELECT 1 FROM ingestion c JOIN exhibit x ON x.id = c.id WHERE c.parent = i.id
            AND x.number = e.number AND x.family = x.id))"""
_PDFS = f"'{Purpose.PDF}', '{Purpose.SHEETS}'"
_MADE = f"'{Outcome.SUCCESS}', '{Outcome.PARTIAL}'"
_PARTS = f"""SELECT d.task, coalesce(d.outcome, ''), count(*) FROM derivation d WHERE d.purpose <> '{Purpose.READ}'
    AND d.document IN (SELECT i.document FROM ingestion i WHERE {_OF_BATCH})
    AND NOT (d.state = '{Work.DONE}' AND d.purpose IN ({_PDFS}) AND d.outcome NOT IN ({_MADE}) AND EXISTS (
        SELECT 1 FROM derivation o WHERE o.document = d.document AND o.purpose IN ({_PDFS}) AND o.outcome IN ({_MADE})))
    GROUP BY d.task, coalesce(d.outcome, '')"""
_VOLUMES = """SELECT e.control, i.path, i.batch, d.metadata, coalesce(d.outcome, ''),
        (SELECT count(*) FROM ingestion r WHERE r.root = i.id AND r.role IN ('record', 'attached-record')),
        (SELECT count(*) FROM volume v WHERE v.derivation = d.id)
    FROM batch b JOIN ingestion s ON s.batch = b.id AND s.parent IS NULL JOIN ingestion i ON i.parent = s.id
    JOIN exhibit e ON e.id = i.id JOIN derivation d ON d.id = i.derivation
    WHERE b.type = 'loadfile' AND d.kind = 'delivery' ORDER BY i.id"""
_RUN = ("batch", "job", "command", "user", "host", "pid", "program", "settings", "sandbox", "started_ms", "ended_ms")
_RUNS = f"""SELECT {", ".join(f'"{name}"' for name in (*_RUN, "changed"))} FROM run WHERE batch = :batch ORDER BY id"""
_JOBS = (
    "SELECT id, batch, kind, state, priority, workers, host, passwords, terms, created_ms, started_ms, served_ms,"
    " finished_ms FROM job"
)
_HELD = f"""SELECT d.owner, count(*), min(d.id) FROM derivation d
    WHERE d.state <> '{Work.DONE}' AND d.state = '{Work.LEASED}' GROUP BY d.owner"""
_A_PATH = f"SELECT i.path FROM ingestion i WHERE i.derivation = :work AND i.state = '{Stage.WAITING}' LIMIT 1"
_READING = f"""SELECT i.owner, count(*), min(i.path) FROM ingestion i
    WHERE i.state <> '{Stage.DONE}' AND i.state = '{Stage.READING}' GROUP BY i.owner"""
_PARKED = """SELECT d.id, d.task, d.outcome, d.detail, d.lane, d.tries, d.deaths, d.attempt, d.generation, d.members,
        d.context, encode(c.sha256, 'hex'), c.size
    FROM derivation d JOIN document c ON c.id = d.document
    WHERE d.given_up = 1 ORDER BY d.id"""
_OPEN_WORK = """SELECT d.task, d.lane, count(*) FROM derivation d WHERE d.state <> 'done'
    GROUP BY d.task, d.lane ORDER BY d.task, d.lane"""
_PACE = """SELECT body FROM event WHERE id > (SELECT coalesce(max(id), 0) - 20000 FROM event) AND type = :type
    ORDER BY id"""
_PLACES = """SELECT e.control, i.path, i.batch FROM exhibit e JOIN ingestion i ON i.id = e.id
    WHERE e.document = (SELECT d.document FROM derivation d WHERE d.id = :work) AND i.derivation = :work
    ORDER BY e.number, e.control LIMIT :limit"""
_POSTS = """SELECT e.id, e.type, e.batch, p.detail FROM parked_post p JOIN event e ON e.id = p.event ORDER BY e.id"""
_LAST = """SELECT max(at) FROM (SELECT max(created_ms) AS at FROM batch UNION ALL SELECT max(finished_ms) FROM batch
    UNION ALL SELECT max(started_ms) FROM run UNION ALL SELECT max(ended_ms) FROM run
    UNION ALL SELECT max(created_ms) FROM job UNION ALL SELECT max(finished_ms) FROM job
    UNION ALL SELECT max(at_ms) FROM audit_entry) AS times"""
_STORED = "SELECT coalesce(sum(length), 0) FROM blob"
_TOLD = "SELECT value FROM case_info WHERE key = :key"


def batches(session: Session) -> list[Batch]:
    rows = session.all("SELECT id, type, custodian, settings, created_ms, finished_ms FROM batch ORDER BY id")
    return [Batch(key, kind, who, json.loads(values), *times) for key, kind, who, values, *times in rows]


def activity(session: Session) -> Activity:
    return Activity(session.all(_LAST)[0][0], int(session.all(_STORED)[0][0]))


def volumes(session: Session) -> list[VolumeAccount]:
    rows = session.all(_VOLUMES)
    return [
        VolumeAccount(control, path, batch, json.loads(told), outcome, records, files)
        for control, path, batch, told, outcome, records, files in rows
    ]


def ends(session: Session) -> dict[int, int | None]:
    """When each batch was finished; None: it is not."""
    return dict(session.all("SELECT id, finished_ms FROM batch"))


def kept_counts(session: Session, keys: Sequence[int]) -> dict[int, dict[str, int]]:
    """Of batches that are finished, as far as nothing has changed since then (sql_exhibits.kept_counts)."""
    found: dict[int, dict[str, int]] = {}
    for key, outcome, count in session.all(_KEPT, batches=sorted(keys)) if keys else ():
        found.setdefault(key, {})[outcome] = count
    return found


def counts_by_batch(session: Session, keys: Sequence[int]) -> dict[int, dict[str, int]]:
    """Of several batches in one look at the rows: each of them would read those of all that came later."""
    found: dict[int, dict[str, int]] = {key: {} for key in keys}
    if found:
        for key, outcome, count in session.all(_COUNTS, first=min(found), batches=sorted(found)):
            found[key][outcome or OPEN] = count
    return found


def duplicates(session: Session, batch: int) -> int:
    return int(session.all(_DUPLICATES, batch=batch)[0][0])


def derived(session: Session, batch: int) -> int:
    return int(session.all(_DERIVED, batch=batch)[0][0])


def parts_in(session: Session, batch: int) -> list[tuple[str, str, int]]:
    """Of the contents of a batch: kind of work besides the reading, outcome, how many. A PDF that failed is left out
    where another stands in for it."""
    return [(task, outcome, count) for task, outcome, count in session.all(_PARTS, batch=batch)]


def repeats_only(session: Session, batch: int) -> bool:
    """Whether a batch has files with content, and none whose content was not in the case before."""
    any_file, any_new = (bool(session.all(_A_FILE.format(more), batch=batch)) for more in ("", _NEW))
    return any_file and not any_new


def skipped(session: Session, batch: int) -> int:
    return int(session.all(_SKIPPED, batch=batch)[0][0])


def sources(session: Session, batch: int) -> list[Source]:
    """Only sources are below nothing, and by that they are found."""
    query = "SELECT i.name, i.listed FROM ingestion i WHERE i.parent IS NULL AND i.batch = :batch ORDER BY i.id"
    return [Source(name, listed) for name, listed in session.all(query, batch=batch)]


def sandbox(session: Session, batch: int) -> dict[str, str]:
    query = "SELECT e.body FROM event e WHERE e.batch = :batch AND e.type = :type ORDER BY e.id DESC LIMIT 1"
    found = session.all(query, batch=batch, type=str(EventType.WORKER_STARTED))
    return dict(msgspec.json.decode(found[0][0], type=PackedEvents).detail["layers"]) if found else {}


def jobs(session: Session, every: bool) -> list[Job]:
    rows = session.all(f"{_JOBS} ORDER BY id" if every else f"{_JOBS} WHERE finished_ms IS NULL ORDER BY batch")
    return [_job(*row) for row in rows]


def _job(key: int, batch: int, kind: str, state: str, *rest: object) -> Job:
    names = (
        "priority",
        "workers",
        "host",
        "passwords",
        "terms",
        "created_ms",
        "started_ms",
        "served_ms",
        "finished_ms",
    )
    values = dict(zip(names, rest, strict=True))
    return Job(id=key, batch=batch, kind=JobKind(kind), state=JobState(state), **values)  # type: ignore[arg-type]


def runs(session: Session, batch: int) -> list[Run]:
    return [_run(*row) for row in session.all(_RUNS, batch=batch)]


def _run(*row: Any) -> Run:
    *values, changed = row
    known = dict(zip(_RUN, values, strict=True))
    told = {name: json.loads(known[name]) for name in ("program", "settings", "sandbox")}
    return Run(**{**known, **told}, changed=json.loads(changed or "null"))


def workers(session: Session) -> list[WorkerRow]:
    names = ("id", "host", "pid", "kind", "slots", "started_ms", "beat")
    rows = session.all(f"SELECT {', '.join(names)} FROM worker ORDER BY id")
    return [WorkerRow(**dict(zip(names, row, strict=True))) for row in rows]


def at_work(session: Session) -> dict[str, AtWork]:
    found: dict[str, AtWork] = {}
    for owner, count, first in session.all(_HELD):
        paths = session.all(_A_PATH, work=first)
        found[owner] = AtWork(documents=count, on=paths[0][0] if paths else "")
    for owner, count, path in session.all(_READING):
        held = found.get(owner)
        found[owner] = AtWork(held.documents, count, held.on) if held else AtWork(0, count, path)
    return found


def open_work(session: Session) -> list[tuple[str, str, int]]:
    return [(task, lane, count) for task, lane, count in session.all(_OPEN_WORK)]


def pace(session: Session) -> list[tuple[int, int]]:
    rows = session.all(_PACE, type=str(EventType.DOCUMENT_PROCESSED))
    packed = [msgspec.json.decode(body, type=PackedEvents) for (body,) in rows]
    return [(each.timestamp, _told(each)) for each in packed]


def _told(packed: PackedEvents) -> int:
    if packed.span:
        return packed.span[1] - packed.span[0] + 1
    return sum(len(group.keys) for group in packed.groups) or 1


def parked(session: Session) -> list[ParkedWork]:
    return [ParkedWork(*row) for row in session.all(_PARKED)]


def places(session: Session, work: int, limit: int) -> list[Place]:
    return [Place(*row) for row in session.all(_PLACES, work=work, limit=limit)]


def parked_posts(session: Session) -> list[ParkedPost]:
    rows = session.all(_POSTS)
    return [ParkedPost(event=key, type=kind, batch=batch, detail=why) for key, kind, batch, why in rows]


def untold(session: Session, who: str, types: Sequence[str]) -> int:
    told = next((int(value) for (value,) in session.all(_TOLD, key=f"told {who}")), 0)
    query = "SELECT count(*) FROM event WHERE id > :told AND type IN :types"
    return int(session.all(query, told=told, types=list(types))[0][0])


def known_blobs(session: Session, sha256s: Sequence[bytes]) -> dict[bytes, Location]:
    if not sha256s:
        return {}
    query = 'SELECT sha256, pack, "offset", length FROM blob WHERE sha256 IN :sha256s'
    return {sha256: Location(*place) for sha256, *place in session.all(query, sha256s=list(set(sha256s)))}
