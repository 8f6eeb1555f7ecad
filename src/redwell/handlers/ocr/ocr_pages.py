"""Handler that reads the pages of a PDF which are pictures of text. Runs in a child of the ocr profile."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import TooLarge
from redwell.core.handler import Artifact, Options, Pages, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.ocr.page_pieces import beside, nothing_read, page_pieces, partly_unread
from redwell.handlers.ocr.page_rendering import only_pictures, rendered
from redwell.handlers.ocr.recognition import Reading, Recogniser
from redwell.handlers.ocr.searchable import SearchablePdf
from redwell.handlers.pdf.pdf_opening import OpenPdf
from redwell.handlers.structures.pages.page_drawing import PageJudge, pictures_of
from redwell.handlers.structures.pages.text_layer import Lack

SPEC = spec_of("ocr-pages")
_ALL = "all"


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Text and words of each page in the range that needs it, then the range as a PDF that can be searched."""
    reader = Recogniser(options)
    opened = OpenPdf(source, options.passwords)
    try:
        opened.pages.init_forms()
        yield Pages(count=len(opened.pages))
        yield from _Range(opened, reader, options).pieces(scratch)
    finally:
        opened.close()


class _Range:
    """The pages that this call is about, one at a time in memory."""

    def __init__(self, opened: OpenPdf, reader: Recogniser, options: Options) -> None:
        self._opened, self._reader, self._options = opened, reader, options
        count = len(opened.pages)
        self.numbers = range(max(1, options.first_page), min(options.last_page or count, count) + 1)
        self._judge = PageJudge()
        self._readings: dict[int, Reading] = {}
        self._has_text = False  # of its own, on a page that lacks nothing
        self._tried = 0
        self._unread: list[int] = []  # of which a good part was not read

    def pieces(self, scratch: Path) -> Iterator[Piece]:
        for number in self.numbers:
            yield from self._page(number)
        if self._readings or self._options.last_page:  # of a document in ranges each has its part of the whole
            yield from self._searchable(scratch)
        if self._tried and not self._readings and not self._has_text:
            yield nothing_read(self._tried, self._options)
        if self._unread:
            yield partly_unread(self._unread)

    def _page(self, number: int) -> Iterator[Piece]:
        from pypdfium2 import PdfiumError

        try:
            page = self._opened.pages[number - 1]
        except PdfiumError as error:
            yield Trouble(code=Code.OCR_FAILED, detail=f"page {number}: {error}")
            return
        try:
            yield from self._read(page, number)
        except (PdfiumError, TooLarge) as error:
            yield Trouble(code=Code.OCR_FAILED, detail=f"page {number}: {error}")
        finally:
            page.close()

    def _read(self, page: Any, number: int) -> Iterator[Piece]:
        words = page.get_textpage()
        try:
            text = words.get_text_range()
            lack = self._judge.lack(page, words, text)
            if lack is None:
                self._has_text = self._has_text or bool(text.strip())
                if not self._options.ocr_all:
                    return
            picture, dpi = rendered(page, self._options.ocr_dpi)
            if lack is Lack.PICTURES and not self._options.ocr_all:
                picture = only_pictures(page, words, picture, pictures_of(page))
        finally:
            words.close()
        reading = self._reader.page(picture, dpi)
        self._tried += not reading.is_blank
        if lack and reading.is_partly_unread:
            self._unread.append(number)
        if lack and reading.says_something:  # a page with a layer of its own can be searched already
            self._readings[number] = replace(reading, cleaned=None)  # a picture a page would fill the memory
        shown = reading if lack else beside(reading, text)
        yield from page_pieces(shown, number, page.get_size(), str(lack or _ALL))

    def _searchable(self, scratch: Path) -> Iterator[Piece]:
        """None of a file that only pdfium opens."""
        if self._opened.structure is None:
            return
        made = SearchablePdf.of_pages(self._opened.structure, self.numbers)
        for number, reading in self._readings.items():
            made.add(number - self.numbers.start, reading)
        first, last = self.numbers.start, self.numbers[-1]
        path = made.save(scratch / f"searchable-{first}.pdf")
        yield Artifact(
            kind=ArtifactKind.SEARCHABLE_PDF,
            data=path,
            media_type="application/pdf",
            number=first,
            last=last,
            amount=len(self.numbers),
        )
