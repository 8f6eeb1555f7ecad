"""The rows of one batch: they come after its sources, so those of older batches need not be read. Used by queries."""

from sqlalchemy import ColumnElement, FromClause, ScalarSelect, and_, func, select

from redwell.adapters.sql.prepared import constant
from redwell.adapters.sql.tables import ingestion

_source = ingestion.alias("source")


def first_source(key: ColumnElement[int] | int) -> ScalarSelect[int]:
    """Found by the index on (parent, locator).

    Of the id itself, instead of a value made of it, PostgreSQL would find the smallest by reading exhibits in the
    order of their ids until one is a source of the batch.
    """
    mine = (_source.c.parent.is_(None), _source.c.batch == key)
    return select(func.min(_source.c.id + constant(0))).where(*mine).scalar_subquery()


def of_batch(rows: FromClause, key: ColumnElement[int] | int) -> ColumnElement[bool]:
    return and_(rows.c.batch == key, rows.c.id >= first_source(key))
