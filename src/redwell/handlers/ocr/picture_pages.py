"""Reads the pictures of a file as pages, one at a time. Called by the handlers of pictures, in the child."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import InvalidFile
from redwell.core.handler import Artifact, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.ocr.page_pieces import nothing_read, page_pieces, partly_unread
from redwell.handlers.ocr.picture_reading import Shown, as_shown, read
from redwell.handlers.ocr.recognition import Recogniser
from redwell.handlers.ocr.searchable import SearchablePdf
from redwell.handlers.structures.pictures.picture_opening import PILLOW_ERRORS, open_picture


class PicturePages:
    """The pictures of one file: what is read of them, and the PDF that can be searched."""

    def __init__(self, options: Options) -> None:
        self._reader = Recogniser(options)
        self._options = options
        self._pdf = SearchablePdf.empty()
        self._numbers: list[int] = []
        self._found = False
        self._pages = 0  # that look as if they had text
        self._in_shadow = 0  # that may have some
        self._unread: list[int] = []  # of which a good part was not read

    def pieces(self, source: Source, numbers: range, scratch: Path) -> Iterator[Piece]:
        """Of the frames with these numbers, counted from 1, as far as there are so many."""
        try:
            with source.open() as file, open_picture(file) as picture:
                for number in range(max(1, numbers.start), min(numbers.stop, getattr(picture, "n_frames", 1) + 1)):
                    yield from self._frame(picture, number)
        except PILLOW_ERRORS as error:
            reason = f"Pillow: {type(error).__name__}: {error}"
            if not self._numbers:
                raise InvalidFile(reason) from None
            yield Trouble(code=Code.OCR_FAILED, detail=f"behind page {self._numbers[-1]}: {reason}")
        yield from self.end(scratch)

    def _frame(self, picture: Any, number: int) -> Iterator[Piece]:
        if number > 1:
            picture.seek(number - 1)
        yield from self.page(as_shown(picture), number)

    def page(self, shown: Shown, number: int) -> Iterator[Piece]:
        reading = read(self._reader, shown)
        self._pdf.append_picture(shown.picture, shown.dpi, self._options.compression)
        self._numbers.append(number)
        self._pages += shown.is_page
        self._in_shadow += shown.in_shadow
        if reading.is_partly_unread:
            self._unread.append(number)
        if reading.says_something:
            self._found = True
            self._pdf.add(len(self._numbers) - 1, reading)
        yield from page_pieces(reading, number, shown.points)

    def end(self, scratch: Path) -> Iterator[Piece]:
        """A photograph without words is fine; a page without words is not, and what may be one in shadow is told."""
        if self._found:
            first, last = self._numbers[0], self._numbers[-1]
            yield Artifact(
                kind=ArtifactKind.SEARCHABLE_PDF,
                data=self._pdf.save(scratch / f"searchable-{first}.pdf"),
                media_type="application/pdf",
                number=first,
                last=last,
                amount=len(self._numbers),
            )
            if self._unread:
                yield partly_unread(self._unread)
        elif self._pages or self._in_shadow:
            yield nothing_read(self._pages or self._in_shadow, self._options, is_sure=bool(self._pages))
