"""The one place that joins ports to adapters: a home, its cases, and what a case is made of."""

import hashlib
import json
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
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
from redwell.adapters.sqlite.control import Control
from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.errors import RedwellError, UserError
from redwell.core.ids import uuid7
from redwell.core.jobs import Job
from redwell.handlers.registry import discover, engine_version
from redwell.load.project import read_text
from redwell.ports.blob_store import BlobStore
from redwell.runtime.blobs import make_blobs, open_blobs
from redwell.runtime.ledgers import has_ledger, make_ledger, name_of, open_ledger
from redwell.runtime.settings import Settings

# settings that change what is made of a content; others may differ between runs
RECIPE_SETTINGS = ("max_members", "max_member_mb", "max_total_mb", "max_ratio", "max_text_chars", "embedded_images")
# all that a job's documents are worked on with, whichever process does it
JOB_SETTINGS = (
    *RECIPE_SETTINGS,
    *("max_depth", "max_copies", "spool_mb"),
    *("small_wall_s", "large_wall_s", "small_rss_mb", "large_rss_mb"),
)


class NoSuchCase(UserError):
    pass


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
    settings: Settings
    _life: HeldLock = field(repr=False)
    passwords: tuple[str, ...] = field(default=(), repr=False)  # that this process was given

    @property
    def terms(self) -> str:
        return terms_of(self.settings)

    def alive(self, worker: str) -> bool:
        return worker == self.worker or is_held(_life_path(self.folder, worker))

    def indexer_lock(self) -> HeldLock | None:
        return try_lock(self.folder / "locks" / "indexer")

    def announce(self) -> None:
        """Workers of this home learn that the case has a job."""
        with closing(control_of(self.folder.parents[1])) as control:
            control.mark(int(self.folder.name))

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


def open_case(home: Path, name: str, settings: Settings, *, create: bool = False) -> Case:
    """Open a case by name; `create` makes it when it is not there."""
    folder = _case_folder(home, _checked_name(name), settings if create else None)
    database, worker = open_ledger(folder, settings.database), uuid7().hex
    tasks = _task_store(database, worker) if settings.queue != "ledger" else None
    life = hold(_life_path(folder, worker))
    _sweep_scratch(folder)
    handlers = discover()
    store = SqlCaseStore(
        tasks.database if tasks else database,
        worker,
        _recipe(settings, handlers),
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
        settings=settings,
        _life=life,
    )


def _task_store(database: Database, worker: str) -> TaskStore:
    return TaskStore(PostingDatabase(database, CaseViews(database).info()["uid"]), worker)


def terms_of(settings: Settings) -> str:
    """What a job records of the settings, so that every worker does the same with its documents."""
    return json.dumps({key: getattr(settings, key) for key in JOB_SETTINGS})


def on_terms(settings: Settings, terms: str) -> Settings:
    return settings.with_overrides({key: str(value) for key, value in json.loads(terms or "{}").items()})


def case_ledgers(home: Path, settings: Settings, only: str | None) -> Iterator[tuple[str, Path, JobStore]]:
    """Name, folder and rows of each case, or of one; opened one after the other."""
    for name in case_names(home) if only is None else [only]:
        folder = _case_folder(home, name, None)
        if has_ledger(folder):
            with closing(JobStore(open_ledger(folder, settings.database))) as store:
                if store.is_made():
                    yield name, folder, store


def open_jobs_of(home: Path, name: str, settings: Settings) -> list[Job]:
    """Of a case that need not be opened as a whole."""
    return [job for _, _, store in case_ledgers(home, settings, name) for job in store.open_jobs()]


def control_of(home: Path) -> Control:
    return Control(home / "control.sqlite")


def text_of(store: SqlCaseStore, blobs: BlobStore, exhibit: int) -> str:
    row = store.exhibit(exhibit)
    if row is None or row["text"] is None:
        return ""
    return read_text(row, store.known_blobs([row["text"]]), blobs)


def case_names(home: Path) -> list[str]:
    if not (home / "control.sqlite").exists():
        return []
    control = control_of(home)
    try:
        _adopt(home, control)
        return control.names()
    finally:
        control.close()


def _case_folder(home: Path, name: str, new_with: Settings | None) -> Path:
    """The folder of a case; one that is not there is made as the settings say, or refused without them."""
    create = new_with is not None
    if not create and not home.is_dir():
        raise NoSuchCase(f"there is no case {name!r}: {home} does not exist; `redwell import` makes one")
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    control = control_of(home)
    try:
        key = control.find(name)
        if key is None:
            _adopt(home, control)
            key = control.find(name)
        if key is None and not create:
            known = ", ".join(control.names()) or "none yet"
            raise NoSuchCase(f"there is no case {name!r} in {home}; cases there: {known}")
        key = key if key is not None else control.add(name)
    finally:
        control.close()
    folder = home / "cases" / str(key)
    if new_with is not None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_blobs(folder, new_with.blobs)
        make_ledger(folder, name, new_with.database)
    return folder


def _adopt(home: Path, control: Control) -> None:
    """A case folder that was copied here from another home brings its name along."""
    known = control.ids()  # of which one may be in the making
    for folder in (home / "cases").glob("*"):
        with suppress(ValueError):
            key = int(folder.name)
            if key not in known and (name := name_of(folder)):
                control.add(name, key)


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
    return Recipe(engine=f"extract/{engine_version(handlers)}", settings=digest, large_bytes=settings.large_mb << 20)
