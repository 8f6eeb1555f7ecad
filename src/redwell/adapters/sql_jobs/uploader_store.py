"""The part of the SQL case store that knows uploaders of batches. Each method is one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from redwell.adapters.sql_jobs import uploaders
from redwell.adapters.sql_jobs.loader_store import LoaderStore
from redwell.core.events.event import EventType
from redwell.core.trip import trip
from redwell.core.viewing.uploader_life import UploaderFact, UploaderLife


class UploaderStore(LoaderStore):
    views_itself = False  # the viewing engine is built in: a PDF that is made can be viewed

    def uploaders(self) -> dict[int, UploaderLife]:
        with self.database.read() as tx:
            return uploaders.all_of(tx)

    def change_uploader(self, batch: int, changes: Mapping[str, Any]) -> None:
        self.database.write(lambda tx: uploaders.change(tx, batch, changes) and None)

    def say_of_uploader(
        self, batch: int, fact: UploaderFact, changes: Mapping[str, Any] | None = None, what: str = ""
    ) -> bool:
        detail = {"what": what} if what else {}
        said = self.database.write(lambda tx: uploaders.say(tx, batch, fact, changes or {}, detail))
        trip("uploader.after_said")
        return said

    def warn_of_uploader(self, batch: int, exhibits: Sequence[int], detail: Mapping[str, Any]) -> None:
        kind = EventType.ERROR if exhibits else EventType.UPLOADER_WARNING
        self.database.write(lambda tx: uploaders.tell_of(tx, kind, batch, exhibits, detail))

    def is_uploaded(self, batch: int, document: bytes) -> bool:
        with self.database.read() as tx:
            return uploaders.is_uploaded(tx, batch, document)

    def add_uploaded(self, batch: int, document: bytes, exhibits: Sequence[int], file: str) -> bool:
        return self.database.write(lambda tx: uploaders.add(tx, batch, document, exhibits, file))
