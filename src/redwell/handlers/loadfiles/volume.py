"""A volume that came with load files: its records are its members, and the files that no row names. Runs in a child.

The document is the list of all its files (core.loadfiles.volume_document); the load files come with it. The load files
are read twice: first for ids, families and dates, then record by record, so that memory is that of the ids.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import BadInput, InvalidFile, Unsupported
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
from redwell.core.loadfiles.assembly import MEDIA_TYPES, VOLUME, read_header
from redwell.core.loadfiles.inventory import Inventory
from redwell.core.loadfiles.records.record_files import LoadFile
from redwell.core.loadfiles.volume_document import Told, read_volume
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.loadfiles.normalised import Normalised
from redwell.handlers.loadfiles.records import Records
from redwell.handlers.structures.part_source import PartSource

SPEC = HandlerSpec(name="volume", media_types=frozenset({MEDIA_TYPES[VOLUME]}), score=60, kind="delivery", version=3)
_LONGEST_LOCATOR = 900


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    if not options.volumes or not options.synthetic:
        raise Unsupported("it is a list of files, and no volume came with it")
    document = PartSource(source, options, 0, scratch).read()
    told, files = read_volume(document)
    opened, troubles = _load_files(source, scratch, options, told, document)
    yield from troubles
    if not opened:
        raise InvalidFile("no load file was found at its top or in a folder such as DATA; name it in the import")
    inventory = Inventory(files, told.name, [each.name for each in opened])
    records = Records(opened, inventory, told)
    normalised = Normalised(scratch / "normalised.dat")
    waits = options.after is not None
    for record in records:
        normalised.add(record)
        if waits:
            waits = record.locator != options.after
        elif record.locator not in options.skip:
            yield Child(
                locator=record.locator, name=record.name, data=record.encoded(), role="record", hash_kind="synthetic"
            )
    yield from records.troubles()
    own = {each.name for each in opened}
    unnamed = [n for n, file in enumerate(files) if n not in inventory.named and file.path not in own]
    for place in unnamed:
        locator = f"file:{files[place].path}"
        locator = locator if len(locator) <= _LONGEST_LOCATOR else f"file:{place}:{files[place].sha256}"
        if waits:
            waits = locator != options.after
        elif locator not in options.skip:
            yield _unnamed(place, locator, files[place].path, files[place].sha256, files[place].why)
    yield Contents(declared=records.tops + len(unnamed))
    yield Metadata(values={**records.figures(), **_of_files(inventory, len(own), len(unnamed))})
    again = {name: f", says the same as {of} and was not read again" for name, of in records.repeated.items()}
    described = [f"{each.name}: {each.described()}{again.get(each.name, '')}" for each in opened]
    yield Metadata(values={"volume": told.name, "loadfiles": described})
    if data := normalised.made():
        yield Artifact(kind=ArtifactKind.LOAD_FILE, data=data, media_type="text/plain", amount=normalised.rows)


def _unnamed(place: int, locator: str, path: str, sha256: str, why: str) -> Piece:
    if not sha256:
        return Lost(locator=locator, name=path, outcome=Outcome.INVALID_FILE, detail=why or "it could not be read")
    note: dict[str, MetaValue] = {"volume_path": path, "loadfile_named": False}
    return Child(locator=locator, name=path.rpartition("/")[2], data=GivenPart(place), metadata=note)


def _of_files(inventory: Inventory, load_files: int, unnamed: int) -> dict[str, int]:
    return {
        "volume_files": len(inventory.files),
        "volume_load_files": load_files,
        "volume_files_named": len(inventory.files) - load_files - unnamed,
        "volume_files_not_named": unnamed,
        "volume_paths": inventory.asked,
        "volume_paths_found": inventory.found,
        "volume_paths_missing": inventory.asked - inventory.found,
    }


def _load_files(
    source: Source, scratch: Path, options: Options, told: Told, document: bytes
) -> tuple[list[LoadFile], list[Trouble]]:
    """Those that are load files; records before pages."""
    read, troubles = list[LoadFile](), list[Trouble]()
    for number, part in enumerate(read_header(document).parts, 1):
        try:
            read.append(LoadFile(part.name, PartSource(source, options, number, scratch).chunks, told.mapping))
        except BadInput as error:
            detail = f"{part.name} is not read as a load file: {error}"
            troubles.append(Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail))
    opened = [each for each in read if told.files or each.is_one()] or [each for each in read if each.could_be_one()]
    return sorted(opened, key=lambda each: (each.has_pages, each.name)), troubles
