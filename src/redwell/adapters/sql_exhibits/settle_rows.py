"""Occurrences that wait on their content, as settling sees them."""

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, and_, bindparam, exists, or_, select

from redwell.adapters.sql.list_parameters import among, as_list, rows_of
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import derivation, ingestion
from redwell.adapters.sql_ledger.seals import INGESTION
from redwell.core.work.transitions import Stage, Work

ROWS_PER_STEP = 500


class Waiting(msgspec.Struct, gc=False):
    """What an exhibit's seal is about (seals.INGESTION), then what there is to do; in the order of the query."""

    uid: bytes
    batch: int
    parent: int
    locator: str
    whole: str | None
    source: int
    name: str
    path: str
    root: int | None
    ordinal: int
    depth: int
    role: str
    document: int
    derivation: int
    listed: int | None
    outcome: str | None
    detail: str
    problems: str
    size: int | None
    dates: str
    metadata: str

    id: int
    replayed: int
    work: str
    generation: int
    members: int
    media_type: str | None
    result: str | None
    result_detail: str
    result_problems: str


# Members of a first reading are final at once; those of a later one may still gain bytes until it is over.
_has_news = and_(
    derivation.c.generation == constant(1),
    derivation.c.members > ingestion.c.replayed,
    ingestion.c.depth < bindparam("max_depth"),
)
_is_ready = (
    ingestion.c.derivation == derivation.c.id,
    ingestion.c.state == constant(Stage.WAITING),
    or_(derivation.c.state == constant(Work.DONE), _has_news),
)


def _ready() -> Select[Any]:
    """Those whose derivation is ahead of them."""
    return (
        select(
            *(ingestion.c[column] for column in (*INGESTION, "id", "replayed")),
            *(
                derivation.c[column]
                for column in ("state", "generation", "members", "media_type", "outcome", "detail", "problems")
            ),
        )
        .where(*_is_ready)
        .limit(constant(ROWS_PER_STEP))
    )


_READY = Prepared(_ready())
_READY_OF = Prepared(_ready().where(among(ingestion.c.derivation, "derivations")))
_asked = rows_of("derivations", int)
_AHEAD = Prepared(select(_asked.c.value).where(exists().where(ingestion.c.derivation == _asked.c.value, *_is_ready)))


def ready(tx: Connection, max_depth: int) -> list[Waiting]:
    """Some that their content is ahead of."""
    return _READY.of(tx, Waiting, max_depth=max_depth)


def ready_of(tx: Connection, derivations: Collection[int], max_depth: int) -> list[Waiting]:
    """The same among those who wait on these."""
    return _READY_OF.of(tx, Waiting, max_depth=max_depth, derivations=as_list(derivations)) if derivations else []


def still_ahead(tx: Connection, derivations: Collection[int], max_depth: int) -> set[int]:
    """Those of these that somebody who waits on them is behind of."""
    return {work for (work,) in _AHEAD.all(tx, max_depth=max_depth, derivations=as_list(derivations))}
