"""`redwell verify`: proves that every input is accounted for and every stored byte is right.

Called by the command line, and for its cheap part by the summary of an import. It only reads, streams
what it finds, and needs the same memory for a case of any size. docs/verify.md explains the findings.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from redwell.adapters.sql.audit import Audit
from redwell.adapters.sql.store import SqlCaseStore
from redwell.adapters.tantivy.checksums import damaged
from redwell.core.errors import RedwellError
from redwell.core.findings import Check, Finding
from redwell.load.project import entry_of
from redwell.runtime.account import Account
from redwell.runtime.bootstrap import Case
from redwell.runtime.stored_bytes import StoredBytes

__all__ = ["Account", "Finding", "imbalances", "noted", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """An exhibit as its rows say, or as the index has it."""

    exhibit: int
    digest: str | None  # None: the rows cannot be read
    indexed: bool = False
    wanted: bool = False


_exhibit = attrgetter("exhibit")


def imbalances(store: SqlCaseStore, batch: int | None = None) -> Iterator[Finding]:
    """What does not add up in the rows of a batch, or of the whole case."""
    with store.audit() as audit:
        yield from audit.imbalances(batch)


def verify(case: Case, progress: Account | None = None) -> Iterator[Finding]:
    """Everything that is wrong with a case; nothing when all of it is in order."""
    account = progress if progress is not None else Account()
    with case.store.audit() as audit:
        account.inputs, account.exhibits, account.containers = audit.counts()
        yield from audit.guarded(audit.integrity())
        yield from audit.imbalances()
        yield from audit.seals()
        yield from audit.guarded(StoredBytes(audit, case.blobs, account).findings())
        yield from audit.guarded(_index(case, audit))


def noted(case: Case) -> Iterator[Finding]:
    """What people should know of a case in which all is in order: containers that were counted differently."""
    with case.store.audit() as audit:
        yield from audit.guarded(audit.discrepancies())


def _index(case: Case, audit: Audit) -> Iterator[Finding]:
    """A damaged index is not read: the rows are the truth, and it can be made anew from them."""
    try:
        broken = [str(path.relative_to(case.folder)) for path in damaged(case.folder / "index")]
        for name in broken:
            yield Finding(Check.INDEX, name, "its bytes are not the ones that were written")
        if not broken:
            yield from _differences(case, audit)
    except (RedwellError, OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        yield Finding(Check.INDEX, "index", f"it cannot be read: {error}")


def _differences(case: Case, audit: Audit) -> Iterator[Finding]:
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
            if name or case.store.exhibit(key) is None:  # else it came since the audit began
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


def _digest(exhibit: Mapping[str, Any] | None) -> str | None:
    try:
        return entry_of(exhibit, "").digest if exhibit else None
    except (ValueError, TypeError, AttributeError):
        return None
