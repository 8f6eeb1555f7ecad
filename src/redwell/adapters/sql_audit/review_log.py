"""The chain of the audit log, checked from its first entry to its last."""

from collections.abc import Iterator

from redwell.adapters.sql_reader.session import Session
from redwell.core.case.findings import Check, Finding
from redwell.core.review.audit_chain import FIRST, fields_of, link

_ENTRIES = "SELECT id, at_ms, who, action, exhibit, detail, hash FROM audit_entry ORDER BY id"


def broken_links(session: Session) -> Iterator[Finding]:
    """Each entry that is not as it was written, or does not follow the one that stands before it."""
    before, number = FIRST, 0
    for key, *fields, kept in session.stream(_ENTRIES):
        if key != number + 1:
            yield Finding(Check.AUDIT, f"audit entry {number + 1}", f"it is gone; the next one there is is {key}")
        elif link(before, fields_of(key, *fields)) != bytes(kept):
            yield Finding(Check.AUDIT, f"audit entry {key}", "it, or the one before, is not as it was written")
        before, number = bytes(kept), key
