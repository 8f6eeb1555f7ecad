"""Handler for documents that no engine could show as they look: their extracted text, on pages that say so.

Runs in a child.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import Options, Piece, Source
from redwell.core.work.renderers import spec_of
from redwell.handlers.render.text_pdf import pages_of

SPEC = spec_of("words-pdf")
_SAID = (("Shown here", "the text of the document alone: it could not be rendered as it looks"),)


def probe(_head: bytes) -> bool:
    """What it is given is text that was extracted, of a document of any type."""
    return True


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    yield from pages_of(source, scratch, _SAID)
