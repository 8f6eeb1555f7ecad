"""What a case says of its exhibits: a row for each, from the transaction that registers its occurrence.

Its family is known then; its control number comes with the load (numbering).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant, insert_rows, new_values
from redwell.adapters.sql.tables import ingestion
from redwell.core.case.checkpoints import REGISTERED
from redwell.core.case.families import family_of
from redwell.core.work.transitions import Stage


class Registered(msgspec.Struct, gc=False):
    """An occurrence that is new; the fields are those of the query, in order."""

    id: int
    parent: int
    batch: int
    ordinal: int
    role: str
    state: str
    outcome: str | None
    document: int | None

    @property
    def is_done(self) -> bool:
        return self.state == Stage.DONE


class _Head(NamedTuple):
    """What the members of an exhibit get from it."""

    id: int
    family: int


_NEWEST = Prepared(select(func.coalesce(func.max(ingestion.c.id), constant(0))))
_NEW = Prepared(
    select(*(ingestion.c[field] for field in Registered.__struct_fields__))
    .where(
        ingestion.c.id > bindparam("newest"),
        # found by the ids, not by the parents: a mailbox may have a million members already
        among(ingestion.c.parent + constant(0), "parents"),
    )
    .order_by(ingestion.c.id)
)
_HEADS = Prepared(select(*(exhibit.c[field] for field in _Head._fields)).where(among(exhibit.c.id, "ids")))
_ADD = Prepared(insert_rows(exhibit, ("id", "family", "document", "checkpoint")))
_HOLD = Prepared(exhibit.update().where(exhibit.c.id == bindparam("key")).values(new_values(("document",))))
_PUT_BACK = Prepared(
    exhibit.update()
    .where(among(exhibit.c.id, "ids"), exhibit.c.checkpoint > bindparam("reached"))
    .values(new_values(("checkpoint",)))
)


def newest(tx: Connection) -> int:
    """The last occurrence that is there: those of this transaction come behind it."""
    [(key,)] = _NEWEST.all(tx)
    return int(key)


def register_files(tx: Connection, walk: int, after: int) -> list[Registered]:
    """The files that a walk has found since; each is the head of a family."""
    new = _NEW.of(tx, Registered, newest=after, parents=as_list([walk]))
    _ADD.many(tx, [_row(r, r.id) for r in new])
    return new


def register_members(tx: Connection, parents: Collection[int], after: int) -> list[Registered]:
    """The members that were added below these exhibits since."""
    new = _NEW.of(tx, Registered, newest=after, parents=as_list(parents))
    heads = {head.id: head for head in _HEADS.of(tx, _Head, ids=as_list({r.parent for r in new}))} if new else {}
    _ADD.many(tx, [_row(r, family_of(r.id, r.role, r.parent, heads[r.parent].family)) for r in new])
    return new


def _row(new: Registered, family: int) -> dict[str, Any]:
    return {"id": new.id, "family": family, "document": new.document, "checkpoint": REGISTERED}


def hold_contents(tx: Connection, contents: Iterable[tuple[int, int]]) -> None:
    """The content of each (exhibit, document) is known now."""
    _HOLD.many(tx, [{"key": key, "document": document} for key, document in contents])


def put_back(tx: Connection, exhibits: Sequence[int], reached: int) -> None:
    """Their load goes on behind this checkpoint; one that is not even there goes on where it is."""
    _PUT_BACK.run(tx, ids=as_list(exhibits), reached=int(reached), checkpoint=int(reached))
