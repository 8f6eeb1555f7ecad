"""An image for each page of a stub PDF, which says what stands on it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from makers.scan import pages_of
from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options, Piece, Source
from redwell.core.work.renderers import spec_of

SPEC = replace(spec_of("page-images"), score=90)  # before the engines themselves


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    pages = pages_of(source.read())
    for number in range(options.first_page, (options.last_page or len(pages)) + 1):
        picture = f"PNG of {pages[number - 1]} at {options.page_dpi}".encode()
        yield Artifact(kind=ArtifactKind.PAGE_IMAGE, data=picture, media_type="image/png", number=number)
