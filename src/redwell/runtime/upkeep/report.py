"""The processing report: what came in, what became of it, with which versions and settings, balanced to the last item.

Every item is looked at once; what is kept in memory does not grow with the case.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redwell.core.case.rows import Batch, Wanted
from redwell.core.report.tally import Tally
from redwell.runtime.monitor.run_facts import maker, program
from redwell.runtime.upkeep.completeness import LookedAt, completeness
from redwell.runtime.upkeep.exceptions import FIELDS, exceptions_of
from redwell.runtime.upkeep.originals import with_originals
from redwell.runtime.upkeep.report_appendices import MANIFEST_FIELDS, Appendix, manifest_row
from redwell.runtime.upkeep.report_batch import batch_account, now

LISTED = 500  # exceptions that stand in the report itself


@dataclass(slots=True)
class Gathered:
    """What one pass over the exhibits gives."""

    manifest: Appendix
    problems: Appendix
    case: str
    resolved: Mapping[int, int]
    total: Tally = field(default_factory=Tally)
    exceptions: list[dict[str, str]] = field(default_factory=list)
    exceptional: int = 0

    def add(self, case: LookedAt, batch: int) -> Tally:
        tally = Tally()
        for exhibit, original in with_originals(case.rows, case.rows.exhibits(Wanted(batch=batch))):
            self.total.add(exhibit)
            self.manifest.add(manifest_row(exhibit, tally.add(exhibit), original))
            rows = list(exceptions_of(self.case, exhibit, self.resolved))
            self.exceptional += bool(rows)
            for row in rows:
                self.problems.add(row)
                if len(self.exceptions) < LISTED:
                    self.exceptions.append(row)
        return tally


def report(
    case: LookedAt,
    batches: Sequence[Batch],
    *,
    folder: Path | None = None,
    verification: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """`folder` is where its appendices go; `verification` is what verify found, if it was asked."""
    standing, jobs = completeness(case), case.rows.jobs(every=True)
    gathered = Gathered(
        manifest=Appendix("manifest.csv", MANIFEST_FIELDS, folder),
        problems=Appendix("exceptions.csv", FIELDS, folder),
        case=case.name,
        resolved=case.rows.resolved_files(),
    )
    told = [batch_account(case, batch, gathered.add(case, batch.id), (standing, jobs)) for batch in batches]
    appendices = [gathered.manifest.close(), gathered.problems.close()]
    model = case.rows.model()
    return {
        "case": case.name,
        "made": {"at": now(), **maker()},
        "reported_by": program(),
        "model": {"name": model.told, "is_remote": model.is_remote},
        "unfinished": standing.for_json(case.name),
        "totals": gathered.total.for_json(),
        "exceptional_items": gathered.exceptional,
        "balanced": all(batch["balanced"] for batch in told),
        "verification": dict(verification) if verification else _rows_only(told),
        "manifest_sha256": appendices[0]["sha256"],
        "appendices": appendices,
        "exceptions": gathered.exceptions,
        "batches": told,
    }


def _rows_only(batches: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What every report looks at: whether the rows add up. Bytes and index are verify's."""
    found = [f"batch {batch['batch']}: {line}" for batch in batches for line in batch["differences"]]
    return {"of": "rows", "in_order": not found, "findings": len(found), "listed": found[:LISTED]}
