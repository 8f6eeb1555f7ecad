"""What belongs to a document beside its family: the other mails of its thread, and what says nearly the same."""

from collections.abc import Sequence

from redwell.core.case.rows import Exhibit
from redwell.core.errors import UserError
from redwell.ports.case_reader import CaseReader

MOST = 200


def thread_of(exhibit: Exhibit, rows: CaseReader) -> list[Exhibit]:
    """In the order they were written, itself among them; empty where it is no mail, or alone."""
    found = _given(rows, "thread", exhibit.thread) if exhibit.thread else []
    return sorted(found, key=lambda mail: str(mail.metadata.get("date") or "")) if len(found) > 1 else []


def near_to(exhibit: Exhibit, rows: CaseReader) -> list[Exhibit]:
    """Without itself; empty where nobody looked for them yet, or there are none."""
    return [each for each in _given(rows, "near", exhibit.control_number) if each.id != exhibit.id]


def _given(rows: CaseReader, field: str, value: str) -> Sequence[Exhibit]:
    try:
        controls = rows.given(field, value.lower(), False)[:MOST]
    except UserError:
        return []
    known = rows.numbered(list(controls))
    return [known[control] for control in controls if control in known]
