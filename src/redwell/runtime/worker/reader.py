"""The reading thread of a job: walks its sources, and reads what was found into the blob store."""

import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from functools import cache, partial
from itertools import islice

from redwell.core.case.space import space_for
from redwell.core.errors import DiskFull, StaleClaim
from redwell.core.loadfiles.volume_document import Told
from redwell.core.names import unquoted
from redwell.core.work.records import Found, ToRead, Walk
from redwell.intake.objects import ReadingObjects, is_remote, walk_objects
from redwell.intake.read import Reading, read_files
from redwell.intake.read_notes import ReadNotes, notes_place
from redwell.intake.volume import VolumeReader, found_volume
from redwell.intake.walk import walk
from redwell.ports.content_types import ContentTypes, Unanswered
from redwell.processing.rows_ahead import RowsInChild
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.open_sources import open_remote_source
from redwell.runtime.monitor.logs import timed
from redwell.runtime.worker.batch_filter import sieve_of, volume_of
from redwell.runtime.worker.progress import Progress

log = logging.getLogger(__name__)
WALK_CHUNKS = 10  # names are cheap: a transaction of the walk holds this many chunks
# Read ahead of the children, not far: fresh bytes are still in the system's cache, and members of containers, which
# queue up behind what was read, are worked on soon after them.
AHEAD_MESSAGES = 8  # for each slot
MB = 1 << 20
LITTLE = 256 * MB  # to be read while a walk waits


class Reader:
    """`wanted` is asked before each chunk; when it says no, the rest stays in the ledger."""

    def __init__(
        self, case: Case, batch: int, types: ContentTypes, progress: Progress, wanted: Callable[[], bool]
    ) -> None:
        self._case, self._batch, self._progress, self._wanted = case, batch, progress, wanted
        self._space = 0  # that the case will take for what this walk found
        self._sieve = sieve_of(case, batch, types)
        self._volume = volume_of(case, batch)  # None: it has files, and no volumes
        self._remote = cache(lambda url: open_remote_source(url, case.settings.patience))
        self._reading = ReadingObjects(case.blobs, wanted, progress.read, self._remote)

    def run(self) -> None:
        for source in self._case.store.claim_walks(self._batch):
            try:
                with timed(log, "walk", batch=self._batch):
                    self._walk(source)
            except StaleClaim:
                pass  # the batch was cancelled, or another worker has taken the walk over
        self._progress.walking = False
        self._check_space(self._space)
        with timed(log, "read", batch=self._batch):
            self._read()

    def _read(self) -> None:
        while self._wanted() and self.read_chunk():
            while self._wanted() and self._far_ahead():
                time.sleep(0.05)

    def _far_ahead(self) -> bool:
        """The progress is only a hint: what another process brought to its end is known to the ledger alone."""
        settings = self._case.settings
        limit = AHEAD_MESSAGES * settings.message_documents * (settings.slots or os.cpu_count() or 1)
        return self._progress.backlog > limit and self._case.store.waits_for_more_than(self._batch, limit)

    def _walk(self, source: Walk) -> None:
        """Registers what it finds, which is quick, so that totals are known early; children get what to work on
        meanwhile."""
        path = unquoted(source.locator)
        found = iter([found_volume(path, self._volume.name)]) if self._volume else self._files(path)
        listed, size = 0, WALK_CHUNKS * self._case.settings.chunk
        chunk = list(islice(found, size))
        while self._wanted():
            listed += len(chunk)
            following = list(islice(found, size))
            if not following:
                self._case.store.close_walk(source, chunk, listed)
                self._count(chunk)
                return
            self._case.store.add_found(source, chunk)
            self._count(chunk)
            chunk = following
            self._read_some_of(path)

    def _read_some_of(self, source: bytes) -> None:
        """Between two steps of its walk, where that takes a moment: children would wait for the walk to end."""
        unread = self._progress.bytes_found - self._progress.bytes_read
        is_little = unread < LITTLE and not is_remote(source)
        if is_little and self._has_space(self._space) and not self._far_ahead():
            self.read_chunk()

    def _files(self, source: bytes) -> Iterator[Found]:
        listed = walk_objects(self._remote(os.fsdecode(source))) if is_remote(source) else walk(source)
        return iter(self._sieve.before_reading(listed))

    def _count(self, chunk: list[Found]) -> None:
        self._progress.files_found += len(chunk)
        self._progress.items_found += len(chunk)
        self._progress.bytes_found += sum(f.size or 0 for f in chunk if not f.outcome)
        self._space += sum(space_for(f.name, f.size or 0) for f in chunk if not f.outcome)
        self._progress.outcomes.update(f.outcome for f in chunk if f.outcome)

    def read_chunk(self) -> bool:
        """Read one chunk; False when nothing is left to read."""
        settings = self._case.settings
        files = self._case.store.claim_reads(self._batch, settings.chunk)
        if not files:
            return False
        if self._volume:
            return self._read_volumes(files, self._volume)
        for stored in read_files(files, self._case.store, self._reading):
            try:
                reads = self._sieve.after_reading(stored)
            except Unanswered:
                return False
            self._check_space(0)
            self._case.store.record_reads(reads)
            self._progress.files_read += len(reads)
            self._progress.outcomes.update(r.outcome for r in reads if r.outcome)
        return True

    def _read_volumes(self, files: Sequence[ToRead], told: Told) -> bool:
        notes = ReadNotes(notes_place(self._case.folder, self._batch))
        case = self._case
        rows = RowsInChild(case.parsers, case.blobs.place, self._wanted)
        reading = Reading(case.blobs, self._wanted, self._progress.read)
        volumes = VolumeReader(case.store, case.blobs, notes, reading, rows)
        for file in files:
            if (read := volumes.read(file, told)) is None:
                return False
            self._case.store.record_reads([read])
            self._progress.files_read += 1
        notes.forget()
        return True

    def _has_space(self, needed: int) -> bool:
        return self._free() >= self._case.settings.reserve_mb * MB + needed

    def _check_space(self, needed: int) -> None:
        if not self._has_space(needed):
            raise DiskFull(
                f"{os.fspath(self._case.folder)} has {self._free() // MB} MB free; this needs about {needed // MB} MB "
                f"and keeps {self._case.settings.reserve_mb} MB in reserve (setting reserve_mb)"
            )

    def _free(self) -> int:
        return shutil.disk_usage(self._case.folder).free


class Readers:
    """A reading thread for each job that has something to read; a failure is told to `failed`."""

    MOST = 16  # jobs at once

    def __init__(
        self,
        case: Case,
        types: ContentTypes,
        wanted: Callable[[int], bool],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._case, self._types, self._wanted, self._failed = case, types, wanted, failed
        self._threads: dict[int, threading.Thread] = {}

    def reading(self, batch: int) -> bool:
        return batch in self._threads and self._threads[batch].is_alive()

    def start(self, batch: int, progress: Progress) -> None:
        """Nothing happens when it is being read already, or too many others are."""
        running = sum(thread.is_alive() for thread in self._threads.values())
        if not self.reading(batch) and running < self.MOST:
            reader = Reader(self._case, batch, self._types, progress, lambda: self._wanted(batch))
            work = partial(copy_context().run, self._guarded, reader)  # what it logs says whose it is
            thread = threading.Thread(target=work, name=f"reader-{batch}", daemon=True)
            self._threads[batch] = thread
            thread.start()

    def _guarded(self, reader: Reader) -> None:
        try:
            reader.run()
        except BaseException as error:
            self._failed(error)

    def join(self) -> None:
        for thread in self._threads.values():
            thread.join()
