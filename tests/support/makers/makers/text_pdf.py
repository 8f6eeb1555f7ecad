"""The extracted text, and a line that says it is a PDF."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import InvalidFile
from redwell.core.handler import Artifact, Options, Piece, Source
from redwell.core.work.renderers import spec_of

SPEC = replace(spec_of("text-pdf"), score=90)  # before the engines themselves


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    text = source.read()
    if b"no pdf" in text:
        raise InvalidFile("it says so itself")
    data = b"%PDF-1.7 STUB\ntext: " + text.replace(b"\n", b" ") + b"\n"
    yield Artifact(kind=ArtifactKind.PDF, data=data, media_type="application/pdf", amount=1)
