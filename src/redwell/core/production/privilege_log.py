"""The log of what was withheld or redacted, and on which ground. Pure. Subjects are not told: they may say too much."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from redwell.core.case.rows import Exhibit
from redwell.core.production.orders import REDACTED
from redwell.core.production.redactions import Redaction
from redwell.core.production.values import Member, Terms, Treatment, last_number
from redwell.core.spreadsheet_cells import as_text

COLUMNS = ("first_number", "last_number", "control_number", "family_of", "treatment", "ground", "type", "date", "from",
           "to", "cc", "author", "custodian")  # fmt: skip


def rows(
    terms: Terms,
    told: Iterable[tuple[Member, Exhibit]],
    redactions: Mapping[int, Sequence[Redaction]],
    is_hidden: Callable[[str], bool] = lambda _text: False,
) -> Iterator[dict[str, str]]:
    """A value that says what is hidden somewhere in the production is not told."""
    numbers: dict[int, str] = {}
    for member, exhibit in told:
        numbers[member.exhibit] = str(terms.number(member.first))
        boxes = redactions.get(member.exhibit, ())
        if member.treatment is not Treatment.WITHHELD and not boxes:
            continue
        is_withheld = member.treatment is Treatment.WITHHELD
        reasons = sorted({each.reason for each in boxes if each.reason})
        yield {
            name: as_text(REDACTED if is_hidden(value) else value)
            for name, value in {
                "first_number": numbers[member.exhibit],
                "last_number": str(terms.number(last_number(terms, member))),
                "control_number": member.control,
                "family_of": numbers.get(member.parent or 0, ""),
                "treatment": "withheld" if is_withheld else f"redacted ({len(boxes)})",
                "ground": member.reason if is_withheld else "; ".join(reasons),
                "type": exhibit.kind or "",
                "date": str(exhibit.metadata.get("date") or exhibit.metadata.get("modified") or "")[:10],
                **{name: _shown(exhibit.metadata.get(name)) for name in ("from", "to", "cc", "author")},
                "custodian": exhibit.custodian or "",
            }.items()
        }


def _shown(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value or "")
