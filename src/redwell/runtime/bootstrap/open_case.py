"""Opens a case for work: its rows, bytes and index, with locks and a sign of life. Whoever only looks has open_reader.

Bootstrap is the one place that joins ports to adapters.
"""

import os
import shutil
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from redwell.adapters.files.case_folder import CaseFolder
from redwell.adapters.sql.database import Database
from redwell.adapters.sql_jobs.job_store import JobStore
from redwell.adapters.sql_ledger.claim_rows import Taker
from redwell.adapters.sql_ledger.ledger_reads import LedgerReads
from redwell.adapters.sql_ledger.ledger_store import SqlCaseStore
from redwell.adapters.sql_queues.posting_database import PostingDatabase
from redwell.adapters.sql_queues.task_queue_store import SqlTaskStore
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.core.case.control_prefix import prefix_of
from redwell.core.case.settled import Limits
from redwell.core.case.timezone import timezone_of
from redwell.core.errors import ReadOnly, RedwellError, UserError
from redwell.core.ids import uuid7
from redwell.core.jobs.job import Job, WorkerRow
from redwell.core.jobs.queue_names import failed_tasks
from redwell.core.work.kinds import Profile
from redwell.core.work.recipe import Recipe
from redwell.ports.blob_store import BlobStore
from redwell.ports.case_folder import Lock
from redwell.ports.case_reader import CaseReader
from redwell.ports.case_store import CaseStore
from redwell.ports.messaging.task_store import TaskStore
from redwell.ports.search_index import SearchIndex
from redwell.processing.children.limits import ChildConfig
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.cases.case_keeper import open_kept
from redwell.runtime.bootstrap.cases.case_notes import has_ledger, is_shared, note_of
from redwell.runtime.bootstrap.cases.cases_in_the_making import told_if_unmade
from redwell.runtime.bootstrap.cases.transfer_notes import require_arrived
from redwell.runtime.bootstrap.cases.upgrade import bring_up_to_date
from redwell.runtime.bootstrap.child_profiles import of_profile, parsers
from redwell.runtime.bootstrap.configuration.fixed_settings import info_of_case
from redwell.runtime.bootstrap.configuration.job_settings import settings_in, terms_of
from redwell.runtime.bootstrap.equipment import Equipment
from redwell.runtime.bootstrap.handler_modules import discover
from redwell.runtime.bootstrap.open_blobs import open_blobs
from redwell.runtime.bootstrap.open_index import Indexed, open_index
from redwell.runtime.bootstrap.open_index import is_shared as index_is_shared
from redwell.runtime.bootstrap.open_journal import CaseJournal, journal_in
from redwell.runtime.bootstrap.open_reader import checked_name, kept_elsewhere, open_rows, state_of
from redwell.runtime.bootstrap.recipes import recipe_of
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.cluster.job_reach import Reach


@dataclass(slots=True)
class Case:
    """An open case: its ledger, bytes and index, and this process's sign of life."""

    name: str
    place: CaseFolder
    worker: str
    store: CaseStore
    rows: CaseReader  # the same for who only looks
    journal: CaseJournal
    tasks: TaskStore | None  # where its documents travel through queues
    blobs: BlobStore
    index: SearchIndex
    equipment: Equipment
    recipe: Recipe
    settings: Settings
    reach: Reach
    timezone: str  # an IANA name (core.case.timezone)
    _life: Lock = field(repr=False)
    passwords: tuple[str, ...] = field(default=(), repr=False)  # that this process was given

    @property
    def folder(self) -> Path:
        return self.place.path

    @property
    def number(self) -> int:
        """The same wherever the case is worked on."""
        return int(self.folder.name)

    @property
    def home(self) -> Path:
        return self.folder.parents[1]

    @property
    def is_shared(self) -> bool:
        """Other machines may be at work on it."""
        return is_shared(self.folder)

    @property
    def is_kept_here(self) -> bool:
        """This machine has the index, and tells others what becomes of the case (ADR 19)."""
        return not self.reach.keeper

    @property
    def terms(self) -> str:
        """What handlers there are matters only where other machines may work on the case."""
        return terms_of(self.settings, str(self.equipment) if self.is_shared else "")

    def serves(self, job: Job) -> bool:
        """Whether it is on the terms that the case was opened with, and this process has what it needs."""
        return settings_in(job.terms) in {"", settings_in(terms_of(self.settings, ""))} and not self.reach.lacks(job)

    def alive(self, worker: str) -> bool:
        return worker == self.worker or self.place.is_alive(worker)

    def state_of(self, worker: WorkerRow) -> str:
        return state_of(worker, self.folder)

    def indexer_lock(self) -> Lock | None:
        """None where another process has it, or another machine keeps the case."""
        return self.place.try_role("indexer") if self.is_kept_here else None

    def announce(self) -> None:
        """Workers learn that the case has a job."""
        with closing(Cases(self.home, self.settings)) as cases:
            cases.announce(self.folder)

    @property
    def scratch(self) -> Path:
        return self.place.scratch_of(self.worker)

    @property
    def parsers(self) -> ChildConfig:
        return _parsers_of(self.place, self.worker, self.settings, self.timezone)

    @property
    def other_children(self) -> dict[Profile, ChildConfig]:
        """Of profiles that there are handlers for."""
        offered = [(profile, modules) for profile, modules in discover().items() if profile is not Profile.PARSER]
        return {profile: of_profile(profile, self.parsers, modules) for profile, modules in offered if modules}

    def stop_storing(self) -> None:
        """While this process counts among those who store, nobody can say that a loose file is an orphan."""
        self.blobs.close()
        self.blobs = open_blobs(self.folder, self.worker, self.settings, read_only=True)

    def close(self) -> None:
        """Each part, also after one that fails; the sign of life is the last to go."""
        with ExitStack() as parts:
            parts.callback(self._life.release, remove=True)
            parts.callback(shutil.rmtree, self.scratch, ignore_errors=True)
            parts.callback(self.store.close)
            parts.callback(self.rows.close)  # before the store: who closes a file last puts it in order
            parts.callback(self.blobs.close)
            parts.callback(self.index.close)

    def __enter__(self) -> "Case":
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        try:
            self.close()
        except RedwellError:
            if failed is None:
                raise  # else the first failure is the one to report


