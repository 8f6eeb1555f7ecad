"""The one place that joins ports to adapters: a home, its cases, and what a case is made of."""

import hashlib
import json
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from redwell.adapters.files.locks import HeldLock, hold, is_held, try_lock
from redwell.adapters.sql.contents import Recipe
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.job_store import JobStore
from redwell.adapters.sql.posting import PostingDatabase
from redwell.adapters.sql.settled import Limits
from redwell.adapters.sql.store import SqlCaseStore
from redwell.adapters.sql.task_store import TaskStore
from redwell.adapters.sql.views import CaseViews
from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.errors import RedwellError, UserError
from redwell.core.ids import uuid7
from redwell.core.jobs import Job
from redwell.core.queue_names import failed_tasks
from redwell.handlers.registry import discover, engine_version
from redwell.handlers.system_libraries import installed
from redwell.load.project import read_text
from redwell.ports.blob_store import BlobStore
from redwell.runtime.blobs import open_blobs
from redwell.runtime.cases import Cases
from redwell.runtime.keeping import is_shared, open_kept
from redwell.runtime.ledgers import has_ledger, open_ledger
from redwell.runtime.reach import Reach
from redwell.runtime.settings import Settings
from redwell.runtime.terms import RECIPE_SETTINGS, settings_in, terms_of


@dataclass(slots=True)
class Case:
    """An open case: its ledger, bytes and index, and this process's sign of life."""

    name: str
    folder: Path
    worker: str
    store: SqlCaseStore
    tasks: TaskStore | None  # where its documents travel through queues
    blobs: BlobStore
    index: TantivyIndex
    handlers: list[str]
    recipe: Recipe
    settings: Settings
    reach: Reach
    _life: HeldLock = field(repr=False)
    passwords: tuple[str, ...] = field(default=(), repr=False)  # that this process was given

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
        return terms_of(self.settings, self.reach.equipment)

    def serves(self, job: Job) -> bool:
        """Whether it is on the terms that the case was opened with."""
        return settings_in(job.terms) in {"", settings_in(self.terms)} and self.reach.is_equipped(job)

    def alive(self, worker: str) -> bool:
        return worker == self.worker or is_held(_life_path(self.folder, worker))

    def indexer_lock(self) -> HeldLock | None:
        return try_lock(self.folder / "locks" / "indexer")

    def announce(self) -> None:
        """Workers learn that the case has a job."""
        with closing(Cases(self.home, self.settings)) as cases:
            cases.announce(self.folder)

    @property
    def scratch(self) -> Path:
        return self.folder / "scratch" / self.worker

    def close(self) -> None:
        """Each part, also after one that fails; the sign of life is the last to go."""
        with ExitStack() as parts:
            parts.callback(self._life.release, remove=True)
            parts.callback(shutil.rmtree, self.scratch, ignore_errors=True)
            parts.callback(self.store.close)
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

    Where another machine keeps it, only a `guest` gets it: who works on it or looks at its rows, and needs no index.
    """
    with closing(Cases(home, settings)) as cases:
        folder = cases.make(_checked_name(name)) if create else cases.folder_of(_checked_name(name))
    database, keeper = open_kept(folder, settings.database)
    if keeper and not guest:
        database.close()
        raise UserError(f"case {name!r} is kept on {keeper}, which has its index and its sources: run this there")
    worker = uuid7().hex
    tasks = _task_store(database, worker, settings) if settings.queue != "ledger" else None
    life = hold(_life_path(folder, worker))
    _sweep_scratch(folder)
    handlers = discover()
    recipe = _recipe(settings, handlers)
    store = SqlCaseStore(
        tasks.database if tasks else database,
        worker,
        recipe,
        limits=Limits(settings.max_depth, settings.max_copies),
        prefix=settings.control_prefix,
        document_events=settings.events == "documents",
    )
    store.info()
    blobs = open_blobs(folder, worker, settings)
    return Case(
        name=name,
        folder=folder,
        worker=worker,
        store=store,
        tasks=tasks,
        blobs=blobs,
        index=TantivyIndex(folder / "index", read_text=lambda exhibit: text_of(store, blobs, exhibit)),
        handlers=handlers,
        recipe=recipe,
        settings=settings,
        reach=Reach(settings, keeper, lambda: equipment_of(handlers)),
        _life=life,
    )


def _task_store(database: Database, worker: str, settings: Settings) -> TaskStore:
    uid, dead_letters = CaseViews(database).info()["uid"], failed_tasks(settings.name_prefix)
    return TaskStore(PostingDatabase(database, uid, dead_letters), worker)


def case_ledgers(home: Path, settings: Settings, only: str | None) -> Iterator[tuple[str, Path, JobStore]]:
    """Name, folder and rows of each case, or of one; opened one after the other."""
    with closing(Cases(home, settings)) as cases:
        for name in cases.names() if only is None else [only]:
            folder = cases.folder_of(name)
            with ledger_of(folder, settings) as store:
                if store:
                    yield name, folder, store


@contextmanager
def ledger_of(folder: Path, settings: Settings) -> Iterator[JobStore | None]:
    """The rows of a case that need not be opened as a whole; None while it is in the making."""
    if not has_ledger(folder):
        yield None
        return
    with closing(JobStore(open_ledger(folder, settings.database))) as store:
        yield store if store.is_made() else None


def open_jobs_of(folder: Path, settings: Settings) -> list[Job]:
    with ledger_of(folder, settings) as store:
        return store.open_jobs() if store else []


def text_of(store: SqlCaseStore, blobs: BlobStore, exhibit: int) -> str:
    row = store.exhibit(exhibit)
    if row is None or row["text"] is None:
        return ""
    return read_text(row, store.known_blobs([row["text"]]), blobs)


def _checked_name(name: str) -> str:
    name = unicodedata.normalize("NFC", name).strip()
    if not name or len(name) > 200 or any(unicodedata.category(c) in {"Cc", "Cs"} for c in name):
        raise UserError("a case name has 1 to 200 characters and no control characters")
    return name


def _life_path(folder: Path, worker: str) -> Path:
    return folder / "locks" / f"worker-{worker}"


def _sweep_scratch(folder: Path) -> None:
    """What a killed worker left in scratch goes; a living one's stays."""
    for leftover in (folder / "scratch").glob("*"):
        if not is_held(_life_path(folder, leftover.name)):
            shutil.rmtree(leftover, ignore_errors=True)


def _recipe(settings: Settings, handlers: list[str]) -> Recipe:
    values: dict[str, Any] = {key: asdict(settings)[key] for key in RECIPE_SETTINGS}
    digest = hashlib.blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=6).hexdigest()
    return Recipe(lambda: _engine(handlers), digest, settings.large_mb << 20)


def _engine(handlers: list[str]) -> str:
    return f"extract/{engine_version(handlers)}"


def equipment_of(handlers: list[str]) -> str:
    """What a machine must have as another one has it, so that both make the same of a content."""
    return " ".join([_engine(handlers), *installed()])
