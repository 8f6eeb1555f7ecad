"""Handler that reads the words of a picture. Runs in a child of the ocr profile."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import Options, Piece, Source
from redwell.core.work.renderers import spec_of
from redwell.handlers.ocr.picture_pages import PicturePages

SPEC = spec_of("ocr-image")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Of an animation the first picture."""
    yield from PicturePages(options).pieces(source, range(1, 2), scratch)
