"""The values of documents that hold now, as rows that a search asks. Written with each result and each decision."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from redwell.adapters.sql.understanding_tables import datum, document_data
from redwell.core.understanding.judging import column_of
from redwell.core.understanding.values import number_of

_LONGEST = 500


class Values(NamedTuple):
    ingestion: int
    document: int
    schema: str
    values: Mapping[str, str]


def write_data(tx: Connection, given: Sequence[Values]) -> None:
    """Of several documents; nothing of those about which a later ingestion has had its say already."""
    documents = [each.document for each in given]
    columns = (document_data.c.document, document_data.c.understanding)
    rows = tx.execute(select(*columns).where(document_data.c.document.in_(documents)))
    latest = {row.document: row.understanding for row in rows}
    last = {each.document: each for each in given if latest.get(each.document, 0) <= each.ingestion}
    tx.execute(delete(datum).where(datum.c.document.in_(list(last))))
    new = [
        _row(each.document, each.schema, path, value)
        for each in last.values()
        for path, value in each.values.items()
        if value
    ]
    if new:
        tx.execute(insert(datum), new)


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
