"""Single values that a case remembers of itself: how far listeners were told, which machine keeps it."""

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.prepared import Prepared, insert_rows
from redwell.adapters.sql.tables import case_info

_new = insert_rows(case_info, ("key", "value"))
_PUT = Prepared(_new.on_conflict_do_update(index_elements=["key"], set_={"value": _new.excluded.value}))
_VALUE = Prepared(select(case_info.c.value).where(case_info.c.key == bindparam("key")))


def info(tx: Connection, key: str) -> str:
    """Empty where nothing was put."""
    found = _VALUE.all(tx, key=key)
    return str(found[0][0]) if found else ""


def put_info(tx: Connection, key: str, value: str) -> None:
    _PUT.run(tx, key=key, value=value)
