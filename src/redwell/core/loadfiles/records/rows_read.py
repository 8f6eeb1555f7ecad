"""The rows of a volume as they were read before its files were hashed: records that name paths, and what was counted.

Written and read by children, a line each: first the version of the handler that read them, last the summary. Pure.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

import msgspec

from redwell.core.loadfiles.records.record_document import RecordDocument


class RowsSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What reading the rows comes to, beside the records."""

    tops: int
    figures: dict[str, int]
    broken: list[str]
    load_files: list[str]
    described: list[str]
    named: list[int]  # places of files that rows name
    asked: int
    found: int


class Rows(Protocol):
    """Iterated once; what they come to is asked behind the last record."""

    def __iter__(self) -> Iterator[RecordDocument]: ...
    @property
    def summary(self) -> RowsSummary: ...


_record = msgspec.json.Decoder(RecordDocument)
_summary = msgspec.json.Decoder(RowsSummary)


def lines_of(version: int, rows: Rows) -> Iterator[bytes]:
    yield b"%d\n" % version
    for record in rows:
        yield msgspec.json.encode(record) + b"\n"
    yield msgspec.json.encode(rows.summary) + b"\n"


class RowsRead:
    """Rows as an earlier child wrote them; `version` is None where none did."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self.version = int(first) if (first := next(lines, b"")) else None
        self._lines: Iterable[bytes] = lines
        self._last = b""

    @property
    def summary(self) -> RowsSummary:
        return _summary.decode(self._last)

    def __iter__(self) -> Iterator[RecordDocument]:
        for line in self._lines:
            if self._last:
                yield _record.decode(self._last)
            self._last = line
