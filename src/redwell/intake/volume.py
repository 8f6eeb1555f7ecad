"""Reads a volume that came with load files: every file into the store, and one document that lists them all.

Runs in the importing process. Nothing is looked into: which files are load files follows from their places. They are
read first; a child reads their rows while all other files, images and texts, are read here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice

from redwell.core.blobs import Digests, Stored
from redwell.core.loadfiles.assembly import read_header
from redwell.core.loadfiles.volume_document import Told, VolumeFile, load_files_among, rows_order, volume_document
from redwell.core.names import quoted, unquoted
from redwell.core.trip import trip
from redwell.core.work.kinds import TaskType
from redwell.core.work.records import ClaimedVolume, Found, Read, ToRead
from redwell.intake.read import Loaded, Reading, Unwanted
from redwell.intake.read_notes import ReadNotes, note_of
from redwell.intake.walk import walk
from redwell.ports.blob_store import BlobStore
from redwell.ports.case_store import CaseStore
from redwell.ports.contents import keep
from redwell.ports.rows_ahead import RowsAhead

PLACE = b"."  # of the volume in its source: it is all of it
_AT_ONCE = 250
_TOGETHER = 32 << 20


def found_volume(source: bytes, name: str) -> Found:
    size = sum(found.size or 0 for found in walk(source))
    return Found(locator=quoted(PLACE), name=name, path=name, size=size)


class VolumeReader:
    def __init__(
        self,
        store: CaseStore,
        blobs: BlobStore,
        notes: ReadNotes,
        reading: Reading,
        rows: RowsAhead,
    ) -> None:
        self._store, self._blobs, self._notes, self._reading, self._rows = store, blobs, notes, reading, rows

    def read(self, file: ToRead, told: Told) -> Read | None:
        """None where nobody wants it any more: it is read again then, and what was stored is not stored twice."""
        try:
            files, stored = self._read(unquoted(file.source), told)
        except Unwanted:
            return None
        self._blobs.sync()
        return Read(
            id=file.id,
            attempt=file.attempt,
            name=file.name,
            stored=stored,
            task=TaskType.UNPACK_PREPROCESSED_CONTAINER,
            files=tuple(bytes.fromhex(each.sha256) for each in files),
        )

    def _read(self, source: bytes, told: Told) -> tuple[list[VolumeFile], Stored]:
        """All its files, and the document that lists them."""
        names = [VolumeFile(found.path, found.size or 0, "") for found in walk(source)]
        load_files = set(load_files_among([each.path for each in names], told.files))
        first = {each.path: each for each in self._files(source, load_files.__contains__, _nothing)}
        order = rows_order(told, [first.get(each.path, each) for each in names])
        with self._rows.begun(order, self._parts(order)) as rows:
            others = self._files(source, lambda path: path not in load_files, rows.look)
            files = sorted([*first.values(), *others], key=lambda each: each.path)
            is_same = [each.path for each in files] == sorted(each.path for each in names)
            return files, self._document(volume_document(told, files), rows.parts() if is_same else iter(()))

    def _parts(self, order: bytes) -> list[ClaimedVolume]:
        """Where the load files lie that the order names."""
        hashes = [bytes.fromhex(part.sha256) for part in read_header(order).parts]
        known = self._store.known_blobs(sorted(set(hashes))) if hashes else {}
        return [ClaimedVolume(number=n, sha256=sha256, location=known[sha256]) for n, sha256 in enumerate(hashes, 1)]

    def _document(self, document: bytes, rows: Iterator[bytes]) -> Stored:
        begun = next(rows, None)
        if begun is None:
            [stored] = self._stored([document])
            assert stored is not None
            return stored
        return self._blobs.spill(chain([document, b"\n", begun], rows))

    def _files(self, source: bytes, chosen: Callable[[str], bool], look: Callable[[], None]) -> Iterator[VolumeFile]:
        found = (each for each in walk(source) if chosen(each.path))
        while chunk := list(islice(found, _AT_ONCE)):
            known = self._known(chunk)
            yield from known.values()
            yield from self._some(source, [each for each in chunk if each.path not in known])
            trip("read.volume.after_chunk")
            look()

    def _known(self, chunk: Sequence[Found]) -> dict[str, VolumeFile]:
        """Those that were read before a kill and are in the store."""
        noted = {each.path: sha256 for each in chunk if (sha256 := self._notes.sha256_of(each))}
        there = self._store.known_blobs(list(noted.values())) if noted else {}
        sizes = {each.path: each.size or 0 for each in chunk if noted.get(each.path) in there}
        self._reading.told(sum(sizes.values()))
        return {path: VolumeFile(path, size, noted[path].hex(), "") for path, size in sizes.items()}

    def _some(self, source: bytes, chunk: Iterable[Found]) -> Iterator[VolumeFile]:
        group: list[tuple[Found, Loaded]] = []
        held = 0
        for each in chunk:
            loaded = self._loaded(source, each)
            group.append((each, loaded))
            held += loaded.size if isinstance(loaded.content, bytes) else 0
            if held > _TOGETHER:
                yield from self._kept(group)
                group, held = [], 0
        yield from self._kept(group)

    def _loaded(self, source: bytes, found: Found) -> Loaded:
        file = ToRead(id=0, attempt=0, source=quoted(source), locator=found.locator, name=found.name, size=0)
        if found.outcome is not None:
            return Loaded(file, None, (found.problem,) if found.problem else ())
        return self._reading.load(file)

    def _kept(self, group: list[tuple[Found, Loaded]]) -> Iterator[VolumeFile]:
        stored = self._stored([loaded.content for _, loaded in group])
        self._blobs.sync()
        self._store.add_contents([each for each in stored if each is not None])
        whole = [(found, each) for (found, loaded), each in zip(group, stored, strict=True) if not loaded.problems]
        self._notes.add(
            note_of(found, each.digests.sha256.hex()) for found, each in whole if each and each.size == found.size
        )
        for (found, loaded), each in zip(group, stored, strict=True):
            why = "; ".join(problem.detail for problem in loaded.problems)
            yield VolumeFile(found.path, each.size if each else 0, each.digests.sha256.hex() if each else "", why)

    def _stored(self, contents: list[bytes | Stored | None]) -> list[Stored | None]:
        """Small ones into packs, each once."""
        large = [
            self._blobs.spill([each]) if isinstance(each, bytes) and self._is_large(each) else each for each in contents
        ]
        small = {at: Digests.of(each) for at, each in enumerate(large) if isinstance(each, bytes)}
        kept = keep(
            {small[at]: each for at, each in enumerate(large) if isinstance(each, bytes)}, self._store, self._blobs
        )
        return [kept[small[at]] if isinstance(each, bytes) else each for at, each in enumerate(large)]

    def _is_large(self, content: bytes) -> bool:
        return len(content) > self._blobs.small_bytes


def _nothing() -> None:
    pass
