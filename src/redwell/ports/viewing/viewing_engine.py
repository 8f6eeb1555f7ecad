"""A viewing engine beside Redwell, which is handed PDFs and shows them (SPEC E2). The one that is built in needs no
such port: it flattens in a child as a rendition, and its pages are artifacts (ports.viewing.view)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from redwell.core.errors import Permanent, Recoverable


class EngineUnavailable(Recoverable):
    """It can't be reached, or answered with anything but 200. `after_s` is what it asks for; 0: nothing."""

    def __init__(self, said: str, after_s: float = 0.0) -> None:
        super().__init__(said)
        self.after_s = after_s


class FlattenTimedOut(Permanent):
    """It took longer than it may; once more would take as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdf:
    """`link`: where the engine fetches it itself; empty: it is sent the bytes."""

    open: Callable[[], BinaryIO]
    link: str = ""


class ViewingEngine(Protocol):
    """Safe to use from several threads."""

    def is_there(self) -> bool:
        """Whether anybody answers."""
        ...

    def load(self, file: str, pdf: Pdf) -> str:
        """The document as the engine calls it; to load a `file` once more replaces it."""
        ...

    def flatten(self, document: str) -> None:
        """Annotations, form fields and signatures become part of the pages."""
        ...

    def close(self) -> None: ...
