"""What LibreOffice exports, put in order: notes behind their slides, comments on pages of their own. In a child.

It exports a page of notes for every slide, behind all of them and whether there are notes or not; and comments as
annotations, which no printout and no picture of a page shows.
"""

import io
import re
import warnings
from pathlib import Path
from typing import Any

from redwell.core.errors import InvalidFile
from redwell.handlers.render.pdf_mending import PDF_ERRORS
from redwell.handlers.render.typeset import typeset

_COMMENT = ("/Text", "/Popup")
_WORDS = re.compile(r"\w+")
_MOST_COMMENTS = 5_000


def finished(path: Path, scratch: Path, *, has_notes: bool) -> int:
    """The same file, finished; how many pages it has."""
    import pikepdf

    try:
        with (
            warnings.catch_warnings(action="ignore"),
            pikepdf.open(path, allow_overwriting_input=True) as document,
        ):
            comments = _taken_comments(document)
            if has_notes:
                _order_notes(document, path)
            if comments:
                _append(document, comments, scratch)
            _forget_when(document)
            document.save(path, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
            return len(document.pages)
    except (pikepdf.PikepdfError, *PDF_ERRORS) as error:
        raise InvalidFile(f"what LibreOffice made of it is no PDF: {type(error).__name__}: {error}") from None


def _taken_comments(document: Any) -> list[str]:
    """Whose they are and what they say, page by page; the annotations go."""
    import pikepdf

    found: list[str] = []
    for number, page in enumerate(document.pages, 1):
        annotations = page.obj.get("/Annots") or []
        comments = [each for each in annotations if str(each.get("/Subtype")) in _COMMENT]
        for each in comments:
            if str(each.get("/Subtype")) == "/Text" and len(found) < _MOST_COMMENTS:
                author, said = (str(each.get(key) or "").strip(" ,") for key in ("/T", "/Contents"))
                found.append(f"Page {number}{', ' + author if author else ''}:\n{said}\n")
        if comments:
            kept = [each for each in annotations if str(each.get("/Subtype")) not in _COMMENT]
            page.obj["/Annots"] = pikepdf.Array(kept)
    return found


def _append(document: Any, comments: list[str], scratch: Path) -> None:
    import pikepdf

    made = typeset("Comments\n\n" + "\n".join(comments), scratch)
    data = io.BytesIO(made.pdf) if isinstance(made.pdf, bytes) else made.pdf
    with pikepdf.open(data) as pages:
        document.pages.extend(pages.pages)


def _order_notes(document: Any, path: Path) -> None:
    """Slides first and then as many pages of notes: each goes behind its slide, or away where it says nothing more."""
    words = _words_of_pages(path)
    slides, odd = divmod(len(words), 2)
    if odd or not slides:
        return
    pages = list(document.pages)
    frame = set.intersection(*words[slides:]) if slides > 2 else set()  # what stands on every page of notes
    kept = []
    for slide in range(slides):
        kept.append(pages[slide])
        if any(not word.isdigit() for word in words[slides + slide] - words[slide] - frame):
            kept.append(pages[slides + slide])
    del document.pages[:]
    document.pages.extend(kept)


def _words_of_pages(path: Path) -> list[set[str]]:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        return [set(_WORDS.findall(page.get_textpage().get_text_range())) for page in document]
    except pypdfium2.PdfiumError as error:
        raise InvalidFile(f"what LibreOffice made of it has no pages: {error}") from None
    finally:
        document.close()


def _forget_when(document: Any) -> None:
    """The day of the rendition is no day of the document, and the same document shall give the same bytes."""
    for key in ("/CreationDate", "/ModDate"):
        if key in document.docinfo:
            del document.docinfo[key]
    if "/Metadata" in document.Root:
        del document.Root["/Metadata"]
