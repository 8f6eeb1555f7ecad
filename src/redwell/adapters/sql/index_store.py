"""The part of the SQL case store that knows the index's queue. Each method is one transaction, or two."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection

from redwell.adapters.sql import pending
from redwell.adapters.sql.views import CaseViews
from redwell.core.trip import trip


class IndexStore(CaseViews):
    def index_again(self) -> None:
        last: int | None = 0
        while last is not None:
            last = self.database.write(partial(pending.add_ended, after=last))

    def begin_indexing(self) -> None:
        self.database.write(pending.give_back)

    def pending_index(self, limit: int) -> list[dict[str, Any]]:
        taken = self.database.write(lambda tx: pending.take_pending(tx, limit))
        with self.database.read() as tx:
            return pending.exhibits(tx, taken)

    def indexed(self, exhibits: Sequence[int]) -> None:
        def work(tx: Connection) -> None:
            trip("index.before_mark")
            pending.mark_indexed(tx, exhibits)

        self.database.write(work)
