"""The reader of a case over its rows. Opened by runtime.bootstrap for whoever looks; it can't write."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from redwell.adapters.sql.schema_version import check_version
from redwell.adapters.sql_reader import (
    case_rows,
    completeness,
    document_data,
    exhibit_parts,
    exhibit_rows,
    parked_rows,
    relatives,
    sources_again,
)
from redwell.adapters.sql_reader.origins import Origins
from redwell.adapters.sql_reader.session import ReadOnlyDatabase, Session, looked
from redwell.core.blobs import Location
from redwell.core.case.completeness import Completeness, UnreadSource
from redwell.core.case.exhibit_look import MadePart
from redwell.core.case.page_texts import RecognisedPage
from redwell.core.case.rows import (
    Activity,
    AtWork,
    Batch,
    CaseInfo,
    Exhibit,
    FailedAttempt,
    MadeArtifact,
    Page,
    ParkedWork,
    Place,
    SlowWork,
    Source,
    VolumeAccount,
    Wanted,
)
from redwell.core.case.timezone import timezone_of
from redwell.core.errors import UserError
from redwell.core.jobs.job import Job, WorkerRow
from redwell.core.jobs.loader_life import Life
from redwell.core.jobs.run import Run
from redwell.core.understanding.data_query import DataQuery
from redwell.core.understanding.models import ModelChoice
from redwell.core.viewing.uploader_life import UploaderLife
from redwell.ports.audit import Audit
from redwell.ports.case_reader import EVERY
from redwell.ports.messaging.event_log import ParkedPost

AT_ONCE = 1_000
T = TypeVar("T")


class SqlCaseReader:
    """Keeps the promises of `ports.case_reader.CaseReader`."""

    def __init__(self, database: ReadOnlyDatabase) -> None:
        self._database = database
        self._ended: dict[tuple[int, int | None], dict[str, int]] = {}  # counts, by batch and when it was finished

    def _look(self, work: Callable[[Session], T]) -> T:
        return looked(self._database, work)

    def is_made(self) -> bool:
        return self._database.has_table("case_info")

    def info(self) -> CaseInfo:
        values = dict[str, str](self._look(lambda s: s.all("SELECT key, value FROM case_info")))
        check_version(int(values["schema"]), values["name"])
        return CaseInfo(
            name=values["name"],
            uid=values.get("uid", ""),
            timezone=timezone_of(values),
            keeper=values.get("keeper", ""),
            keeping=int(values.get("keeping") or 0),
        )

    def exhibits(self, wanted: Wanted = EVERY) -> Iterator[Exhibit]:
        """Each page is one look: a listing that somebody reads slowly holds up no writer."""
        origins = self._look(Origins)
        after, more = None, True
        while more:
            page = self._page(after, AT_ONCE, wanted, origins)
            yield from page.exhibits
            after, more = page.after, page.after is not None

    def page(self, after: str | None = None, limit: int = 100, wanted: Wanted = EVERY) -> Page:
        try:
            return self._page(after, limit, wanted, self._look(Origins))
        except ValueError:
            raise UserError(f"{after!r} is no cursor; begin with the first page") from None

    def _page(self, after: str | None, limit: int, wanted: Wanted, origins: Origins) -> Page:
        return self._look(lambda session: exhibit_rows.page(session, after, limit, wanted, origins))

    def some(self, keys: Sequence[int]) -> dict[int, Exhibit]:
        found = self._look(lambda session: exhibit_rows.some(session, keys, Origins(session)))
        return {exhibit.id: exhibit for exhibit in found}

    def family(self, key: int, limit: int = 500) -> list[Exhibit]:
        return self._look(lambda session: relatives.family(session, key, limit))

    def copies(self, key: int, limit: int = 100) -> list[Exhibit]:
        return self._look(lambda session: relatives.copies(session, key, limit))

    def given(self, field: str, value: str, prefix: bool) -> list[str]:
        from redwell.adapters.sql_reader import given_fields  # with the language of queries

        return self._look(lambda session: given_fields.given(session, field, value, prefix))

    def with_data(self, query: DataQuery) -> list[str]:
        from redwell.adapters.sql_reader import data_fields  # with the language of queries

        return self._look(lambda session: data_fields.with_data(session, query))

    def model(self) -> ModelChoice:
        return self._look(document_data.chosen_model)

    def known_blobs(self, sha256s: Sequence[bytes]) -> dict[bytes, Location]:
        return self._look(lambda session: case_rows.known_blobs(session, sha256s))

    def numbered(self, controls: Sequence[str]) -> dict[str, Exhibit]:
        found = self._look(lambda session: exhibit_rows.numbered(session, controls, Origins(session)))
        return {exhibit.control_number: exhibit for exhibit in found}

    def parts(self, exhibits: Sequence[int]) -> dict[int, list[MadePart]]:
        return self._look(lambda session: exhibit_parts.parts(session, exhibits))

    def artifacts(self, exhibit: int, page: int | None = None) -> list[MadeArtifact]:
        return self._look(lambda session: exhibit_parts.artifacts(session, exhibit, page))

    def last_page_image(self, exhibit: int) -> int:
        return self._look(lambda session: exhibit_parts.last_page_image(session, exhibit))

    def recognised_texts(self, exhibits: Sequence[int]) -> dict[int, list[RecognisedPage]]:
        return self._look(lambda session: exhibit_parts.recognised_texts(session, exhibits))

    def blobs(self) -> Iterator[tuple[bytes, Location]]:
        with self._database.view() as session:
            for sha256, *place in session.stream('SELECT sha256, pack, "offset", length FROM blob'):
                yield sha256, Location(*place)

    def counts(self, batch: int | None = None) -> dict[str, int]:
        total: dict[str, int] = {}
        for counts in self._look(lambda session: self._counted(session, None if batch is None else [batch])).values():
            for outcome, count in counts.items():
                total[outcome] = total.get(outcome, 0) + count
        return total

    def counts_by_batch(self, batches: Sequence[int]) -> dict[int, dict[str, int]]:
        found = self._look(lambda session: self._counted(session, batches))
        return {key: dict(found.get(key, {})) for key in batches}

    def _counted(self, session: Session, keys: Sequence[int] | None) -> dict[int, dict[str, int]]:
        """A batch that is finished stays as it is until a retry opens it again, and then ends at another time."""
        ends = case_rows.ends(session)
        wanted = {key: ends[key] for key in (ends if keys is None else keys) if key in ends}
        kept = case_rows.kept_counts(session, list(wanted))
        new = [key for key, end in wanted.items() if key not in kept and (key, end) not in self._ended]
        counted = kept | case_rows.counts_by_batch(session, new)
        self._ended |= {(key, wanted[key]): counted[key] for key in new if wanted[key] is not None}
        return {key: counted[key] if key in counted else self._ended[key, end] for key, end in wanted.items()}

    def duplicates(self, batch: int) -> int:
        return self._look(lambda session: case_rows.duplicates(session, batch))

    def volumes(self) -> list[VolumeAccount]:
        return self._look(case_rows.volumes)

    def derived(self, batch: int) -> int:
        return self._look(lambda session: case_rows.derived(session, batch))

    def parts_in(self, batch: int) -> list[tuple[str, str, int]]:
        return self._look(lambda session: case_rows.parts_in(session, batch))

    def repeats_only(self, batch: int) -> bool:
        return self._look(lambda session: case_rows.repeats_only(session, batch))

    def skipped(self, batch: int) -> int:
        return self._look(lambda session: case_rows.skipped(session, batch))

    def resolved_files(self) -> dict[int, int]:
        return self._look(sources_again.resolved_files)

    def completeness(self, at_work: bool) -> Completeness:
        return self._look(lambda session: completeness.completeness(session, at_work))

    def unread_sources(self, batch: int) -> list[UnreadSource]:
        return self._look(lambda session: list(completeness.unread_sources(session, batch)))

    def loaders(self) -> dict[int, Life]:
        return self._look(parked_rows.loaders)

    def uploaders(self) -> dict[int, UploaderLife]:
        return self._look(parked_rows.uploaders)

    def queues(self) -> list[str]:
        return self._look(
            lambda session: [name for (name,) in session.all("SELECT name FROM task_queue ORDER BY name")]
        )

    def activity(self) -> Activity:
        return self._look(case_rows.activity)

    def batches(self) -> list[Batch]:
        return self._look(case_rows.batches)

    def sources(self, batch: int) -> list[Source]:
        return self._look(lambda session: case_rows.sources(session, batch))

    def sandbox(self, batch: int) -> dict[str, str]:
        return self._look(lambda session: case_rows.sandbox(session, batch))

    def jobs(self, *, every: bool) -> list[Job]:
        return self._look(lambda session: case_rows.jobs(session, every))

    def runs(self, batch: int) -> list[Run]:
        return self._look(lambda session: case_rows.runs(session, batch))

    def workers(self) -> list[WorkerRow]:
        return self._look(case_rows.workers)

    def at_work(self) -> dict[str, AtWork]:
        return self._look(case_rows.at_work)

    def open_work(self) -> list[tuple[str, str, int]]:
        return self._look(case_rows.open_work)

    def pace(self) -> list[tuple[int, int]]:
        return self._look(case_rows.pace)

    def parked(self) -> list[ParkedWork]:
        return self._look(case_rows.parked)

    def places(self, work: int, limit: int = 100) -> list[Place]:
        return self._look(lambda session: case_rows.places(session, work, limit))

    def slow(self, limit: int = 20) -> list[SlowWork]:
        return self._look(lambda session: parked_rows.slow(session, limit))

    def failures(self, work: int) -> list[FailedAttempt]:
        return self._look(lambda session: parked_rows.failures(session, work))

    def parked_posts(self) -> list[ParkedPost]:
        return self._look(case_rows.parked_posts)

    def untold(self, who: str, types: Sequence[str]) -> int:
        return self._look(lambda session: case_rows.untold(session, who, types))

    @contextmanager
    def audit(self) -> Iterator[Audit]:
        from redwell.adapters.sql_audit.audit import SqlAudit  # with all that verify asks

        with self._database.view() as session:
            yield SqlAudit(session, self._database.label)

    def close(self) -> None:
        self._database.close()
