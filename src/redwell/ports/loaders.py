"""How far the loaders of a case's batches are in their lives. Each method is one transaction."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from redwell.core.jobs.batch_end import BatchChunk
from redwell.core.jobs.loader_life import Life, Uploader
from redwell.core.work.polling import USUAL_PACE, Pace


class Loaders(Protocol):
    def loaders(self) -> dict[int, Life]:
        """By batch."""
        ...

    def open_loader(self, batch: int, queue: str, attempt: int) -> None:
        """It has a queue from now on, which is there and subscribed."""
        ...

    def redriven(self, batch: int, most: int) -> None:
        """Its dead letters are about to be sent once more."""
        ...

    def loader_cleared(self, batch: int, outcomes: Mapping[str, int], kept: int = 0) -> None:
        """Its queue and subscription are gone; `kept` dead letters are not. What ends with that is told, once, with the
        batch's `outcomes`."""
        ...

    def take_chunks(self, batch: int, chunks: Sequence[BatchChunk]) -> dict[BatchChunk, list[str]]:
        """These were told of; those that are not complete come again, each with the names of what is missing. With the
        last one the batch has ended."""
        ...

    def poll_batch_end(self, batch: int, scale: float, pace: Pace = USUAL_PACE) -> None:
        """Nobody may have heard of what is out: it is told anew, and in the end named and gone on without."""
        ...

    def uploader_said(self, batch: int, status: Uploader) -> None: ...
