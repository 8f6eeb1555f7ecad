"""A PDF is its own PDF."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from makers.scan import pages_of
from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options, Piece, Source
from redwell.core.work.renderers import spec_of

SPEC = replace(spec_of("native-pdf"), score=90)  # before the engines themselves


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    data = source.read()
    count = len(pages_of(data))
    yield Artifact(kind=ArtifactKind.PDF, data=data, media_type="application/pdf", amount=count)
    yield Artifact(kind=ArtifactKind.FLATTENED_PDF, data=data + b"% flat\n", media_type="application/pdf", amount=count)
