"""Saved web pages and documents (MHTML): the text of the page, its pictures and styles inline. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, Source
from redwell.handlers.mail import eml

SPEC = HandlerSpec(name="mhtml", media_types=frozenset(("multipart/related",)), version=2, kind="document")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """A page is packed as mail is; what would be the subject is its title."""
    for piece in eml.extract(source, scratch, options):
        yield piece
        if isinstance(piece, Metadata) and "subject" in piece.values:
            yield Metadata(values={"title": piece.values["subject"]})
