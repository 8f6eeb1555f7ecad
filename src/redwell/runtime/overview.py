"""What goes on in a home, for people: jobs by their turns, workers, services. Called by the command line."""

import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redwell.adapters.files.locks import is_held
from redwell.core.jobs import Job, WorkerRow
from redwell.runtime.assignment import has_services
from redwell.runtime.bootstrap import case_ledgers
from redwell.runtime.cases import Cases, is_elsewhere
from redwell.runtime.services import open_registry
from redwell.runtime.settings import Settings


def jobs(home: Path, settings: Settings, case: str | None, every: bool) -> list[dict[str, Any]]:
    """Open jobs in the order of their turns, then the ended ones if all are wanted."""
    now = time.time_ns() // 1_000_000
    found = list[dict[str, Any]]()
    for name, _, store in case_ledgers(home, settings, case):
        asked = store.all_jobs() if every else store.open_jobs()
        counts = store.counts_by_batch([job.batch for job in asked])
        found += [_job(name, job, counts[job.batch], now, settings.ageing_s) for job in asked]
    return sorted(found, key=lambda row: (row["finished"] is not None, row["effective_priority"], row["order"]))


def _job(case: str, job: Job, counts: Mapping[str, int], now: int, ageing_s: int) -> dict[str, Any]:
    total = sum(counts.values())
    done = total - counts.get("OPEN", 0)
    turn, order = job.turn(now, ageing_s * 1_000)
    return {
        "case": case,
        "batch": job.batch,
        "job": job.id,
        "kind": job.kind,
        "state": job.state,
        "priority": job.priority,
        "effective_priority": turn,
        "order": order,
        "workers": job.workers,
        "documents": total,
        "done": done,
        "percent": round(100 * done / total, 1) if total else 0.0,
        "created": when(job.created_ms),
        "started": when(job.started_ms),
        "finished": when(job.finished_ms),
    }


def workers(home: Path, settings: Settings) -> Iterator[dict[str, Any]]:
    """Every process that is registered with a case: who, where, what on, since when."""
    for name, folder, store in case_ledgers(home, settings, None):
        at_work = store.at_work()
        for row in store.workers():
            doing = at_work.get(row.id, {})
            yield {
                "worker": row.id,
                "case": name,
                "kind": row.kind,
                "host": row.host.partition("/")[0],
                "pid": row.pid,
                "slots": row.slots,
                "since": when(row.started_ms),
                "state": _state(row, folder),
                "documents": doing.get("documents", 0),
                "reading": doing.get("reading", 0),
                "on": doing.get("on", ""),
            }


def services(home: Path, settings: Settings) -> Iterator[dict[str, Any]]:
    """Every service of workers that was registered, and what it is on."""
    if not has_services(home, settings):
        return
    with closing(Cases(home, settings)) as cases:
        names = cases.numbers()
    with open_registry(home, settings) as registry:
        for row in registry.find():
            yield {
                "service": row.id,
                "status": row.status,
                "case": names.get(row.case or 0),
                "job": row.job,
                "jobs": sorted(row.jobs),
                "worker_limit": row.worker_limit,
            }


def _state(row: WorkerRow, folder: Path) -> str:
    """Here a lock tells; elsewhere only somebody who watches for a while."""
    if is_elsewhere(row, folder):
        return "elsewhere"
    return "alive" if is_held(folder / "locks" / f"worker-{row.id}") else "dead"


def when(stamp_ms: int | None) -> str | None:
    return datetime.fromtimestamp(stamp_ms / 1000, UTC).isoformat(timespec="milliseconds") if stamp_ms else None
