"""A table of text as a Parquet file, by DuckDB: for exports."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb


def write_text_table(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
    """An empty cell is null. The file gets its name last, so one that is there is whole."""
    names = ", ".join('"{}" VARCHAR'.format(name.replace('"', '""')) for name in columns)
    part = path.with_name(f"{path.name}.part")
    target = str(part).replace("'", "''")
    with duckdb.connect(":memory:") as database:
        database.execute(f"CREATE TABLE out ({names})")
        if rows:
            places = ", ".join("?" for _ in columns)
            values = [[row.get(name) or None for name in columns] for row in rows]
            database.executemany(f"INSERT INTO out VALUES ({places})", values)
        database.execute(f"COPY out TO '{target}' (FORMAT parquet)")
    part.replace(path)
