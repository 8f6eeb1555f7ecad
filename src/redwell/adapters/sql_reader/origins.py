"""Where exhibits come from: which sources, and whom their contents were found with. Kept while a listing goes on."""

from collections.abc import Mapping, Sequence
from typing import Any

from redwell.adapters.sql_reader.session import Session

_CUSTODIANS = "SELECT DISTINCT i.document, i.batch FROM ingestion i WHERE i.document IN :documents"
_SOURCES = "SELECT id, name FROM ingestion WHERE parent IS NULL"
_MOST_REMEMBERED = 20_000


class Origins:
    """Asked once for each content, not for each of its copies."""

    def __init__(self, session: Session) -> None:
        self._read(session)
        self._known: dict[int, list[str]] = {}

    def _read(self, session: Session) -> None:
        self._by_batch = dict[int, str | None](session.all("SELECT id, custodian FROM batch"))
        self.sources = dict[int, str](session.all(_SOURCES))
        names = set(self._by_batch.values())
        self._only = sorted(filter(None, names)) if len(names) < 2 else None

    def learn(self, session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
        """What is not known yet of these exhibits; a batch may have begun since."""
        if any(row["source_id"] not in self.sources for row in rows):
            self._read(session)
        contents = dict.fromkeys(row["content"] for row in rows)
        new = [key for key in contents if key is not None and key not in self._known]
        if self._only is not None or not new:
            return
        if len(self._known) > _MOST_REMEMBERED:
            self._known = {key: self._known[key] for key in contents if key in self._known}
        found: dict[int, set[str]] = {key: set() for key in new}
        for document, batch in session.all(_CUSTODIANS, documents=new):
            if name := self._by_batch.get(batch):
                found[document].add(name)
        self._known |= {key: sorted(names) for key, names in found.items()}

    def custodians_of(self, content: int | None) -> list[str]:
        if content is None:
            return []
        return self._only if self._only is not None else self._known[content]
