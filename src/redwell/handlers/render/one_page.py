"""Handler that draws one page of a PDF for somebody who waits for it, with its words. Runs in a child.

It is asked for by name, by the server's own children; nobody else takes its work.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import InvalidFile
from redwell.core.handler import Artifact, HandlerSpec, Options, Pages, Piece, Source
from redwell.core.work.kinds import TaskType
from redwell.core.work.renderers import ONE_PAGE
from redwell.handlers.pdf.pdf_opening import OpenPdf
from redwell.handlers.render.page_images import drawn_page

SPEC = HandlerSpec(
    name=ONE_PAGE, media_types=frozenset({"application/pdf"}), task=TaskType.RENDER_PAGE_IMAGES, version=1
)
_FEW = 200  # pages: to look into all of them first, for fonts that lack letters, takes no time that anybody feels


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """`Options.first_page`; a PDF of many pages as pdfium opens it, without a look at the others."""
    from pypdfium2 import PdfiumError

    with closing(_opened(source, options)) as opened:
        opened.pages.init_forms()
        yield Pages(count=len(opened.pages))
        try:
            page = opened.pages[options.first_page - 1]
        except (PdfiumError, IndexError) as error:
            raise InvalidFile(f"page {options.first_page} can't be drawn: {error}") from None
        with closing(page):
            yield from (each for each in drawn_page(page, options.first_page, options.page_dpi) if _is_shown(each))


def _is_shown(piece: Piece) -> bool:
    return isinstance(piece, Artifact) and piece.kind in (ArtifactKind.PAGE_IMAGE, ArtifactKind.WORD_BOXES)


@dataclass(frozen=True, slots=True)
class _Plain:
    pages: Any

    def close(self) -> None:
        self.pages.close()


def _opened(source: Source, options: Options) -> _Plain | OpenPdf:
    import pypdfium2

    try:
        plain = pypdfium2.PdfDocument(source.path())
    except pypdfium2.PdfiumError:
        return OpenPdf(source, options.passwords)
    if len(plain) > _FEW:
        return _Plain(plain)
    plain.close()
    return OpenPdf(source, options.passwords)
