"""`redwell verify`: proves that every input is accounted for and every stored byte is right.

Called by the command line, and for its cheap part by the summary of an import. It only reads, streams
what it finds, and needs the same memory for a case of any size. docs/verify.md explains the findings.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import chain, groupby
from operator import attrgetter
from typing import Protocol

from redwell.core.case.findings import Check, Finding
from redwell.core.case.rows import Exhibit
from redwell.core.errors import RedwellError
from redwell.load.project import entry_of, filed_of, standing_of
from redwell.ports.audit import Audit, Overtaken
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader
from redwell.ports.search_index import SearchReader
from redwell.runtime.loadfiles.balance import volume_findings
from redwell.runtime.upkeep.verify_bytes import StoredBytes
from redwell.runtime.upkeep.verify_counts import Account
from redwell.runtime.upkeep.verify_texts import SketchOf, StoredTexts

__all__ = ["Account", "Finding", "imbalances", "noted", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """An exhibit as its rows say, or as the index has it."""

    exhibit: int
    digest: str | None  # None: the rows cannot be read
    indexed: bool = False
    wanted: bool = False


_exhibit = attrgetter("exhibit")


class Verifiable(Protocol):
    """A case that is open for work, or only to be looked at."""

    @property
    def rows(self) -> CaseReader: ...
    @property
    def blobs(self) -> BlobReader: ...
    @property
    def index(self) -> SearchReader: ...


def imbalances(rows: CaseReader, batch: int | None = None) -> Iterator[Finding]:
    """What does not add up in the rows of a batch, or of the whole case."""
    with rows.audit() as audit:
        yield from audit.imbalances(batch)


def verify(case: Verifiable, progress: Account | None = None, sketch_of: SketchOf | None = None) -> Iterator[Finding]:
    """Everything that is wrong with a case; nothing when all is in order. With `sketch_of` texts are read, too."""
    account = progress if progress is not None else Account()
    return _once_each(lambda: _verified(case, account, sketch_of))


def _once_each(findings: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """Where an import begins meanwhile on a case that nobody was at, all is looked at again and nothing said twice."""
    told = set[Finding]()
    while True:
        try:
            for finding in findings():
                if finding not in told:
                    told.add(finding)
                    yield finding
        except Overtaken:
            continue
        return


def _verified(case: Verifiable, account: Account, sketch_of: SketchOf | None) -> Iterator[Finding]:
    account.begin()
    with case.rows.audit() as audit:
        account.inputs, account.exhibits, account.containers = audit.counts()
        yield from audit.guarded(audit.integrity())
        yield from audit.imbalances()
        yield from volume_findings(case.rows)
        yield from audit.seals()
        yield from audit.guarded(audit.loads())
        yield from audit.guarded(audit.review_log())
        yield from audit.guarded(StoredBytes(audit, case.blobs, account).findings())
        yield from audit.guarded(_index(case, audit))
        if sketch_of:
            yield from audit.guarded(StoredTexts(audit, case.rows, case.blobs).findings(sketch_of))


def noted(case: Verifiable) -> Iterator[Finding]:
    """What people should know of a case in which all is in order: cancelled imports that a later one made good,
    containers that were counted differently."""
    return _once_each(lambda: _noted(case))


def _noted(case: Verifiable) -> Iterator[Finding]:
    with case.rows.audit() as audit:
        yield from audit.guarded(audit.read_later())
        yield from audit.guarded(audit.discrepancies())


def _index(case: Verifiable, audit: Audit) -> Iterator[Finding]:
    """A damaged index is not read: the rows are the truth, and it can be made anew from them."""
    try:
        broken = list(case.index.damaged())
        for name in broken:
            yield Finding(Check.INDEX, name, "its bytes are not the ones that were written")
        if not broken:
            yield from _differences(case, audit)
    except (RedwellError, OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        yield Finding(Check.INDEX, "index", f"it cannot be read: {error}")


def _differences(case: Verifiable, audit: Audit) -> Iterator[Finding]:
    """Rows and entries side by side, both by exhibit."""
    rows = (Seen(exhibit=key, wanted=wanted, digest=_digest(known)) for key, wanted, known in audit.exhibits())
    entries = (Seen(exhibit=key, indexed=True, digest=digest) for key, digest in case.index.entries())
    first = next(entries, None)
    if first is None:
        if missing := sum(row.wanted for row in rows):
            yield Finding(Check.INDEX, "index", f"it is empty; {missing:,} exhibits belong into it")
        return
    for key, group in groupby(merge(rows, chain([first], entries), key=_exhibit), key=_exhibit):
        if wrong := _compared(list(group)):
            name = audit.name_of(key)
            if name or not case.rows.some([key]):  # else it came since the audit began
                yield Finding(Check.INDEX, name or f"exhibit {key}", wrong)


def _compared(seen: list[Seen]) -> str:
    """An exhibit that is open or waits for the index may have an entry, of whatever state it was in before."""
    row = next((each for each in seen if not each.indexed), None)
    found = [each.digest for each in seen if each.indexed]
    if row is None:
        return "the index has an entry for it, but there is no such exhibit"
    if len(found) > 1:
        return f"it is {len(found)} times in the index"
    if row.wanted and not found:
        return "it is not in the index"
    return "its entry in the index is of something else" if row.wanted and found != [row.digest] else ""


def _digest(exhibit: Exhibit | None) -> str | None:
    try:
        return entry_of(exhibit, "", standing_of(exhibit), filed_of(exhibit)).digest if exhibit else None
    except (ValueError, TypeError, AttributeError):
        return None
