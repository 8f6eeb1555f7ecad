"""Cases that an older release made: the homes they came in, and their rows in PostgreSQL.

`version_4/home.tar.xz` holds two cases of the sample evidence: "Old case" (imported twice, with two settings) and
"Stopped case" (killed in the middle), and what `documents --json --text` said of the first.
"""

import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect

FOLDER = Path(__file__).parent / "version_4"
OLD, STOPPED = "Old case", "Stopped case"


def home_of_version_4(folder: Path) -> Path:
    with tarfile.open(FOLDER / "home.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


def told_by_version_4(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / "old-case.jsonl").read_text().splitlines()]


def copy_rows(tx: Connection, case_file: Path) -> None:
    """The rows of a SQLite case into tables of the same version in PostgreSQL."""
    for statement in (FOLDER / "postgres.sql").read_text().split(";"):
        if statement.strip():
            tx.exec_driver_sql(statement)
    order = ["document"]  # others refer to it
    with closing(sqlite3.connect(case_file)) as source:
        names = [name for (name,) in source.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in sorted(set(names) - {"sqlite_sequence"}, key=lambda name: (name not in order, name)):
            _copy(tx, source, name)


def _copy(tx: Connection, source: sqlite3.Connection, name: str) -> None:
    rows = source.execute(f'SELECT * FROM "{name}"')
    columns = [column[0] for column in rows.description]
    listed = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(f"%({column})s" for column in columns)
    if found := [dict(zip(columns, row, strict=True)) for row in rows]:
        tx.exec_driver_sql(f'INSERT INTO "{name}" ({listed}) VALUES ({values})', found)


def shape(tx: Connection) -> dict[str, Any]:
    """Tables, columns, keys and indexes as the database knows them."""
    found = inspect(tx)
    return {
        table: {
            "columns": {
                column["name"]: (str(column["type"]), column["nullable"], column["default"])
                for column in found.get_columns(table)
            },
            "key": found.get_pk_constraint(table)["constrained_columns"],
            "unique": sorted(tuple(each["column_names"]) for each in found.get_unique_constraints(table)),
            "indexes": sorted((each["name"] or "", tuple(each["column_names"])) for each in found.get_indexes(table)),
        }
        for table in found.get_table_names()
    }
