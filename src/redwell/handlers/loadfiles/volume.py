"""A volume that came with load files: its records are its members, and the files that no row names. Runs in a child.

The document is the list of all its files (core.loadfiles.volume_document); the load files come with it. Its rows stand
behind that list where they were read while the files were hashed; else they are read here.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.handler import (
    Artifact,
    Child,
    Contents,
    GivenPart,
    HandlerSpec,
    Lost,
    Metadata,
    MetaValue,
    Options,
    Piece,
    Source,
    Trouble,
)
from redwell.core.loadfiles.assembly import MEDIA_TYPES, VOLUME
from redwell.core.loadfiles.records.hashed import hashed
from redwell.core.loadfiles.records.rows_read import Rows, RowsRead, RowsSummary
from redwell.core.loadfiles.volume_document import VolumeFile, read_volume, rows_of
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.loadfiles.normalised import Normalised
from redwell.handlers.loadfiles.rows_of_volume import VERSION, OwnRows
from redwell.handlers.structures.part_source import PartSource

SPEC = HandlerSpec(
    name="volume", media_types=frozenset({MEDIA_TYPES[VOLUME]}), score=60, kind="delivery", version=VERSION
)
_LONGEST_LOCATOR = 900


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    if not options.volumes or not options.synthetic:
        raise Unsupported("it is a list of files, and no volume came with it")
    whole = PartSource(source, options, 0, scratch)
    with whole.open() as document:
        told, files = read_volume(document)
    with whole.open() as document:
        rows: Rows = (read := RowsRead(rows_of(document)))
        if read.version != VERSION:
            rows = own = OwnRows(source, scratch, options, told, files)
            if not own.has_load_file:
                yield from _troubles(own.broken)
                raise InvalidFile(
                    "no load file was found at its top or in a folder such as DATA; name it in the import"
                )
        yield from _pieces(rows, told.name, files, scratch, options)


def _pieces(rows: Rows, name: str, files: list[VolumeFile], scratch: Path, options: Options) -> Iterator[Piece]:
    by_path = {file.path: file for file in files}
    normalised = Normalised(scratch / "normalised.dat")
    waits = options.after is not None
    for record in rows:
        normalised.add(hashed(record, by_path))
        if waits:
            waits = record.locator != options.after
        elif record.locator not in options.skip:
            yield Child(
                locator=record.locator, name=record.name, data=record.encoded(), role="record", hash_kind="synthetic"
            )
    summary = rows.summary
    yield from _troubles(summary.broken)
    named, own = set(summary.named), set(summary.load_files)
    unnamed = [n for n, file in enumerate(files) if n not in named and file.path not in own]
    for place in unnamed:
        locator = f"file:{files[place].path}"
        locator = locator if len(locator) <= _LONGEST_LOCATOR else f"file:{place}:{files[place].sha256}"
        if waits:
            waits = locator != options.after
        elif locator not in options.skip:
            yield _unnamed(place, locator, files[place])
    yield Contents(declared=summary.tops + len(unnamed))
    yield Metadata(values={**summary.figures, **_of_files(summary, len(files), len(unnamed))})
    yield Metadata(values={"volume": name, "loadfiles": summary.described})
    if data := normalised.made():
        yield Artifact(kind=ArtifactKind.LOAD_FILE, data=data, media_type="text/plain", amount=normalised.rows)


def _troubles(broken: list[str]) -> Iterator[Piece]:
    return (Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail) for detail in broken)


def _unnamed(place: int, locator: str, file: VolumeFile) -> Piece:
    if not file.sha256:
        detail = file.why or "it could not be read"
        return Lost(locator=locator, name=file.path, outcome=Outcome.INVALID_FILE, detail=detail)
    note: dict[str, MetaValue] = {"volume_path": file.path, "loadfile_named": False}
    return Child(locator=locator, name=file.path.rpartition("/")[2], data=GivenPart(place), metadata=note)


def _of_files(summary: RowsSummary, files: int, unnamed: int) -> dict[str, int]:
    load_files = len(summary.load_files)
    return {
        "volume_files": files,
        "volume_load_files": load_files,
        "volume_files_named": files - load_files - unnamed,
        "volume_files_not_named": unnamed,
        "volume_paths": summary.asked,
        "volume_paths_found": summary.found,
        "volume_paths_missing": summary.asked - summary.found,
    }
