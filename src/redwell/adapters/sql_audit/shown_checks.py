"""Whether exhibits are shown as what was made of their contents says: a check of verify."""

from collections.abc import Iterator
from itertools import islice

from redwell.adapters.sql_reader import exhibit_parts
from redwell.adapters.sql_reader.session import Session
from redwell.core.case.exhibit_look import COLUMNS, Look
from redwell.core.work.kinds import Purpose
from redwell.core.work.transitions import Stage

_AT_ONCE = 500
# what still waits for its load may be shown as it was before
_SHOWN = f"""SELECT e.id, {", ".join(f"e.{name}" for name in COLUMNS)} FROM exhibit e
    JOIN ingestion i ON i.id = e.id LEFT JOIN load_pending p ON p.exhibit = e.id
    WHERE i.state = '{Stage.DONE}' AND p.exhibit IS NULL AND (e.outcome IS NOT NULL OR e.problems IS NOT NULL
        OR e.recognised IS NOT NULL OR e.text_chars IS NOT NULL OR e.ocr IS NOT NULL OR EXISTS (SELECT 1
            FROM derivation d WHERE d.document = e.document AND d.purpose <> '{Purpose.READ}'))
    ORDER BY e.id"""


def shown_wrongly(session: Session) -> Iterator[int]:
    """Exhibits whose row does not follow from the sealed ones below it."""
    rows = iter(session.stream(_SHOWN))
    while some := {row[0]: Look(*row[1:]) for row in islice(rows, _AT_ONCE)}:
        expected = exhibit_parts.looks(session, list(some))
        yield from (key for key, look in some.items() if look != expected.get(key, Look()))
