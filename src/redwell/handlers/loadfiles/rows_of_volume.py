"""Handler for the rows of a volume while its files are still hashed: what they name, by path. Runs in a child.

It is asked by whoever reads the volume (processing.rows_ahead), and what it gives goes into the volume's document. The
volume handler does the same itself where nobody asked. The load files are read twice: first for ids, families and
dates, then record by record, so that memory is that of the ids.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import BadInput, InvalidFile, Unsupported
from redwell.core.handler import Artifact, HandlerSpec, Options, Piece, Source
from redwell.core.loadfiles.assembly import MAX_HEADER, MEDIA_TYPES, ROWS, read_header
from redwell.core.loadfiles.inventory import Inventory
from redwell.core.loadfiles.records.record_document import RecordDocument
from redwell.core.loadfiles.records.record_files import LoadFile
from redwell.core.loadfiles.records.rows_read import RowsSummary, lines_of
from redwell.core.loadfiles.volume_document import Told, VolumeFile, read_volume
from redwell.handlers.loadfiles.records import Records
from redwell.handlers.structures.part_source import PartSource

VERSION = 3  # of what is made of rows: other versions' rows are read anew
SPEC = HandlerSpec(name="volume-rows", media_types=frozenset({MEDIA_TYPES[ROWS]}), score=60, version=VERSION)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    if not options.volumes or not options.synthetic:
        raise Unsupported("it is an order to read the rows of a volume, and no volume came with it")
    with PartSource(source, options, 0, scratch).open() as order:
        told, files = read_volume(order)
    rows = OwnRows(source, scratch, options, told, files)
    if not rows.has_load_file:
        raise InvalidFile("it has no load file")
    target = scratch / "rows"
    with target.open("wb") as file:
        file.writelines(lines_of(VERSION, rows))
    yield Artifact(kind=ArtifactKind.LOAD_FILE, data=target, media_type="application/jsonl")


class OwnRows:
    """Rows that are read here and now."""

    def __init__(self, source: Source, scratch: Path, options: Options, told: Told, files: list[VolumeFile]) -> None:
        self.broken = list[str]()
        self._opened = self._load_files(source, scratch, options, told)
        self._inventory = Inventory(files, told.name, [each.name for each in self._opened])
        self._records = Records(self._opened, self._inventory, told)

    @property
    def has_load_file(self) -> bool:
        return bool(self._opened)

    def __iter__(self) -> Iterator[RecordDocument]:
        return iter(self._records)

    @property
    def summary(self) -> RowsSummary:
        records, inventory = self._records, self._inventory
        again = {name: f", says the same as {of} and was not read again" for name, of in records.repeated.items()}
        return RowsSummary(
            tops=records.tops,
            figures=records.figures(),
            broken=[*self.broken, *records.broken],
            load_files=[each.name for each in self._opened],
            described=[f"{each.name}: {each.described()}{again.get(each.name, '')}" for each in self._opened],
            named=sorted(inventory.named),
            asked=inventory.asked,
            found=inventory.found,
        )

    def _load_files(self, source: Source, scratch: Path, options: Options, told: Told) -> list[LoadFile]:
        """Those that are load files; records before pages."""
        read = list[LoadFile]()
        with PartSource(source, options, 0, scratch).open() as document:
            parts = read_header(document.readline(MAX_HEADER)).parts
        for number, part in enumerate(parts, 1):
            try:
                read.append(LoadFile(part.name, PartSource(source, options, number, scratch).chunks, told.mapping))
            except BadInput as error:
                self.broken.append(f"{part.name} is not read as a load file: {error}")
        opened = [each for each in read if told.files or each.is_one()] or [
            each for each in read if each.could_be_one()
        ]
        return sorted(opened, key=lambda each: (each.has_pages, each.name))
