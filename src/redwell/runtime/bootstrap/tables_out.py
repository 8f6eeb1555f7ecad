"""Tables as Parquet files, where the extra for it is installed. Part of bootstrap's joining."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from redwell.core.errors import UserError


def write_table(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
    try:
        from redwell.adapters.duckdb.text_tables import write_text_table
    except ImportError:
        raise UserError(
            "Parquet needs the extra `monitor`: pip install 'redwell[monitor]'; csv and jsonl do not"
        ) from None
    write_text_table(path, columns, rows)
