"""Whatever LibreOffice opens becomes a member of itself: its PDF."""

from collections.abc import Generator, Sequence
from pathlib import Path

from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import Child, Document, HandlerSpec, Piece
from redwell.handlers.engines import libreoffice

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
SPEC = HandlerSpec(name="to-pdf", media_types=frozenset({DOCX, "text/plain"}))


def extract_many(documents: Sequence[Document], scratch: Path) -> Generator[tuple[int, Piece | BadInput], None, None]:
    given = [libreoffice.Document(document.source.path(), "docx") for document in documents]
    for number, made in libreoffice.to_pdf(given, scratch):
        yield number, Child(locator="pdf", name="pdf", data=made) if made else InvalidFile("no PDF came of it")
