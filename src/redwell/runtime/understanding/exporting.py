"""Data of documents as the rows of a table: one row each, lists of lines as JSON in one cell."""

import json
from collections.abc import Sequence

from redwell.ports.understanding import DocumentData

FIRST = ("control_number", "schema", "needs_review")


def columns_of(rows: Sequence[DocumentData]) -> list[str]:
    names = dict.fromkeys(f"{each.schema}.{name}" for each in rows for name in each.data)
    return [*FIRST, *names]


def row_of(each: DocumentData) -> dict[str, str]:
    told = {
        "control_number": each.control_number,
        "schema": each.schema,
        "needs_review": str(each.needs_review).lower(),
    }
    for name, value in each.data.items():
        told[f"{each.schema}.{name}"] = value if isinstance(value, str) else json.dumps(value) if value else ""
    return told
