"""The processing report: what came in, what became of it, with which versions and settings."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import structs

from redwell.core.case.completeness import Completeness
from redwell.core.case.rows import Batch
from redwell.core.jobs.job import Job, JobKind, JobState
from redwell.core.jobs.run import Run
from redwell.ports.case_reader import CaseReader
from redwell.runtime.loadfiles.balance import told_volumes
from redwell.runtime.monitor.run_facts import program
from redwell.runtime.upkeep.completeness import LookedAt, completeness


def report(case: LookedAt, batches: Sequence[Batch]) -> dict[str, Any]:
    standing = completeness(case)
    return {
        "case": case.name,
        "reported_by": program(),
        "unfinished": standing.for_json(case.name),
        "batches": [_batch(case.rows, batch, standing) for batch in batches],
    }


def _batch(rows: CaseReader, batch: Batch, standing: Completeness) -> dict[str, Any]:
    counts = rows.counts(batch.id)
    cancelled = [job for job in rows.jobs(every=True) if job.batch == batch.id and job.state is JobState.CANCELLED]
    return {
        "batch": batch.id,
        "state": next((each.state for each in standing.batches if each.batch == batch.id), _ended(cancelled)),
        "type": batch.type,
        "custodian": batch.custodian,
        "sources": _sources(rows, batch.id),
        "begun": _when(batch.created_ms),
        "finished": _when(batch.finished_ms),
        "cancelled": _when(cancelled[-1].finished_ms) if cancelled else None,
        "documents": sum(counts.values()),
        "outcomes": dict(sorted(counts.items())),
        "volumes": told_volumes(rows, batch.id),
        "duplicates": rows.duplicates(batch.id),
        "numbers_not_used": rows.skipped(batch.id),
        "sandbox": rows.sandbox(batch.id),
        "settings": dict(batch.settings),
        "runs": [_run(run) for run in rows.runs(batch.id)],
    }


def _run(run: Run) -> dict[str, Any]:
    """`ended` is None while it runs, and for good where it was killed."""
    return {
        "command": run.command,
        "job": run.job,
        "begun": _when(run.started_ms),
        "ended": _when(run.ended_ms),
        "user": run.user,
        "host": run.host,
        **run.program,
        "settings": dict(run.settings),
        "sandbox": dict(run.sandbox),
        "changed": run.changed,
    }


def _ended(cancelled: Sequence[Job]) -> str:
    return JobState.CANCELLED if any(job.kind is JobKind.IMPORT for job in cancelled) else JobState.FINISHED


def _sources(rows: CaseReader, batch: int) -> list[dict[str, Any]]:
    """`listed` is None until the source was read to its end, and for good where the import was cancelled before."""
    unread = {source.path: source for source in rows.unread_sources(batch)}
    found: list[dict[str, Any]] = [structs.asdict(row) for row in rows.sources(batch)]
    for each in found:
        if source := unread.get(each["path"]):
            each |= {"listed": None, "seen": source.seen, "read_to": source.read_to, "unread": source.how_far}
    return found


def _when(stamp_ms: int | None) -> str | None:
    return datetime.fromtimestamp(stamp_ms / 1000, UTC).isoformat() if stamp_ms else None
