"""What a reader tells of copies: whom a family was found with, and where. Asked once for a page of exhibits."""

from collections.abc import Mapping, Sequence
from typing import Any

from redwell.adapters.sql_reader.session import Session

_HELD = """SELECT e.id, w.custodian FROM exhibit e JOIN exhibit h ON h.id = e.family
    JOIN held_by w ON w.copy_key = h.copy_key WHERE e.id IN :keys ORDER BY w.custodian"""
_PATHS = """SELECT e.id, i.path FROM exhibit e JOIN exhibit c ON c.copy_key = e.copy_key AND c.copy_of = e.id
    JOIN ingestion i ON i.id = c.id WHERE e.id IN :keys ORDER BY c.number, c.control"""


class Copies:
    """Most exhibits are alone, and cost a look into an index."""

    def __init__(self, session: Session, keys: Sequence[int]) -> None:
        self._custodians: dict[int, list[str]] = {}
        self._paths: dict[int, list[str]] = {}
        for key, name in session.all(_HELD, keys=list(keys)) if keys else ():
            self._custodians.setdefault(key, []).extend([name] if name else [])
        for key, path in session.all(_PATHS, keys=list(self._custodians)) if self._custodians else ():
            self._paths.setdefault(key, []).append(path)

    def told_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        key, own = row["id"], row["custodian"]
        return {
            "custodians": sorted({*self._custodians.get(key, ()), *([own] if own else [])}),
            "is_copied": key in self._custodians,
            "paths": [row["path"], *self._paths.get(key, ())],
        }
