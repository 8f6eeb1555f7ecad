"""The values of documents that hold now, as rows that a search asks. Written with each result and each decision."""

from collections.abc import Mapping
from decimal import Decimal

from sqlalchemy import Connection, delete, insert, select

from redwell.adapters.sql.understanding_tables import datum, document_data
from redwell.core.understanding.judging import column_of
from redwell.core.understanding.values import number_of

_LONGEST = 500


def write_data(tx: Connection, ingestion: int, document: int, name: str, values: Mapping[str, str]) -> None:
    """Nothing where a later ingestion has had its say already."""
    latest = tx.execute(select(document_data.c.understanding).where(document_data.c.document == document)).scalar()
    if latest is not None and latest > ingestion:
        return
    tx.execute(delete(datum).where(datum.c.document == document))
    rows = [_row(document, name, path, value) for path, value in values.items() if value]
    if rows:
        tx.execute(insert(datum), rows)


def _row(document: int, name: str, path: str, value: str) -> dict[str, object]:
    number = number_of(value)
    is_number = number is not None and number.is_finite() and abs(number) < Decimal(10) ** 15
    return {
        "document": document,
        "path": column_of(path),
        "number": int(path.partition("[")[2].partition("]")[0]) + 1 if "[" in path else 0,
        "name": name,
        "folded": value.casefold()[:_LONGEST],
        "thousandths": int(number * 1000) if number is not None and is_number else None,
    }
