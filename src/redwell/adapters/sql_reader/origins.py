"""Which sources exhibits come from. Kept while a listing goes on."""

from collections.abc import Mapping, Sequence
from typing import Any

from redwell.adapters.sql_reader.session import Session

_SOURCES = "SELECT id, name FROM ingestion WHERE parent IS NULL"


class Origins:
    def __init__(self, session: Session) -> None:
        self._read(session)

    def _read(self, session: Session) -> None:
        self.sources = dict[int, str](session.all(_SOURCES))

    def learn(self, session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
        """What is not known yet of these exhibits; a batch may have begun since."""
        if any(row["source_id"] not in self.sources for row in rows):
            self._read(session)
