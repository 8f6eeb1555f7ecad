"""Handler for spreadsheets: all that is in them, laid out to be read. Runs in a child of the office profile.

LibreOffice writes each as flat XML, which is rewritten and given back to it. Two calls of one process each, for a few
documents at a time, since the first of them waits for all.
"""

import io
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import Artifact, Document, Options, Piece, Trouble
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.engines import libreoffice
from redwell.handlers.render.office import office_pdf
from redwell.handlers.render.office.office_opening import opened
from redwell.handlers.render.office.office_pages import finished
from redwell.handlers.render.office.sheet_pages import Laid, lay_out
from redwell.handlers.render.typeset import typeset

SPEC = spec_of("sheets-pdf")
_TOGETHER = 5
_FLAT = "fods"
_TYPE = "application/pdf"
_NOT_OPENED = "LibreOffice does not open it: damaged, or of a kind that it can't read"
_AS_PRINTED = "shown as it would have been printed: hidden parts, and cells outside of print areas, are left out"
Given = dict[int, libreoffice.Document | BadInput]
Results = Generator[tuple[int, Piece | BadInput], None, None]


def extract_many(documents: Sequence[Document], scratch: Path) -> Results:
    """Documents in order, each with its PDF or why there is none."""
    if len(documents) == 1 and documents[0].options.plain:
        yield from _as_printed(documents, scratch)
        return
    for start in range(0, len(documents), _TOGETHER):
        for number, piece in _some(documents[start : start + _TOGETHER], scratch):
            yield start + number, piece


def _as_printed(documents: Sequence[Document], scratch: Path) -> Results:
    """What could not be laid out may be shown as its author would have printed it."""
    for number, piece in office_pdf.extract_many(documents, scratch):
        yield number, Trouble(code=Code.HANDLER_ERROR, detail=_AS_PRINTED, partial=False)
        yield number, piece


def _some(documents: Sequence[Document], scratch: Path) -> Results:
    given = opened(documents, scratch)
    laid = dict(_laid_out(given, documents, scratch))
    shown = [number for number, each in laid.items() if not each.is_empty]
    flat = [libreoffice.Document(_target(scratch, number), _FLAT) for number in shown]
    made = libreoffice.to_pdf(flat, scratch, documents[0].options.compression) if flat else iter(())
    for number, document in enumerate(documents):
        if number not in laid:
            refused = given[number]
            yield number, refused if isinstance(refused, BadInput) else InvalidFile(_NOT_OPENED)
            continue
        pdf = next(made)[1] if number in shown else None
        for piece in _pieces(pdf, laid[number], document.options, scratch):
            yield number, piece


def _laid_out(given: Given, documents: Sequence[Document], scratch: Path) -> Iterator[tuple[int, Laid]]:
    """Those that LibreOffice reads, rewritten at their targets."""
    whole = {number: each for number, each in given.items() if not isinstance(each, BadInput)}
    for place, flat in libreoffice.converted(list(whole.values()), scratch, _FLAT) if whole else ():
        if flat is not None:
            number = list(whole)[place]
            yield number, lay_out(flat, _target(scratch, number), documents[number].options.sheet_pages)
            flat.unlink()


def _target(scratch: Path, number: int) -> Path:
    return scratch / f"laid-out-{number}.{_FLAT}"


def _pieces(pdf: Path | None, laid: Laid, options: Options, scratch: Path) -> Iterator[Piece | BadInput]:
    if pdf is None and not laid.is_empty:
        yield InvalidFile("LibreOffice makes no PDF of it")
        return
    if pdf is None:
        pages, data = 1, typeset("The workbook has no cell with anything in it.", scratch).pdf
    else:
        pages, data = finished(pdf, scratch, has_notes=False), pdf
        if pages > options.sheet_pages or laid.rows_left_out:
            note = _note(min(pages, options.sheet_pages), laid)
            pages = _cut(pdf, options.sheet_pages, note, scratch)
            yield Trouble(code=Code.LIMIT_REACHED, detail=note, partial=False)
    yield Artifact(kind=ArtifactKind.PDF, data=data, media_type=_TYPE, amount=pages)


def _note(pages: int, laid: Laid) -> str:
    rows = f"; {laid.rows_left_out:,} rows or more are not shown" if laid.rows_left_out else ""
    return f"the PDF ends here, after {pages:,} pages (setting sheet_pages){rows}; the file itself is whole"


def _cut(pdf: Path, most: int, note: str, scratch: Path) -> int:
    import pikepdf

    said = typeset(f"{note[0].upper()}{note[1:]}.", scratch).pdf
    with (
        pikepdf.open(pdf, allow_overwriting_input=True) as document,
        pikepdf.open(io.BytesIO(said) if isinstance(said, bytes) else said) as last,
    ):
        del document.pages[most:]
        document.pages.extend(last.pages)
        document.save(pdf, deterministic_id=True)
        return len(document.pages)
