"""The lists that belong to a processing report: every item, and every exception, as CSV with a hash of its own.

They are written where a folder is named, and only hashed otherwise: the same case gives the same bytes, so that they
can be made later and compared with the report.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from redwell.core.case.rows import OPEN, Exhibit
from redwell.core.csv_output import CsvOutput
from redwell.core.report.became import Became

MANIFEST = ("control_number", "batch", "custodian", "source", "path", "became", "outcome", "type", "size")
HASHES = ("hash_kind", "sha256", "md5")
MANIFEST_FIELDS = (*MANIFEST, *HASHES, "duplicate_of")


class Appendix:
    """Rows in, at the end the hash of the file."""

    def __init__(self, name: str, fields: Sequence[str], folder: Path | None) -> None:
        self._name, self._rows, self._bytes = name, 0, 0
        self._digest = hashlib.sha256()
        self._path = folder / name if folder else None
        self._file: IO[bytes] | None = open(self._part(), "wb") if self._path else None
        self._table = CsvOutput(self, fields)  # type: ignore[arg-type]  # csv needs no more than write()

    def write(self, text: str) -> int:
        data = text.encode("utf-8", "backslashreplace")
        self._digest.update(data)
        self._bytes += len(data)
        if self._file:
            self._file.write(data)
        return len(text)

    def add(self, row: Mapping[str, str]) -> None:
        self._rows += 1
        self._table.write(row)

    def close(self) -> dict[str, Any]:
        """A file is there under its name only when it is whole."""
        if self._file and self._path:
            self._file.close()
            os.replace(self._part(), self._path)
        return {"name": self._name, "rows": self._rows, "bytes": self._bytes, "sha256": self._digest.hexdigest()}

    def _part(self) -> str:
        return f"{self._path}.part"


def manifest_row(exhibit: Exhibit, end: Became, original: str) -> dict[str, str]:
    told = {
        "control_number": exhibit.control_number,
        "batch": exhibit.batch,
        "custodian": exhibit.custodian,
        "source": exhibit.source,
        "path": exhibit.path,
        "became": end,
        "outcome": exhibit.outcome or OPEN,
        "type": exhibit.media_type,
        "size": exhibit.size,
        "hash_kind": exhibit.hash_kind,
        "sha256": exhibit.sha256.hex() if exhibit.sha256 else None,
        "md5": exhibit.md5.hex() if exhibit.md5 else None,
        "duplicate_of": original,
    }
    return {name: "" if value is None else str(value) for name, value in told.items()}
