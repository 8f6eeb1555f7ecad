"""Exhibits that ended, or changed since, and whose load is not complete. The one indexer takes from it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from redwell.core.case.checkpoints import Checkpoint
from redwell.core.case.exhibit_look import Look
from redwell.core.case.page_texts import RecognisedPage
from redwell.core.case.rows import ToLoad
from redwell.ports.ledger import KnownBlobs


class LoadQueue(KnownBlobs, Protocol):
    def load_again(self, step: Checkpoint) -> None:
        """For every exhibit that has ended, this step of its load and those behind it are to be done."""
        ...

    def begin_loading(self) -> None:
        """Whatever waits may be taken, also what a loader took that died since."""
        ...

    def take_to_load(self, limit: int) -> Sequence[ToLoad]:
        """Exhibits that nobody has taken as they are now, with their checkpoints; they wait on until `loaded`."""
        ...

    def show(self, looks: Mapping[int, Look]) -> None:
        """From now on readers see these exhibits so."""
        ...

    def recognised_texts(self, exhibits: Sequence[int]) -> Mapping[int, Sequence[RecognisedPage]]:
        """Page and blob of each text that was recognised in these exhibits."""
        ...

    def loaded(self, exhibits: Sequence[int]) -> None:
        """All steps of their load are done, unless they changed since they were taken."""
        ...
