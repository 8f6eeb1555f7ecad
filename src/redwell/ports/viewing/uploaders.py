"""How far the uploaders of a case's batches are, and what they have handed over. Each method is one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from redwell.core.viewing.uploader_life import UploaderFact, UploaderLife


class Uploaders(Protocol):
    def uploaders(self) -> dict[int, UploaderLife]:
        """By batch; with the engine that is built in there are none."""
        ...

    def change_uploader(self, batch: int, changes: Mapping[str, Any]) -> None:
        """Fields of its life, but for the phase."""
        ...

    def say_of_uploader(
        self, batch: int, fact: UploaderFact, changes: Mapping[str, Any] | None = None, what: str = ""
    ) -> bool:
        """False where the fact changes nothing; else fields are changed with it, and it is told."""
        ...

    def warn_of_uploader(self, batch: int, exhibits: Sequence[int], detail: Mapping[str, Any]) -> None:
        """An error of a document, or with no exhibits a warning of the uploader."""
        ...

    def is_uploaded(self, batch: int, document: bytes) -> bool: ...
    def add_uploaded(self, batch: int, document: bytes, exhibits: Sequence[int], file: str) -> bool:
        """True, and told, the first time. `document` is the uid of the content."""
        ...
