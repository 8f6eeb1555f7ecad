"""Handler for whatever has text and no better renderer: its extracted text, on pages. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.render.typeset import Fields, typeset

SPEC = spec_of("text-pdf")


def probe(_head: bytes) -> bool:
    """What it is given is text that was extracted, of a document of any type."""
    return True


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    yield from pages_of(source, scratch)


def pages_of(source: Source, scratch: Path, fields: Fields = ()) -> Iterator[Piece]:
    """Form feeds begin pages. A text of thousands of pages ends with a note. `fields` stand above it."""
    made = typeset(source.read().decode("utf-8", "replace"), scratch, fields)
    if made.left_out:
        yield Trouble(code=Code.LIMIT_REACHED, detail=made.left_out, partial=False)
    yield Artifact(kind=ArtifactKind.PDF, data=made.pdf, media_type="application/pdf", amount=made.pages)
