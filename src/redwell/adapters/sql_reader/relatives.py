"""What belongs to an exhibit: its family, and the other places of its content. By indexes that there are.

A family lies together in the order of control numbers: below one file, between the head's and what follows its dot.
"""

from redwell.adapters.sql_reader.exhibit_rows import some
from redwell.adapters.sql_reader.origins import Origins
from redwell.adapters.sql_reader.session import Session
from redwell.core.case.families import head_among
from redwell.core.case.numbers import MEMBER_MARK, ancestors, number_in
from redwell.core.case.rows import Exhibit

_BELOW = f"""SELECT id FROM exhibit WHERE number = :number AND control >= :head AND control < :end
    AND (control = :head OR control >= :head || '{MEMBER_MARK}') ORDER BY number, control LIMIT :limit"""
_COPIES = """SELECT o.id FROM exhibit e JOIN exhibit o ON o.document = e.document AND o.id <> e.id
    WHERE e.id = :key ORDER BY o.number, o.control LIMIT :limit"""
_ABOVE = "SELECT id FROM exhibit WHERE number = :number AND control IN :controls"
_AFTER_MARK = chr(ord(MEMBER_MARK) + 1)


def family(session: Session, key: int, limit: int) -> list[Exhibit]:
    asked = next(iter(some(session, [key], Origins(session))), None)
    number = number_in(asked.control_number) if asked else None
    if asked is None or number is None:  # one without a number is not loaded, and nobody knows its family by one
        return [asked] if asked else []
    above = session.all(_ABOVE, number=number, controls=ancestors(asked.control_number))
    line = sorted(some(session, [row[0] for row in above], Origins(session)), key=lambda e: e.depth)
    head = line[head_among([exhibit.kind for exhibit in line])].control_number
    rows = session.all(_BELOW, number=number, head=head, end=head + _AFTER_MARK, limit=limit)
    return _in_order(session, [row[0] for row in rows])


def copies(session: Session, key: int, limit: int) -> list[Exhibit]:
    return _in_order(session, [row[0] for row in session.all(_COPIES, key=key, limit=limit)])


def _in_order(session: Session, keys: list[int]) -> list[Exhibit]:
    found = {exhibit.id: exhibit for exhibit in some(session, keys, Origins(session))}
    return [found[key] for key in keys if key in found]
