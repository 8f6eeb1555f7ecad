"""What goes on in a home, for people: jobs by their turns, workers, services. Called by the command line."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redwell.core.case.rows import AtWork
from redwell.core.jobs.job import Job, shown_state
from redwell.core.jobs.liveness import is_silent
from redwell.core.jobs.worker_services import worker_kind
from redwell.runtime.bootstrap.cases.case_places import CasePlaces
from redwell.runtime.bootstrap.open_reader import open_readers
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.services.registered_services import registered_services
from redwell.runtime.bootstrap.services.worker_presence import Present, present
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.upkeep.completeness import is_at_work


def jobs(home: Path, settings: Settings, case: str | None, every: bool) -> list[dict[str, Any]]:
    """Open jobs in the order of their turns, then the ended ones if all are wanted."""
    now = time.time_ns() // 1_000_000
    found = list[dict[str, Any]]()
    for reader in open_readers(home, settings, case):
        asked = reader.rows.jobs(every=every)
        counts = reader.rows.counts_by_batch([job.batch for job in asked])
        at_work = is_at_work(reader)
        found += [
            _job(reader.name, job, counts[job.batch], at_work, job.turn(now, settings.ageing_s * 1_000))
            for job in asked
        ]
    return sorted(found, key=lambda row: (row["finished"] is not None, row["effective_priority"], row["order"]))


def _job(case: str, job: Job, counts: Mapping[str, int], at_work: bool, turn: tuple[int, int]) -> dict[str, Any]:
    total = sum(counts.values())
    done = total - counts.get("OPEN", 0)
    return {
        "case": case,
        "batch": job.batch,
        "job": job.id,
        "kind": job.kind,
        "state": shown_state(job.state, total, at_work),
        "priority": job.priority,
        "effective_priority": turn[0],
        "order": turn[1],
        "workers": job.workers,
        "documents": total,
        "done": done,
        "percent": round(100 * done / total, 1) if total else 0.0,
        "created": when(job.created_ms),
        "started": when(job.started_ms),
        "finished": when(job.finished_ms),
    }


def workers(home: Path, settings: Settings) -> Iterator[dict[str, Any]]:
    """Every process that is registered with a case: who, where, what on, since when; then those without work here."""
    seen, now_ms = set[int](), time.time_ns() // 1_000_000
    for reader in open_readers(home, settings):
        at_work = reader.rows.at_work()
        for row in reader.rows.workers():
            doing, state = at_work.get(row.id, AtWork()), reader.state_of(row)
            if state == "alive":
                seen.add(row.pid)
            elif state == "elsewhere" and is_silent(row.beat, now_ms - row.started_ms, settings.lease_s):
                state = "silent"
            yield {
                "worker": row.id,
                "case": reader.name,
                "kind": row.kind,
                "host": row.host.partition("/")[0],
                "pid": row.pid,
                "slots": row.slots,
                "since": when(row.started_ms),
                "state": state,
                "documents": doing.documents,
                "reading": doing.reading,
                "on": doing.on,
            }

    yield from (_idle(each) for each in present(home) if each.pid not in seen)


def _idle(each: Present) -> dict[str, Any]:
    return {
        "worker": each.id,
        "case": None,
        "kind": each.kind,
        "host": machine_name(),
        "pid": each.pid,
        "slots": each.slots,
        "since": when(each.started_ms),
        "state": "idle",
        "documents": 0,
        "reading": 0,
        "on": "",
    }


def services(home: Path, settings: Settings, seen: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every service of workers that was registered, what it is on, and how many of the workers seen are its own.

    One on another machine that has no case yet is seen by nobody here.
    """
    rows = registered_services(home, settings)
    if not rows:
        return
    with closing(CasePlaces(home, settings)) as places:
        names = places.numbers()
    kinds = Counter(row["kind"] for row in seen if row["state"] != "silent")
    for row in rows:
        yield {
            "service": row.id,
            "status": row.status,
            "case": names.get(row.case or 0),
            "job": row.job,
            "jobs": sorted(row.jobs),
            "worker_limit": row.worker_limit,
            "workers": kinds[worker_kind(row.id)],
        }


def is_manned(home: Path, settings: Settings, service: str) -> bool:
    """Whether a worker of this service is seen from here."""
    kind = worker_kind(service)
    return any(each.kind == kind for each in present(home)) or any(
        row["kind"] == kind and row["state"] != "silent" for row in workers(home, settings)
    )


def when(stamp_ms: int | None) -> str | None:
    return datetime.fromtimestamp(stamp_ms / 1000, UTC).isoformat(timespec="milliseconds") if stamp_ms else None
