"""A record of a load file: its fields, the text and pages that were given, and its native. Runs in a child.

What was given is not made again: the native is read only where no text came with it, or where that was asked for.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import Unsupported
from redwell.core.handler import (
    Artifact,
    Child,
    GivenPart,
    HandlerSpec,
    Metadata,
    MetaValue,
    Opening,
    Options,
    Pages,
    Piece,
    Source,
    StandsFor,
    Text,
    Trouble,
    pending,
)
from redwell.core.loadfiles.assembly import MEDIA_TYPES, NATIVE, RECORD, TEXT, Part
from redwell.core.loadfiles.records.record_document import RecordBody, page_list, read_record
from redwell.core.loadfiles.records.record_fields import bates_of, metadata_of
from redwell.core.outcomes import Code
from redwell.handlers.structures.charset import encoding_of, usable
from redwell.handlers.structures.part_source import PartSource

SPEC = HandlerSpec(name="record", media_types=frozenset({MEDIA_TYPES[RECORD]}), score=60, kind="record", version=2)
_NOT_PARTIAL = "the row names no file"  # as releases before 2026-11 wrote it


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    if not options.volumes or not options.synthetic:
        raise Unsupported("it is a record of a load file, and no volume came with it")
    parts, body = read_record(PartSource(source, options, 0, scratch).read())
    numbers = {part.role: number for number, part in enumerate(parts, 1)}
    texts = [number for number, part in enumerate(parts, 1) if part.role == TEXT]
    yield Metadata(values=_told(body, parts), is_final=True)
    for code, detail in body.troubles:
        yield Trouble(code=Code(code), detail=detail, partial=detail != _NOT_PARTIAL)
    for code, detail in body.notes:
        yield Trouble(code=Code(code), detail=detail, partial=False)
    if body.pages:
        yield Pages(count=len(body.pages))
        yield Artifact(
            kind=ArtifactKind.PAGE_LIST,
            data=page_list(body.pages),
            media_type="application/json",
            amount=len(body.pages),
        )
    yield from _attached(body, options)
    has_text = (TEXT in numbers or bool(body.said)) and body.text == "given"
    if has_text:
        given = [_text(PartSource(source, options, number, scratch)) for number in texts]
        yield Text(text="\f".join(given) if given else usable(body.said))
    if NATIVE in numbers:
        native = PartSource(source, options, numbers[NATIVE], scratch)
        yield Artifact(kind=ArtifactKind.NATIVE, data=GivenPart(numbers[NATIVE]), media_type="application/octet-stream")
        name = parts[numbers[NATIVE] - 1].name.rpartition("/")[2]
        yield StandsFor(source=native, name=name, read=not has_text, unpack=body.unpack)
    elif body.pages and not has_text:
        yield Trouble(code=Code.OCR_PENDING, detail=f"{len(body.pages)} pages were given as pictures", partial=False)


def _told(body: RecordBody, parts: tuple[Part, ...]) -> dict[str, MetaValue]:
    values = metadata_of(body.values, body.others, body.dates)
    values |= {"loadfile": body.file, "loadfile_row": body.row, "record_id": body.id}
    if bates := bates_of(body.values):
        values["bates"] = bates
    elif body.pages and body.pages[0].key:
        first, last = body.pages[0].key, body.pages[-1].key
        values["bates"] = f"{first} - {last}" if last and last != first else first
    for part in parts:
        values[f"{part.role}_path"] = part.name
        if part.role == NATIVE:
            values["native_sha256"], values["native_size"] = part.sha256, part.size
    if body.text_by_name:
        values["text_by_name"] = True
    if body.pages:
        values["pages_given"] = len(body.pages)
    return values


def _attached(body: RecordBody, options: Options) -> Iterator[Piece]:
    records = {each.locator: each for each in body.attached}
    for locator in pending(records, options):
        each = records[locator]
        yield Opening(locator=locator, name=each.name)
        yield Child(locator=locator, name=each.name, data=each.encoded(), role="attached-record", hash_kind="synthetic")


def _text(source: PartSource) -> str:
    data = source.read()
    text = data.decode(encoding_of(data, ""), "replace").removeprefix("\ufeff")
    return usable(text.replace("\r\n", "\n").replace("\r", "\n"))
