"""Which exhibits have data that a query asks for; copies of a content have the same. By the index of the values."""

from redwell.adapters.sql_reader.session import Session
from redwell.core.errors import UserError
from redwell.core.search.given import MOST
from redwell.core.understanding.data_query import DataQuery
from redwell.core.understanding.schemas import read_schema

_FOUND = """SELECT DISTINCT e.control FROM datum d JOIN exhibit e ON e.document = d.document
    WHERE d.name = :name AND (:path = '' OR d.path = :path) AND e.control IS NOT NULL
    AND ((d.thousandths >= :low AND d.thousandths < :high)
        OR (d.thousandths IS NULL AND d.folded >= :first AND d.folded < :last
            AND (:part = '' OR d.folded LIKE :like ESCAPE '!'))) LIMIT :most"""
_SCHEMAS = "SELECT name, body FROM data_schema ORDER BY name"


def with_data(session: Session, query: DataQuery) -> list[str]:
    """Control numbers. A schema or field that the case does not know is an error, never an empty answer."""
    _require_known(session, query)
    part = query.part.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    asked = {name: getattr(query, name) for name in query.__struct_fields__}
    return [control for (control,) in session.all(_FOUND, **asked, like=f"%{part}%", most=MOST + 1)]


def _require_known(session: Session, query: DataQuery) -> None:
    """By any version of a schema: what was read by an older one is data still."""
    schemas = session.all(_SCHEMAS)
    names = sorted({name for name, _ in schemas})
    if query.name not in names:
        told = f"there are {', '.join(names)}" if names else "the case has none yet"
        raise UserError(f'there is no schema "{query.name}"; {told}')
    paths = {path for name, body in schemas if name == query.name for path in read_schema(body, name).paths}
    if query.path and query.path not in paths:
        raise UserError(f'"{query.name}" has no field "{query.path}"; it has {", ".join(sorted(paths))}')
