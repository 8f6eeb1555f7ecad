"""Handler that joins the parts of a document, which were made of ranges of its pages, into one PDF. Runs in a child."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import InvalidFile
from redwell.core.handler import Artifact, Options, Piece, Source
from redwell.core.work.renderers import spec_of
from redwell.handlers.render.pdf_mending import PDF_ERRORS

SPEC = spec_of("combined-pdf")
_CHUNK = 1 << 20


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The source is one part behind the other; the volumes say how long each is."""
    import pikepdf

    target = scratch / "combined.pdf"
    try:
        with source.open() as file, ExitStack() as opened, pikepdf.new() as whole:
            for volume in options.volumes:
                part = _taken(file, volume.size, scratch / f"part-{volume.number}.pdf")
                whole.pages.extend(opened.enter_context(pikepdf.open(part)).pages)
            pages = len(whole.pages)
            whole.save(target, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    except (pikepdf.PikepdfError, *PDF_ERRORS) as error:
        # without its words, which name a folder of this run
        raise InvalidFile(f"its parts can't be joined: {type(error).__name__}") from None
    yield Artifact(kind=ArtifactKind.SEARCHABLE_PDF, data=target, media_type="application/pdf", amount=pages)


def _taken(file: BinaryIO, length: int, target: Path) -> Path:
    with target.open("wb") as out:
        while length and (chunk := file.read(min(length, _CHUNK))):
            out.write(chunk)
            length -= len(chunk)
    return target
