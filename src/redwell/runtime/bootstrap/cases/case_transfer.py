"""The parts of a case brought from one place to another, whatever kinds of storage these are. Part of joining.

Bytes first, each hashed as it is read and again where it was put; then all rows in one transaction. A transfer that is
stopped is gone on with: bytes that are there are not brought again.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from redwell.adapters.files.case_folder import CaseFolder
from redwell.adapters.files.file_blobs import FileBlobs
from redwell.adapters.files.packs import FilePacks
from redwell.adapters.sql import case_copy
from redwell.adapters.sql.case_copy import Digest
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_ledger.ledger_reads import LedgerReads
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.blobs import Location
from redwell.core.errors import Permanent, UserError
from redwell.core.ids import uuid7
from redwell.core.trip import trip
from redwell.ports.blob_store import BlobReader, BlobStore
from redwell.runtime.bootstrap.cases.case_notes import LEDGER_FILE, place_of
from redwell.runtime.bootstrap.open_blobs import open_blob_reader, open_blobs
from redwell.runtime.bootstrap.open_ledger import open_ledger
from redwell.runtime.bootstrap.settings import Settings

AT_ONCE = 250
AT_ONCE_BYTES = 64 << 20
Tell = Callable[[int], None]  # how many contents have arrived


@dataclass(frozen=True, slots=True)
class Origin:
    database: Database
    blobs: BlobReader

    def info(self) -> dict[str, str]:
        return LedgerReads(self.database).info()

    def digest(self) -> Digest:
        with self.database.read() as tx:
            return case_copy.digest_of(tx)

    def check_bytes(self, tell: Tell) -> None:
        """Permanent where something is not what its name says."""
        with self.database.read() as tx:
            for count, (sha256, location) in enumerate(case_copy.contents(tx), 1):
                _check(self.blobs, sha256, location)
                tell(count)


@dataclass(frozen=True, slots=True)
class Target(Origin):
    blobs: BlobStore


@contextmanager
def origin_in(folder: Path, settings: Settings) -> Iterator[Origin]:
    """A case of a home."""
    with ExitStack() as parts:
        database = parts.enter_context(closing(open_ledger(folder, settings)))
        blobs = parts.enter_context(closing(open_blob_reader(folder, place_of(folder), settings)))
        yield Origin(database, blobs)


@contextmanager
def exported(folder: Path) -> Iterator[Origin]:
    if not (folder / LEDGER_FILE).exists():
        raise UserError(f"{folder} holds no exported case; `redwell case export` writes one")
    with closing(SqliteDatabase(folder / LEDGER_FILE)) as database, closing(FileBlobs(folder)) as blobs:
        yield Origin(database, blobs)


@contextmanager
def target_in(folder: Path, settings: Settings) -> Iterator[Target]:
    """A case of a home that was made for it; other processes see that somebody is at it."""
    worker = uuid7().hex
    with ExitStack() as parts:
        life = CaseFolder(folder).live_as(worker)
        parts.callback(life.release, remove=True)
        database = parts.enter_context(closing(open_ledger(folder, settings)))
        yield Target(database, parts.enter_context(closing(open_blobs(folder, worker, settings))))


@contextmanager
def export_to(folder: Path, info: dict[str, str], settings: Settings) -> Iterator[Target]:
    """A folder as a case of its own has it: rows in a file, bytes beside it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as parts:
        database = parts.enter_context(closing(SqliteDatabase(folder / LEDGER_FILE)))
        create_case(database, {key: info[key] for key in ("name", "uid")})
        blobs = FilePacks(folder, uuid7().hex, small_bytes=settings.small_blob_kb << 10)
        yield Target(database, parts.enter_context(closing(blobs)))


def bring(origin: Origin, target: Target, tell: Tell) -> Digest:
    """The digest of both ends; Permanent where they are not the same."""
    _bring_bytes(origin, target, tell)
    trip("transfer.before_rows")

    with origin.database.read() as source:
        target.database.write(lambda tx: case_copy.copy_rows(source, tx))
        before = case_copy.digest_of(source)
    after = target.digest()
    if before != after:
        wrong = ", ".join(sorted(name for name in before if before[name] != after.get(name)))
        raise Permanent(f"what arrived is not what was sent ({wrong}); somebody wrote to the case meanwhile: once more")
    target.check_bytes(lambda _: None)
    return after


def _bring_bytes(origin: Origin, target: Target, tell: Tell) -> None:
    with target.database.read() as tx:
        known = case_copy.known_contents(tx)
    new, size, count = list[tuple[bytes, Location]](), 0, 0

    def keep() -> None:
        target.blobs.sync()
        arrived = list(new)
        target.database.write(lambda tx: case_copy.add_contents(tx, arrived))
        trip("transfer.after_chunk")

    with origin.database.read() as source:
        for count, (sha256, location) in enumerate(case_copy.contents(source), 1):
            if sha256 not in known:
                new.append((sha256, _brought(origin.blobs, target.blobs, sha256, location)))
                size += location.length
            if len(new) >= AT_ONCE or size >= AT_ONCE_BYTES:
                keep()
                new, size = [], 0
                tell(count)
    keep()
    tell(count)


def _brought(origin: BlobReader, target: BlobStore, sha256: bytes, location: Location) -> Location:
    """Nothing that is damaged travels."""
    if location.length <= target.small_bytes:
        data = origin.read(sha256, location)
        if hashlib.sha256(data).digest() != sha256:
            raise _damaged(sha256)
        return target.append(sha256, data)
    stored = target.spill(origin.stored(sha256, location))
    if stored.digests.sha256 != sha256:
        raise _damaged(sha256)
    return stored.location


def _check(blobs: BlobReader, sha256: bytes, location: Location) -> None:
    hashed = hashlib.sha256()
    for part in blobs.stored(sha256, location):
        hashed.update(part)
    if hashed.digest() != sha256:
        raise _damaged(sha256)


def _damaged(sha256: bytes) -> Permanent:
    return Permanent(f"the content {sha256.hex()} is damaged; `redwell verify` names what it belongs to")
