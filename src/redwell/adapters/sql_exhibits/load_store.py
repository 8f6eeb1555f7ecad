"""The part of the SQL case store that knows the queue of the load. Each method is one transaction, or two."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import ingestion
from redwell.adapters.sql_exhibits import (
    copies,
    copy_standing,
    filing_rows,
    load_queue,
    near_rows,
    numbering,
    parts,
    taken_exhibits,
    threads,
)
from redwell.adapters.sql_ledger import parked_work, reopen
from redwell.adapters.sql_ledger.batch_range import of_batch
from redwell.adapters.sql_ledger.ledger_reads import LedgerReads
from redwell.adapters.sql_review import imported
from redwell.core.case.checkpoints import Checkpoint, before
from redwell.core.case.copies import Rule, Standing
from redwell.core.case.exhibit_look import Look
from redwell.core.case.filing import Filed, Filing
from redwell.core.case.near import Neighbour, Texted
from redwell.core.case.page_texts import RecognisedPage
from redwell.core.case.rows import OPEN, ToLoad
from redwell.core.case.threads import ThreadMail
from redwell.core.trip import trip
from redwell.core.work.records import Selection

_outcome = func.coalesce(exhibit.c.outcome, ingestion.c.outcome)
_shown = select(ingestion.c.id, _outcome).join_from(ingestion, exhibit, exhibit.c.id == ingestion.c.id)
_OUTCOMES_IN = Prepared(
    select(_outcome, func.count())
    .join_from(ingestion, exhibit, exhibit.c.id == ingestion.c.id)
    .where(of_batch(ingestion, bindparam("batch")), ingestion.c.source == constant(0))
    .group_by(_outcome)
)
_OUTCOMES_OF = Prepared(_shown.where(among(ingestion.c.id, "ids")))


class LoadStore(LedgerReads):
    """What the ledger says of exhibits, as it is shown."""

    _prefix: str  # of the case's control numbers
    _worker: str

    def outcomes_in(self, batch: int) -> dict[str, int]:
        """Exhibits of a batch by outcome; looks at every one."""
        with self.database.read() as tx:
            return {outcome or OPEN: count for outcome, count in _OUTCOMES_IN.all(tx, batch=batch)}

    def outcomes_of(self, exhibits: Iterable[int]) -> dict[int, str]:
        with self.database.read() as tx:
            return dict(_OUTCOMES_OF.all(tx, ids=as_list(exhibits)))

    def concerned(self, chosen: Selection) -> dict[int, str]:
        """The outcome of every exhibit that a retry concerns."""
        with self.database.read() as tx:
            return self.outcomes_of(reopen.concerned(tx, chosen))

    def concerned_by_parked(self, keys: Sequence[int]) -> dict[int, str]:
        """The outcome of every exhibit that `retry_parked` concerns."""
        with self.database.read() as tx:
            return self.outcomes_of(parked_work.exhibits_of(tx, keys))

    def load_again(self, step: Checkpoint) -> None:
        last: int | None = 0
        while last is not None:
            last = self.database.write(partial(load_queue.add_ended, after=last, reached=before(step)))

    def begin_loading(self) -> None:
        self.database.write(load_queue.give_back)

    def take_to_load(self, limit: int) -> list[ToLoad]:
        def work(tx: Connection) -> list[int] | None:
            more = numbering.number_some(tx, self._prefix)
            trip("numbers.before_commit")
            return None if more else load_queue.take_pending(tx, limit, self._worker)

        taken = None
        while taken is None:  # numbers are committed in chunks; the last of them with what is taken
            taken = self.database.write(work)
        with self.database.look() as tx:
            return taken_exhibits.exhibits(tx, taken)

    def copy_rules(self, batches: Sequence[int]) -> dict[int, Rule]:
        with self.database.look() as tx:
            return copy_standing.rules(tx, batches)

    def attached(self, mails: Sequence[int]) -> dict[int, list[tuple[str, int]]]:
        if not mails:
            return {}
        with self.database.look() as tx:
            return copy_standing.attached(tx, mails)

    def find_copies(self, keys: Mapping[int, bytes | None], chunk: Sequence[int]) -> list[int]:
        def work(tx: Connection) -> list[int]:
            again = copies.find_copies(tx, keys, chunk)
            trip("copies.before_commit")
            return again

        return self.database.write(work) if keys or chunk else []

    def take_these(self, exhibits: Sequence[int]) -> list[ToLoad]:
        taken = self.database.write(lambda tx: load_queue.take_these(tx, exhibits, self._worker))
        with self.database.look() as tx:
            return taken_exhibits.exhibits(tx, taken)

    def standings(self, exhibits: Sequence[int]) -> dict[int, Standing]:
        with self.database.look() as tx:
            return copy_standing.standings(tx, exhibits)

    def find_threads(self, mails: Mapping[int, Sequence[bytes]]) -> set[int]:
        def work(tx: Connection) -> set[int]:
            touched = threads.find_threads(tx, mails)
            trip("threads.before_commit")
            return touched

        return self.database.write(work)

    def mails_of(self, touched: Sequence[int]) -> list[ThreadMail]:
        with self.database.read() as tx:  # threads may be long
            return threads.mails_of(tx, touched)

    def judge_threads(self, mails: Iterable[int], inclusive: Collection[int]) -> None:
        self.database.write(lambda tx: threads.judge(tx, mails, inclusive))

    def show(self, looks: Mapping[int, Look]) -> None:
        def work(tx: Connection) -> None:
            parts.show(tx, looks)
            trip("pages.before_commit")

        self.database.write(work)

    def tag(self, wanted: Mapping[int, Sequence[str]]) -> None:
        def work(tx: Connection) -> None:
            imported.import_tags(tx, wanted)
            trip("tags.before_commit")

        self.database.write(work)

    def file(
        self, filings: Sequence[Filing], chunk: Sequence[int], sources_of: Sequence[int], custodians: Sequence[str]
    ) -> list[int]:
        def work(tx: Connection) -> list[int]:
            filing_rows.add_sources(tx, sources_of)
            filing_rows.add_custodians(tx, custodians)
            again = filing_rows.file(tx, filings, chunk)
            trip("folders.before_commit")
            return again

        return self.database.write(work)

    def filed(self, exhibits: Sequence[int]) -> dict[int, Filed]:
        with self.database.look() as tx:
            return filing_rows.filed(tx, exhibits)

    def recognised_texts(self, exhibits: Sequence[int]) -> dict[int, list[RecognisedPage]]:
        with self.database.look() as tx:
            return parts.recognised_texts(tx, exhibits)

    def unsketched(self, after: tuple[int, str], limit: int) -> list[Texted]:
        with self.database.read() as tx:
            return near_rows.unsketched(tx, after, limit)

    def texted(self, exhibit: int) -> list[Texted]:
        with self.database.read() as tx:
            return near_rows.texted(tx, exhibit)

    def masters(self) -> dict[int, bytes]:
        with self.database.read() as tx:
            return near_rows.masters(tx)

    def note_near(self, found: Sequence[Neighbour]) -> None:
        self.database.write(lambda tx: near_rows.note(tx, found))

    def forget_near(self) -> None:
        self.database.write(near_rows.forget)

    def loaded(self, exhibits: Sequence[int]) -> None:
        def work(tx: Connection) -> None:
            trip("index.before_mark")
            load_queue.mark_loaded(tx, exhibits, self._worker)

        self.database.write(work)
