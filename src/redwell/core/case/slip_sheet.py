"""What stands on the page that is handed out where a document has no PDF. Pure."""

from redwell.core.case.rows import OPEN, Exhibit
from redwell.core.outcomes import Outcome

TITLE = "No PDF of this document"
_NO_PAGE = frozenset({Outcome.FILTERED, Outcome.CANCELLED})


def has_slip_sheet(exhibit: Exhibit) -> bool:
    """Containers are seen by what is in them; what was left out or cancelled is no document."""
    is_container = exhibit.kind in {"archive", "delivery", "mailbox"}
    return exhibit.outcome is not None and exhibit.outcome not in _NO_PAGE and not is_container


def slip_sheet_fields(exhibit: Exhibit, reason: str = "") -> list[tuple[str, str]]:
    """Which file it is, of which type, and why there is no more to see."""
    told = reason or exhibit.detail or "; ".join(problem.detail for problem in exhibit.problems)
    if exhibit.kind == "volume":  # its detail is where the head of its set lies
        told = f"a part of a set, which is read as one: {told}"
    fields = [
        ("Control number", exhibit.control_number),
        ("File", exhibit.name),
        ("Path", exhibit.path),
        ("Type", exhibit.media_type or "unknown"),
        ("Size", f"{exhibit.size:,} bytes" if exhibit.size is not None else "unknown"),
        ("Outcome", exhibit.outcome or OPEN),
        ("Reason", told or "nothing makes a PDF of this type"),
    ]
    if exhibit.sha256:
        fields.append(("SHA-256", exhibit.sha256.hex()))
    return fields
