"""Handler that reads the pictures inside an Office document, where somebody asks for it. Runs in a child.

They have no place on a page that is known here, so that their words have none either; a failure is a warning.
"""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import BadInput
from redwell.core.handler import Artifact, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.ocr.page_pieces import TEXT_TYPE
from redwell.handlers.ocr.picture_reading import as_shown, read
from redwell.handlers.ocr.recognition import Reading, Recogniser
from redwell.handlers.office import office_art
from redwell.handlers.office.pictures import of_package
from redwell.handlers.structures.embedded import OLE_MAGIC, Embedded
from redwell.handlers.structures.ole import Compound
from redwell.handlers.structures.pictures.picture_opening import PILLOW_ERRORS, open_picture
from redwell.handlers.structures.zip_package import Package
from redwell.handlers.word import rtf_pictures

SPEC = spec_of("ocr-inline")
_DRAWINGS = frozenset({"emf", "wmf", "pict", "svg", "wdp"})  # Pillow has no pixels of them


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The text of each picture that has words, numbered as they are stored."""
    reader = Recogniser(options)
    with source.open() as file:
        for number, found in enumerate(_pictures(file, replace(options, embedded_images=1)), 1):
            if found.name.rpartition(".")[2].lower() not in _DRAWINGS:
                yield from _pieces(reader, found, number)


def _pieces(reader: Recogniser, found: Embedded, number: int) -> Iterator[Piece]:
    try:
        reading = _read(reader, found)
    except (BadInput, *PILLOW_ERRORS) as error:
        detail = f"{found.name}: {type(error).__name__}: {error}"
        yield Trouble(code=Code.OCR_FAILED, detail=detail, partial=False)
        return
    if reading.says_something:
        yield Artifact(
            kind=ArtifactKind.OCR_TEXT,
            data=reading.text.encode(),
            media_type=TEXT_TYPE,
            number=number,
            amount=len(reading.words),
            figures=reading.figures() | {"name": found.name},
        )


def _read(reader: Recogniser, found: Embedded) -> Reading:
    _, data = found.take()
    with open_picture(io.BytesIO(data)) as picture:
        return read(reader, as_shown(picture))


def _pictures(file: BinaryIO, options: Options) -> list[Embedded]:
    head = file.read(8)
    file.seek(0)
    if head.startswith(OLE_MAGIC):
        return office_art.pictures(Compound(file), options)
    if head.startswith(b"PK"):
        return of_package(Package(file, options), options)
    return rtf_pictures.pictures(file.read(), options)
