"""One batch in the processing report (report.py): its sources, runs, settings, and whether it balances."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from msgspec import structs

from redwell.core.case.completeness import Completeness
from redwell.core.case.rows import Batch
from redwell.core.jobs.job import Job, JobKind, JobState
from redwell.core.jobs.loader_life import Life
from redwell.core.jobs.run import Run
from redwell.core.report.tally import Tally
from redwell.ports.case_reader import CaseReader
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.loadfiles.balance import told_volumes
from redwell.runtime.upkeep.completeness import LookedAt
from redwell.runtime.upkeep.verify import imbalances


def batch_account(
    case: LookedAt, batch: Batch, tally: Tally, known: tuple[Completeness, Sequence[Job]]
) -> dict[str, Any]:
    """`known` is how finished the case is, and its jobs."""
    rows, (standing, jobs) = case.rows, known
    own = [job for job in jobs if job.batch == batch.id]
    cancelled = [job for job in own if job.state is JobState.CANCELLED]
    counts, sources = rows.counts(batch.id), _sources(rows, batch.id, tally)
    state = next((each.state for each in standing.batches if each.batch == batch.id), _ended(cancelled))
    differences = [*_differences(tally, counts, sources, batch), *_unbalanced(rows, batch.id)]
    differing, default = _settings(batch.settings)
    return {
        "batch": batch.id,
        "state": state,
        "type": batch.type,
        "custodian": batch.custodian,
        "sources": sources,
        "begun": _when(batch.created_ms),
        "finished": _when(batch.finished_ms),
        "cancelled": _when(cancelled[-1].finished_ms) if cancelled else None,
        "documents": sum(counts.values()),
        "outcomes": dict(sorted(counts.items())),
        "volumes": told_volumes(rows, batch.id),
        "duplicates": rows.duplicates(batch.id),
        "totals": tally.for_json(),
        "balanced": not differences,
        "differences": differences,
        "numbers_not_used": rows.skipped(batch.id),
        "sandbox": rows.sandbox(batch.id),
        "settings": dict(batch.settings),
        "settings_changed": differing,
        "settings_default": default,
        "loader": _loader(rows.loaders().get(batch.id, Life())),
        "retries": [_job(job) for job in own if job.kind is not JobKind.IMPORT],
        "runs": [_run(run) for run in rows.runs(batch.id)],
    }


def _differences(
    tally: Tally, counts: Mapping[str, int], sources: Sequence[Mapping[str, Any]], batch: Batch
) -> list[str]:
    """Two ways to count that must agree: what the walks listed, what the rows have, what became of each item."""
    told = []
    if batch.finished_ms is None:
        told.append("the batch is not finished")
    if (counted := sum(counts.values())) != tally.total.all.items:
        told.append(f"{tally.total.all.items:,} items were listed, {counted:,} are in the case")
    for source in sources:
        if source["listed"] is None:
            told.append(f"the source {source['path']} was not read to its end")
    listed = sum(source["listed"] or 0 for source in sources)
    if all(source["listed"] is not None for source in sources) and listed != tally.loose.items:
        told.append(f"{listed:,} files were found in the sources, {tally.loose.items:,} are in the case")
    return told


def _unbalanced(rows: CaseReader, batch: int) -> list[str]:
    return [f"{finding.check}: {finding.subject}: {finding.detail}" for finding in imbalances(rows, batch)]


def _settings(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Those that differ from this release's defaults, and the others."""
    defaults = {each.name: each.default for each in fields(Settings)}
    differing = {name: value for name, value in values.items() if name not in defaults or value != defaults[name]}
    return differing, {name: value for name, value in values.items() if name not in differing}


def _loader(life: Life) -> dict[str, Any]:
    return {"phase": life.phase, "uploader": life.uploader, "dead_letters": life.kept}


def _job(job: Job) -> dict[str, Any]:
    return {
        "job": job.id,
        "kind": job.kind,
        "state": job.state,
        "begun": _when(job.created_ms),
        "ended": _when(job.finished_ms),
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


def _sources(rows: CaseReader, batch: int, tally: Tally) -> list[dict[str, Any]]:
    """`listed` is None until the source was read to its end, and for good where the import was cancelled before."""
    unread = {source.path: source for source in rows.unread_sources(batch)}
    found: list[dict[str, Any]] = [structs.asdict(row) for row in rows.sources(batch)]
    for each in found:
        counted = tally.sources.get(each["path"])
        each |= counted.all.for_json() if counted else {"items": 0, "bytes": 0}
        if source := unread.get(each["path"]):
            each |= {"listed": None, "seen": source.seen, "read_to": source.read_to, "unread": source.how_far}
    return found


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _when(stamp_ms: int | None) -> str | None:
    return datetime.fromtimestamp(stamp_ms / 1000, UTC).isoformat(timespec="milliseconds") if stamp_ms else None