def open_case(home: Path, name: str, settings: Settings, *, create: bool = False, guest: bool = False) -> Case:
    """Open a case by name; `create` makes it when it is not there.

    Where another machine keeps it, only a `guest` gets it: who works on it and needs no index. With an index that is
    nobody's own everybody does, and keeps the case from then on where nobody of the other machine is at it (ADR 74).
    """
    _require_writable(home)
    with closing(Cases(home, settings)) as cases:
        folder = cases.make(checked_name(name)) if create else cases.folder_of(checked_name(name))
        if not guest and index_is_shared(settings) and _is_left(folder, settings):
            cases.take_over(name)
    _require_writable(folder)
    require_arrived(folder, name)
    with told_if_unmade(name, folder, settings):
        database, keeper = open_kept(folder, settings)
    if keeper and not (guest or index_is_shared(settings)):
        database.close()
        raise UserError(kept_elsewhere(name, keeper))
    place, worker = CaseFolder(folder), uuid7().hex
    with told_if_unmade(name, folder, settings):
        bring_up_to_date(place, name, database)
    info = info_of_case(database, settings if create else None)
    tasks = _task_store(database, worker, settings) if settings.queue != "ledger" else None
    written = tasks.database if tasks else database
    life = place.live_as(worker)
    zone = timezone_of(info)
    equipment = Equipment(lambda: _parsers_of(place, worker, settings, zone))
    recipe = recipe_of(settings, [profile for profile, modules in discover().items() if modules])
    rows = SqlCaseReader(open_rows(folder, note_of(folder), settings.database))
    blobs = open_blobs(folder, worker, settings)
    limits = Limits(settings.max_depth, settings.max_copies)
    store = SqlCaseStore(written, worker, recipe, limits=limits, prefix=prefix_of(info), attempts=settings.attempts)
    store.views_itself = settings.viewer == "builtin"
    return Case(
        name=name,
        place=place,
        worker=worker,
        store=store,
        rows=rows,
        journal=journal_in(name, folder, written),
        tasks=tasks,
        blobs=blobs,
        index=open_index(settings, Indexed(case=info["uid"], folder=place.index, rows=rows, blobs=blobs)),
        equipment=equipment,
        recipe=recipe,
        settings=settings,
        reach=Reach(settings, keeper, lambda: str(equipment)),
        timezone=zone,
        _life=life,
    )


def _is_left(folder: Path, settings: Settings) -> bool:
    """Whether another machine keeps the case, and nobody there is registered as working on it."""
    if not (has_ledger(folder) and is_shared(folder)):
        return False
    database, keeper = open_kept(folder, settings)
    with closing(JobStore(database)) as store:
        return bool(keeper) and not any(row.host.partition("/")[0] == keeper for row in store.workers())


def _require_writable(folder: Path) -> None:
    """Said before anything is begun, and in one line."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(nearest, os.W_OK):
        raise ReadOnly(f"{nearest} is read-only here, and this has to write there; to look at a case needs no more")


def _task_store(database: Database, worker: str, settings: Settings) -> SqlTaskStore:
    uid, dead_letters = LedgerReads(database).info()["uid"], failed_tasks(settings.name_prefix)
    taker = Taker(worker, settings.attempts)
    return SqlTaskStore(PostingDatabase(database, uid, dead_letters), taker, settings.pace)


def _parsers_of(place: CaseFolder, worker: str, settings: Settings, timezone: str) -> ChildConfig:
    return parsers(settings, discover()[Profile.PARSER], [place.blobs], place.scratch_of(worker), timezone)
