"""Near duplicates as rows: the sketch of each text, and the master that it is near to."""

from collections.abc import Sequence

from sqlalchemy import Connection, and_, bindparam, func, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.prepared import Prepared, constant, new_values
from redwell.adapters.sql.tables import artifact, ingestion
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.near import Neighbour, Texted
from redwell.core.work.transitions import Stage

_head = exhibit.alias("head")
_has_text = and_(
    artifact.c.derivation == ingestion.c.derivation,
    artifact.c.kind == constant(ArtifactKind.TEXT),
    artifact.c.number == constant(0),
)


_texted = (
    select(exhibit.c.id, exhibit.c.number, exhibit.c.control, artifact.c.sha256)
    .join_from(exhibit, ingestion, ingestion.c.id == exhibit.c.id)
    .join(_head, _head.c.id == exhibit.c.family)
    .join(artifact, _has_text)
)
_NEW = Prepared(
    _texted.where(
        exhibit.c.number >= bindparam("number"),
        (exhibit.c.number > bindparam("number")) | (exhibit.c.control > bindparam("control")),
        exhibit.c.sketch.is_(None),
        _head.c.copy_of.is_(None),
        ingestion.c.state == constant(Stage.DONE),
    )
    .order_by(exhibit.c.number, exhibit.c.control)
    .limit(bindparam("limit"))
)
_ONE = Prepared(_texted.where(exhibit.c.id == bindparam("key")))
_MASTERS = Prepared(
    select(exhibit.c.id, exhibit.c.sketch).where(func.length(exhibit.c.sketch) > constant(0), exhibit.c.near.is_(None))
)
_NOTE = Prepared(
    exhibit.update().where(exhibit.c.id == bindparam("key")).values(new_values(("sketch", "near", "near_score")))
)
_FORGET = Prepared(exhibit.update().values(new_values(("sketch", "near", "near_score"))))


def unsketched(tx: Connection, after: tuple[int, str], limit: int) -> list[Texted]:
    """Those behind this place that nobody has compared yet; copies of families are left out."""
    return _NEW.of(tx, Texted, number=after[0], control=after[1], limit=limit)


def texted(tx: Connection, key: int) -> list[Texted]:
    return _ONE.of(tx, Texted, key=key)


def masters(tx: Connection) -> dict[int, bytes]:
    return dict(_MASTERS.all(tx))


def note(tx: Connection, found: Sequence[Neighbour]) -> None:
    _NOTE.many(tx, [{"key": n.id, "sketch": n.sketch, "near": n.near, "near_score": n.score} for n in found])


def forget(tx: Connection) -> None:
    _FORGET.run(tx, sketch=None, near=None, near_score=None)
