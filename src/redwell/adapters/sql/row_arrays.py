"""Many rows as one statement for PostgreSQL, a list for each column. Used by prepared statements.

To bind and run a statement for each row costs both sides three times as much.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy.dialects.postgresql import psycopg

NEW = "new_"  # SQLAlchemy keeps a column's own name for itself in an UPDATE
_psycopg: Any = psycopg.dialect  # untyped
_DIALECT = _psycopg()
_VALUE = re.compile(rf'%\((?:{NEW})?(\w+)\)s(?:::\w+(?: COLLATE "C")?)?')
_INSERT = re.compile(
    r"^(?P<into>INSERT INTO \w+ \([^)]*\)) VALUES \((?P<values>.*)\)"
    r"(?P<conflict>(?: ON CONFLICT(?: \([^)]*\))?(?: WHERE [^%]*?)? DO NOTHING)?"
    r"| ON CONFLICT \((?P<place>[^)]*)\) DO UPDATE SET [^%]*)$",
    re.DOTALL,
)
_UPDATE = re.compile(
    r"^(?P<set>UPDATE (?P<table>\w+) SET .*) WHERE (?P<which>(?P=table)\.\w+ = %\((?P<key>\w+)\)s(?:::\w+)?)$",
    re.DOTALL,
)


class RowArrays:
    """`sql` takes what `of` makes of the rows."""

    def __init__(self, compiled: Any, sql: str, names: Sequence[str], place: Sequence[str]) -> None:
        types = {name.removeprefix(NEW): bind.type for name, bind in compiled.binds.items()}
        self._kinds: dict[str, Callable[[Any], Any]] = {name: types[name].python_type for name in names}
        self._place = place  # of which no two rows may have the same
        spelled = [types[name].compile(dialect=_DIALECT).partition(" COLLATE")[0] for name in names]
        lists = ", ".join(f"%({name})s::{kind}[]" for name, kind in zip(names, spelled, strict=True))
        self.sql = sql.replace("LISTS", lists)

    def of(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]] | None:
        """An array has values of one type: no enums beside plain ones. None: two rows are for one place."""
        if self._place and len({tuple(row[name] for name in self._place) for row in rows}) < len(rows):
            return None
        return {
            name: [None if (v := row[name]) is None else kind(v) for row in rows] for name, kind in self._kinds.items()
        }


def row_arrays(compiled: Any) -> RowArrays | None:
    """None where a row has more than its parameters, or chooses by more than one key."""
    sql = str(compiled)
    if found := _INSERT.match(sql):
        return _inserted(compiled, found)
    if found := _UPDATE.match(sql):
        return _updated(compiled, found)
    return None


def _inserted(compiled: Any, found: re.Match[str]) -> RowArrays | None:
    if _VALUE.sub("", found["values"]).strip(", "):
        return None
    names = _VALUE.findall(found["values"])
    place = found["place"].split(", ") if found["place"] else []
    return RowArrays(compiled, f"{found['into']} SELECT * FROM unnest(LISTS){found['conflict']}", names, place)


def _updated(compiled: Any, found: re.Match[str]) -> RowArrays | None:
    names = list(dict.fromkeys(_VALUE.findall(found[0])))
    if any(_is_untyped(bind) for bind in compiled.binds.values()):
        return None
    changed, which = (_VALUE.sub(r"given.\1", found[part]) for part in ("set", "which"))
    sql = f"{changed} FROM unnest(LISTS) AS given({', '.join(names)}) WHERE {which}"
    return RowArrays(compiled, sql, names, [found["key"]])


def _is_untyped(bind: Any) -> bool:
    return bool(bind.type._isnull)
