"""Handler for locked Office files since 2007, which tell what they are when a password has opened them. In a child."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from redwell.core.errors import BadInput, Unsupported
from redwell.core.handler import Document, Options, Piece, Source
from redwell.core.work.renderers import SHEETS, spec_of
from redwell.handlers.office import ooxml
from redwell.handlers.office.decryption import decrypted
from redwell.handlers.render.office import office_pdf, sheets_pdf
from redwell.handlers.structures.made_source import MadeSource
from redwell.handlers.structures.zip_package import Package

SPEC = spec_of("locked-pdf")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """As the document inside is shown; `PasswordProtected` where no password fits."""
    with source.open() as file:
        clear = MadeSource([decrypted(file, options.passwords).read()], scratch / "clear")
    with clear.open() as package:
        media_type = ooxml.media_type(ooxml.main_content_type(Package(package, options)))
    if media_type is None:
        raise Unsupported("nothing shows what is in this encrypted package")
    inside = Document(source=clear, options=replace(options, media_type=media_type))
    shown_by = sheets_pdf if media_type in SHEETS else office_pdf
    for _, piece in shown_by.extract_many([inside], scratch):
        if isinstance(piece, BadInput):
            raise piece
        yield piece
