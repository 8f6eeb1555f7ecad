"""Handler for PDF: pdfium reads the pages, pikepdf everything else. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Pages, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.pdf.pdf_files import attached, locked
from redwell.handlers.pdf.pdf_forms import words_off_pages
from redwell.handlers.pdf.pdf_opening import PDF_ERRORS, OpenPdf
from redwell.handlers.pdf.pdf_page_text import text_of
from redwell.handlers.pdf.pdf_pictures import pictures
from redwell.handlers.pdf.pdf_properties import properties, shown_by
from redwell.handlers.pdf.pdf_signatures import signature_metadata
from redwell.handlers.pdf.transcript_pages import transcript_facts
from redwell.handlers.structures.embedded import children
from redwell.handlers.structures.package_parts import flags
from redwell.handlers.structures.pages.page_drawing import PageJudge
from redwell.handlers.structures.pages.text_layer import Lack, told

SPEC = HandlerSpec(name="pdf", media_types=frozenset({"application/pdf"}), version=8, kind="pdf")
_KEPT_CHARS = 4_000_000  # as much text is kept to see whether a form's values are already in it


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Text page by page, what the pages' text lacks, the file's own fields, and attached files."""
    opened = OpenPdf(source, options.passwords)
    try:
        yield from opened.troubles
        yield Pages(count=len(opened.pages))
        said = _Said()
        for piece in _page_texts(opened.pages):
            if isinstance(piece, Text):
                said.add(piece.text)
            yield piece
        yield Metadata(values={"text_layer": said.anything})
        if opened.structure is not None:
            yield from _structure(opened.structure, said, options)
        else:
            yield Metadata(values=shown_by(opened.pages))
            yield from children(locked(opened.pages), options)
    finally:
        opened.close()


class _Said:
    """The beginning of the pages' text, to compare other words with."""

    def __init__(self) -> None:
        self.anything = False
        self._texts: list[str] = []
        self._chars = 0

    def add(self, text: str) -> None:
        self.anything = self.anything or not text.isspace()
        if self._chars < _KEPT_CHARS:
            self._texts.append(text)
            self._chars += len(text)

    def of_transcript(self) -> dict[str, MetaValue]:
        return transcript_facts("".join(self._texts))

    def lacks(self, texts: list[str]) -> list[str]:
        """Those that the pages do not say, each once; white space does not count."""
        whole = "".join("".join(self._texts).split()) if texts else ""
        return [text for text in dict.fromkeys(texts) if "".join(text.split()) not in whole]


def _page_texts(pages: Any) -> Iterator[Piece]:
    """One page's text at a time, each page closed before the next; form feeds stand between pages."""
    import pypdfium2

    unreadable, lacking, judge = [], {}, PageJudge()
    for index in range(len(pages)):
        text = ""
        try:
            text, lack = _page_text(pages, index, judge)
            if lack is not None:
                lacking[index + 1] = lack
        except pypdfium2.PdfiumError:
            unreadable.append(str(index + 1))
        yield Text(text=text + ("\n\f" if index + 1 < len(pages) else "\n"))
    if unreadable:
        yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=f"no text of page {', '.join(unreadable[:20])}")
    if lacking:
        yield Trouble(code=Code.OCR_PENDING, detail=told(lacking, len(pages)), partial=False)


def _page_text(pages: Any, index: int, judge: PageJudge) -> tuple[str, Lack | None]:
    """With why it is not all that the page says."""
    page = pages[index]
    try:
        words = page.get_textpage()
        text = text_of(words)
        lack = judge.lack(page, words, text)
        words.close()
    finally:
        page.close()
    return text, lack


def _layer_fields(layers: list[str], hidden: list[str]) -> dict[str, MetaValue]:
    fields: dict[str, MetaValue] = {"layers": layers} if layers else {}
    return fields | ({"has_hidden": True, "hidden_layers": hidden} if hidden else {})


def _structure(pdf: Any, said: _Said, options: Options) -> Iterator[Piece]:
    """What pikepdf knows; a damaged part of the structure costs that part."""
    import pikepdf

    damages = (pikepdf.PikepdfError, *PDF_ERRORS)
    values: dict[str, MetaValue] = {"encrypted": True} if pdf.is_encrypted else {}
    try:
        values |= said.of_transcript() | properties(pdf)
        found = words_off_pages(pdf)
        yield Text(text="".join(f"{text}\n" for text in said.lacks(found.texts)))
        values |= flags({"has_form": found.has_form, "has_xfa": found.has_xfa, "has_comments": found.has_comments})
        values |= signature_metadata(found.signatures)
        values |= _layer_fields(found.layers, found.hidden_layers)
    except damages as error:
        yield Trouble(code=Code.METADATA_UNAVAILABLE, detail=f"{type(error).__name__}: {error}", partial=False)
    yield Metadata(values=values)
    try:
        files = [*attached(pdf), *pictures(pdf, options)]
    except damages as error:
        yield Trouble(code=Code.MEMBER_FAILED, detail=f"the list of attached files is damaged: {error}")
        return
    yield from children(files, options)
