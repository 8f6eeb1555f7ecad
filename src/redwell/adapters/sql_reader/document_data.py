"""Which exhibits have data that a query asks for; copies of a content have the same. By the index of the values."""

import msgspec

from redwell.adapters.sql_reader.session import Session
from redwell.core.understanding.data_query import DataQuery
from redwell.core.understanding.models import ModelChoice

MOST = 20_000  # control numbers that a search can be narrowed to
_FOUND = """SELECT DISTINCT e.control FROM datum d JOIN exhibit e ON e.document = d.document
    WHERE d.name = :name AND (:path = '' OR d.path = :path) AND e.control IS NOT NULL
    AND ((d.thousandths >= :low AND d.thousandths < :high)
        OR (d.thousandths IS NULL AND d.folded >= :first AND d.folded < :last
            AND (:part = '' OR d.folded LIKE :like ESCAPE '!'))) LIMIT :most"""


def with_data(session: Session, query: DataQuery) -> list[str]:
    part = query.part.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    asked = {name: getattr(query, name) for name in query.__struct_fields__}
    return [control for (control,) in session.all(_FOUND, **asked, like=f"%{part}%", most=MOST + 1)]


def chosen_model(session: Session) -> ModelChoice:
    """The one that the case uses now; rules alone where nobody has chosen."""
    rows = session.all("SELECT body FROM model_choice ORDER BY id DESC LIMIT 1")
    return msgspec.json.decode(rows[0][0], type=ModelChoice) if rows else ModelChoice()
