"""The part of the SQL case store that knows the queue of the load. Each method is one transaction, or two."""

from collections.abc import Sequence
from functools import partial

from sqlalchemy import Connection

from redwell.adapters.sql_exhibits import load_queue
from redwell.adapters.sql_ledger.ledger_reads import LedgerReads
from redwell.core.case.checkpoints import Checkpoint, before
from redwell.core.case.rows import ToLoad
from redwell.core.trip import trip


class LoadStore(LedgerReads):
    def load_again(self, step: Checkpoint) -> None:
        last: int | None = 0
        while last is not None:
            last = self.database.write(partial(load_queue.add_ended, after=last, reached=before(step)))

    def begin_loading(self) -> None:
        self.database.write(load_queue.give_back)

    def take_to_load(self, limit: int) -> list[ToLoad]:
        taken = self.database.write(lambda tx: load_queue.take_pending(tx, limit))
        with self.database.read() as tx:
            return load_queue.exhibits(tx, taken)

    def loaded(self, exhibits: Sequence[int]) -> None:
        def work(tx: Connection) -> None:
            trip("index.before_mark")
            load_queue.mark_loaded(tx, exhibits)

        self.database.write(work)
