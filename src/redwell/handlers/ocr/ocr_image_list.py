"""Handler that reads the pages of a TIFF; a fax or a scanner may have put hundreds into one file. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import Options, Piece, Source
from redwell.core.work.renderers import spec_of
from redwell.handlers.ocr.picture_pages import PicturePages

SPEC = spec_of("ocr-image-list")
_LAST = 1_000_000


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The pages of the range that is asked for."""
    numbers = range(options.first_page, (options.last_page or _LAST) + 1)
    yield from PicturePages(options).pieces(source, numbers, scratch)
