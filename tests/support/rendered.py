"""What a renderer makes of one document, in this process, and what stands on the pages of a PDF."""

from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pypdfium2
from tests.support.pieces import FileSource

from redwell.core.errors import BadInput
from redwell.core.handler import Artifact, Options, Trouble
from redwell.handlers.detect.detect import detect


@dataclass
class Rendered:
    made: dict[str, bytes] = field(default_factory=dict)  # by kind of artifact
    pages: dict[str, int] = field(default_factory=dict)  # as the renderer counts them
    figures: dict[str, Any] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    error: BadInput | None = None

    @property
    def pdf(self) -> bytes:
        assert not self.error, self.error
        return self.made["pdf"]


def render(renderer: ModuleType, data: bytes, scratch: Path, *, name: str = "sample", **options: Any) -> Rendered:
    scratch.mkdir(exist_ok=True)
    source = FileSource(data, scratch)
    media_type = options.pop("media_type", None) or detect(source.open, source.size, name)
    found = Rendered()
    try:
        for piece in renderer.extract(source, scratch, Options(name=name, media_type=media_type, **options)):
            if isinstance(piece, Trouble):
                found.troubles.append(piece)
                continue
            assert isinstance(piece, Artifact), piece
            kind = str(piece.kind)
            found.made[kind] = piece.data.read_bytes() if isinstance(piece.data, Path) else bytes(piece.data)
            found.pages[kind], found.figures = piece.amount, dict(piece.figures) or found.figures
            assert piece.media_type == "application/pdf"
    except BadInput as error:
        found.error = error
    return found


def page_texts(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def text_of(pdf: bytes) -> str:
    """Of all pages, with single spaces."""
    return " ".join(" ".join(page_texts(pdf)).split())


def picture_of(pdf: bytes, page: int = 0, scale: float = 1) -> Any:
    """A PIL image of the page, as it is shown on a screen."""
    document = pypdfium2.PdfDocument(pdf)
    document.init_forms()
    try:
        return document[page].render(scale=scale).to_pil().convert("RGB")
    finally:
        document.close()


def page_size(pdf: bytes, page: int = 0) -> tuple[int, int]:
    """In points."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return tuple(round(side) for side in document[page].get_size())  # type: ignore[return-value]
    finally:
        document.close()
