"""An import as its watchers see it: what came in, what became of it, what is open right now. Only looks."""

import re
from collections.abc import Mapping
from typing import Any

from redwell.core.case.rendition_states import counted
from redwell.core.case.rows import OPEN
from redwell.core.jobs.job import JobState, shown_state
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Phase
from redwell.runtime.bootstrap.open_reader import Reader
from redwell.runtime.upkeep.completeness import is_at_work
from redwell.runtime.upkeep.status import when

_UPLOADED = re.compile(r"/uploads/\d+/[0-9a-f]{32}/files$")


def batch_progress(reader: Reader, batch: int) -> dict[str, Any]:
    """Of a batch that there is."""
    rows = reader.rows
    row = next(each for each in rows.batches() if each.id == batch)
    job = [each for each in rows.jobs(every=True) if each.batch == batch][-1]
    counts, sources = rows.counts(batch), rows.sources(batch)
    open_, total = counts.get(OPEN, 0), sum(counts.values())
    running = row.finished_ms is None
    parts = rows.parts_in(batch)
    return {
        "batch": batch,
        "state": shown_state(job.state, total, is_at_work(reader)) if running else _ended(job.state),
        "kind": str(job.kind),
        "custodian": row.custodian,
        "sources": [{"path": source_told(source.path), "listed": source.listed} for source in sources],
        "listing": running and any(source.listed is None for source in sources),
        "documents": total,
        "open": open_,
        "done": total - open_,
        "outcomes": {name: count for name, count in sorted(counts.items()) if name != OPEN},
        "exceptions": sum(counts.get(o, 0) for o in Outcome if o not in (Outcome.SUCCESS, Outcome.FILTERED)),
        "filtered": counts.get(Outcome.FILTERED, 0),
        "duplicates": rows.duplicates(batch),
        "renditions": {"wanted": _rendered(row.settings), **counted(parts, Phase.RENDITION)},
        "recognitions": {"wanted": row.settings.get("ocr", "none"), **counted(parts, Phase.OCR)},
        "at_work": [doing.on for doing in rows.at_work().values() if doing.on] if running else [],
        "begun": when(row.created_ms),
        "finished": when(row.finished_ms),
        "seconds": round(((row.finished_ms or 0) - row.created_ms) / 1000, 1) if row.finished_ms else None,
    }


def source_told(path: str) -> str:
    """What was uploaded lies where only the server looks."""
    return "uploaded" if _UPLOADED.search(path) else path


def _rendered(settings: Mapping[str, Any]) -> str:
    """PDFs and page images are one lane: with the import, where either of them is."""
    wanted = {settings.get("pdf", "none"), settings.get("pages", "none")}
    return next(each for each in ("eager", "lazy", "none") if each in wanted)


def _ended(state: JobState) -> str:
    return str(JobState.CANCELLED if state is JobState.CANCELLED else JobState.FINISHED)
