"""Which documents a tag, a thread or a neighbour stands for: asked by searches before they ask the index."""

import re

from redwell.adapters.sql_reader.session import Session
from redwell.core.case.numbers import number_in
from redwell.core.errors import UserError
from redwell.core.search.given import MOST

_TAGS = "SELECT id, name, folded FROM tag ORDER BY folded"
_TAGGED = """SELECT DISTINCT e.control FROM tagging t JOIN exhibit e ON e.id = t.exhibit WHERE t.tag IN :tags
    LIMIT :most"""
_CALLED = "SELECT id, control, thread, near FROM exhibit WHERE number = :number"
_THREAD = "SELECT control FROM exhibit WHERE thread = :thread LIMIT :most"
_NEAR = """SELECT control FROM exhibit WHERE (near = :near AND near_score >= :least) OR id = :near OR id = :mine
    LIMIT :most"""
_ANY = {
    "thread": "SELECT control FROM exhibit WHERE thread IS NOT NULL LIMIT :most",
    "near": """SELECT control FROM exhibit WHERE near IS NOT NULL OR id IN (SELECT near FROM exhibit)
    LIMIT :most""",
}
_LEAST_MARK = "@"  # near:RW00000012@95
_PERCENT = re.compile(r"[0-9]{1,2}|100")


def given(session: Session, field: str, value: str, prefix: bool) -> list[str]:
    """Control numbers. A value that the case does not know is an error, never an empty answer."""
    if field == "tag":
        return _tagged(session, value, prefix)
    if prefix and not value:
        return _controls(session, _ANY[field])
    control, _, least = value.partition(_LEAST_MARK)
    if prefix or (least and not (field == "near" and _PERCENT.fullmatch(least))):
        raise UserError(f"{field}: takes a control number, such as {field}:RW00000012; near: also how near, as in @95")
    key, thread, near = _called(session, control)
    if field == "thread":
        if thread is None:
            raise UserError(f"{control.upper()} is in no thread: it is no mail, or is attached to one")
        return _controls(session, _THREAD, thread=thread)
    return _controls(session, _NEAR, near=near or key, least=int(least or 0), mine=key)


def _tagged(session: Session, value: str, prefix: bool) -> list[str]:
    known = session.all(_TAGS)
    tags = [key for key, _, folded in known if (folded.startswith(value) if prefix else folded == value)]
    if not tags:
        names = ", ".join(name for _, name, _ in known[:20])
        raise UserError(f"no tag is called {value!r}; there are {names}" if names else "the case has no tags yet")
    return _controls(session, _TAGGED, tags=tags)


def _called(session: Session, control: str) -> tuple[int, int | None, int | None]:
    """By its control number, in small letters."""
    number = number_in(control)
    rows = session.all(_CALLED, number=number) if number is not None else []
    found = next((row for row in rows if row[1].lower() == control), None)
    if found is None:
        raise UserError(f"no document has the control number {control.upper()}")
    return found[0], found[2], found[3]


def _controls(session: Session, query: str, **values: object) -> list[str]:
    return [control for (control,) in session.all(query, **values, most=MOST + 1)]
