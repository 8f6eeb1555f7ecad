"""The part of the SQL case store that knows loaders of batches. Each method is one transaction."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import structs
from sqlalchemy import Connection

from redwell.adapters.sql_jobs import loaders
from redwell.adapters.sql_ledger.ledger_reads import LedgerReads
from redwell.adapters.sql_queues.event_journal import add_event
from redwell.core.events.event import EventType
from redwell.core.jobs.batch_end import BatchChunk
from redwell.core.jobs.loader_life import Fact, Life, Uploader
from redwell.core.trip import trip
from redwell.core.work.polling import USUAL_PACE, Pace


class LoaderStore(LedgerReads):
    def loaders(self) -> dict[int, Life]:
        with self.database.read() as tx:
            return loaders.all_of(tx)

    def open_loader(self, batch: int, queue: str, attempt: int) -> None:
        self._change(batch, lambda life: structs.replace(life, queue=queue, attempt=attempt))

    def redriven(self, batch: int, most: int) -> None:
        """Dead letters get another chance, and the last one is told (SPEC D5): what is missing then is named and
        forgiven, as rows have what messages only hint at."""

        def work(tx: Connection) -> None:
            life = loaders.of(tx, batch)
            count = life.redrives + 1
            detail: dict[str, Any] = {
                "what": "dead letters of the loader get another chance",
                "dlq_redrive_count": count,
            }
            last = {"missing": loaders.not_loaded(tx, batch)} if count >= most else {}
            detail |= {"dlq_final_pass": count >= most, **last}
            add_event(tx, EventType.NOTIFICATION, batch, life.job, detail)
            loaders.keep(tx, batch, structs.replace(life, redrives=count))

        self.database.write(work)

    def loader_cleared(self, batch: int, outcomes: Mapping[str, int], kept: int = 0) -> None:
        def work(tx: Connection) -> None:
            life = loaders.of(tx, batch)
            if kept:
                what = "messages that the loader could not take are kept as dead letters"
                add_event(tx, EventType.WARNING, batch, life.job, {"what": what, "messages": kept})
            loaders.keep(tx, batch, structs.replace(life, queue="", kept=life.kept + kept))
            loaders.say(tx, Fact.CLEARED, batch, life.job, outcomes)
            trip("loader.before_cleared")

        self.database.write(work)

    def take_chunks(self, batch: int, chunks: Sequence[BatchChunk]) -> dict[BatchChunk, list[str]]:
        def work(tx: Connection) -> dict[BatchChunk, list[str]]:
            missing = loaders.take_chunks(tx, batch, chunks)
            trip("loader.before_taken")
            return missing

        return self.database.write(work)

    def poll_batch_end(self, batch: int, scale: float, pace: Pace = USUAL_PACE) -> None:
        self.database.write(lambda tx: loaders.poll_end(tx, batch, scale, pace))

    def uploader_said(self, batch: int, status: Uploader) -> None:
        self.database.write(lambda tx: loaders.uploader_said(tx, batch, status))

    def _change(self, batch: int, change: Callable[[Life], Life]) -> None:
        self.database.write(lambda tx: loaders.keep(tx, batch, change(loaders.of(tx, batch))))
