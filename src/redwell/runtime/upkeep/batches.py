"""Imports as their users see them: begin one, go on with one, and what became of it."""

import os
import stat
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from msgspec import to_builtins

from redwell.core.case.findings import Check
from redwell.core.case.rendition_states import counted
from redwell.core.command_lines import command_line
from redwell.core.errors import NotFound, UserError
from redwell.core.jobs.job import Job, JobKind, NewJob
from redwell.core.loadfiles.volume_document import Told
from redwell.core.names import display, quoted, unquoted
from redwell.core.outcomes import Outcome
from redwell.core.patience import Patience
from redwell.core.work.kinds import Phase
from redwell.core.work.transitions import Standing
from redwell.intake.objects import is_remote
from redwell.ports.ledger import NewBatch
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.open_sources import require_remote_source
from redwell.runtime.bootstrap.services.host_identity import inode_of, machine_name
from redwell.runtime.cluster.job_requirements import are_everywhere
from redwell.runtime.loadfiles.balance import told_volumes
from redwell.runtime.upkeep.verify import imbalances
from redwell.runtime.worker.batch_filter import checked


def check_sources(sources: Sequence[str], home: str, patience: Patience) -> list[str]:
    """Absolute, quoted paths; a source that is missing, unreadable or the home itself is refused at once."""
    checked = [quoted(_remote(s, patience) if is_remote(os.fsencode(s)) else _local(s, home)) for s in sources]
    if len(set(checked)) != len(checked):
        raise UserError("the same source is named twice")
    return checked


def _remote(source: str, patience: Patience) -> bytes:
    require_remote_source(source, patience)
    return os.fsencode(source.rstrip("/"))


def _local(source: str, home: str) -> bytes:
    path = os.path.abspath(os.fsencode(source))
    try:
        info = os.stat(path)
        if stat.S_ISDIR(info.st_mode):
            os.close(os.open(path, os.O_RDONLY | os.O_DIRECTORY))
            path = os.path.realpath(path)
    except OSError as error:
        raise NotFound(f"{display(path)}: {error.strerror}; nothing was imported") from None
    inside = os.path.commonpath([os.fsencode(os.path.realpath(home)), path])
    if inside in {path, os.fsencode(os.path.realpath(home))}:
        raise UserError(f"{display(path)} and REDWELL_HOME ({home}) contain each other; choose another REDWELL_HOME")
    return path


def begin(
    case: Case, sources: Sequence[str], type_: str, custodian: str | None, job: NewJob, told: Told | None = None
) -> int:
    """The batch and its first job; the sources are read where they were named. `told` is about a volume."""
    of_volume = {"loadfile": to_builtins(told)} if told else {}
    new = NewBatch(
        type=type_,
        custodian=custodian,
        settings=case.settings.shown() | checked(case.settings, case.home) | known_by(case, sources) | of_volume,
        sources=sources,
        job=replace(job, host=machine_name(), terms=case.terms),
    )
    batch = case.store.create_batch(new)
    case.announce()
    return batch


def known_by(case: Case, sources: Sequence[str]) -> dict[str, Any]:
    """By what another machine knows that its path leads to the same source, and not to an empty mount point."""
    return {"source_inodes": [inode_of(unquoted(source)) for source in sources]} if case.is_shared else {}


def unfinished(case: Case) -> list[int]:
    return [row.id for row in case.rows.batches() if row.finished_ms is None]


def check_reach(case: Case, batch: int) -> None:
    """What is read elsewhere would be missing here: that is no outcome of a document."""
    job = last_job(case, batch)
    here = case.reach.sees(job) or case.reach.was_begun_here(job)  # the latter where another machine keeps the case now
    if case.store.standing(batch) is Standing.UNREAD and not (here or are_everywhere(case, batch)):
        raise UserError(
            f"the sources of batch {batch} are on {job.host}: go on there, or say --set shared_sources=yes if they are "
            f"here under the same paths, or end it with: {command_line('cancel', case.name, batch)}"
        )


def retry_job(case: Case, passwords: str = "") -> NewJob:
    return NewJob(kind=JobKind.RETRY, host=machine_name(), passwords=passwords, terms=case.terms)


def retried(case: Case) -> list[int]:
    """Batches whose open job is a retry."""
    return [job.batch for job in case.store.open_jobs() if job.kind is JobKind.RETRY]


def last_job(case: Case, batch: int) -> Job:
    """The job that runs, or the last one that did."""
    return [job for job in case.rows.jobs(every=True) if job.batch == batch][-1]


def summary(case: Case, batch: int, seconds: float) -> dict[str, Any]:
    """The closing account of a batch; `balanced` is what verify would say of its rows, with nothing left unread."""
    counts, job = case.rows.counts(batch), last_job(case, batch)
    standing = case.store.standing(batch)
    is_searchable = standing.has_reached(Standing.RENDERING)
    parts = case.rows.parts_in(batch)
    return {
        "case": case.name,
        "batch": batch,
        "job": job.id,
        "state": job.state,
        "searchable": is_searchable,
        "finished": standing is Standing.OVER,
        "documents": sum(counts.values()),
        "outcomes": dict(sorted(counts.items())),
        "volumes": told_volumes(case.rows, batch),
        "duplicates": case.rows.duplicates(batch),
        "filtered": counts.get(Outcome.FILTERED, 0),
        "processed": (processed := case.rows.derived(batch)),
        "renditions": counted(parts, Phase.RENDITION),
        "recognitions": counted(parts, Phase.OCR),
        "repeats_only": not processed and case.rows.repeats_only(batch),
        "seconds": round(seconds, 3),
        "unread": [source.for_json() for source in case.rows.unread_sources(batch)],
        "balanced": is_searchable and all(f.check is Check.UNFINISHED for f in imbalances(case.rows, batch)),
    }
