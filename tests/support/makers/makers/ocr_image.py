"""Every picture says the same."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options, Piece, Source
from redwell.core.work.renderers import spec_of

SPEC = replace(spec_of("ocr-image"), score=90)  # before the engines themselves


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    text = b"quokka on a picture\n"
    yield Artifact(kind=ArtifactKind.OCR_TEXT, data=text, media_type="text/plain", number=1, amount=len(text))
