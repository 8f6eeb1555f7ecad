"""What people delete stays as a row with the time of it (SPEC D13); the audit log has who it was."""

from sqlalchemy import Column, ColumnElement, Connection, CursorResult, Table, update

from redwell.adapters.sql_review.audit_log import now_ms


def shown(table: Table) -> list[Column[object]]:
    """Its columns but for the mark."""
    return [column for column in table.c if column.name != "deleted_ms"]


def mark_deleted(tx: Connection, table: Table, which: ColumnElement[bool]) -> CursorResult[tuple[str]]:
    """The names of those that were not deleted before."""
    marking = update(table).where(which, table.c.deleted_ms == 0).values(deleted_ms=now_ms())
    return tx.execute(marking.returning(table.c.name))
