"""Merges into a PDF's pages whatever lies on top of them, and takes out what acts or can be edited. In a child.

pdfium draws annotations, form fields and signatures into the page; pikepdf removes what is left of them.
"""

import io
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from redwell.core.errors import InvalidFile
from redwell.handlers.render.pdf_mending import PDF_ERRORS

_OF_THE_FILE = {
    "/AcroForm": "form fields",
    "/OpenAction": "actions",
    "/AA": "actions",
    "/AF": "attached files",
    "/Perms": "signatures",
    "/DSS": "signatures",
    "/Collection": "attached files",
}
_OF_NAMES = {"/JavaScript": "actions", "/EmbeddedFiles": "attached files"}
_LEADING = ("/GoTo", "/Named")  # actions that only turn pages
_UNSEEN = ("/Link", "/Popup")
_ACTING = ("/AA", "/JS", "/OpenAction", "/XFA", "/AF")


class Alive(NamedTuple):
    """What can be edited, acts or is attached.

    `is_drawn`: some of it has a look, and is drawn into its page. `is_placeholder`: what the pages show is not what the
    file is about.
    """

    names: tuple[str, ...]
    is_drawn: bool = True
    is_placeholder: bool = False


def alive_in(path: Path) -> Alive:
    import pikepdf

    try:
        with warnings.catch_warnings(action="ignore"), pikepdf.open(path) as document:
            form = _dictionary(document.Root.get("/AcroForm"))
            is_placeholder = "/XFA" in form and not len(form.get("/Fields") or [])
            names = tuple(sorted({*_in_file(document), *_in_objects(document)}))
            return Alive(names, any(_are_drawn(page) for page in document.pages), is_placeholder)
    except (pikepdf.PikepdfError, *PDF_ERRORS):
        return Alive(("annotations",))  # nobody can tell: it is flattened as far as that goes


def _in_file(document: Any) -> Iterator[str]:
    yield from (what for key, what in _OF_THE_FILE.items() if key in document.Root)
    names = _dictionary(document.Root.get("/Names"))
    yield from (what for key, what in _OF_NAMES.items() if key in names)
    if any(len(page.obj.get("/Annots") or []) for page in document.pages):
        yield "annotations"


def _in_objects(document: Any) -> Iterator[str]:
    import pikepdf

    for found in document.objects:
        if isinstance(found, pikepdf.Dictionary) and ("/AA" in found or _acts(found.get("/A"))):
            yield "actions"
            return


def _are_drawn(page: Any) -> bool:
    """Whether any annotation of the page is more than a place to click at."""
    return any(str(each.get("/Subtype")) not in _UNSEEN for each in page.obj.get("/Annots") or [])


def flattened(path: Path, target: Path, *, is_drawn: bool = True) -> Path:
    """The copy, at `target`; the same file gives the same bytes."""
    import pikepdf

    try:
        with warnings.catch_warnings(action="ignore"), pikepdf.open(_merged(path) if is_drawn else path) as document:
            _strip(document)
            document.save(
                target,
                encryption=False,
                deterministic_id=True,
                object_stream_mode=pikepdf.ObjectStreamMode.generate,
            )
    except (pikepdf.PikepdfError, *PDF_ERRORS) as error:
        raise InvalidFile(f"it cannot be flattened: {type(error).__name__}: {error}") from None
    return target


def _merged(path: Path) -> io.BytesIO:
    """With what pdfium shows above a page drawn into it. A form's fields get their looks when it is set up."""
    import pypdfium2
    from pypdfium2 import raw

    document = pypdfium2.PdfDocument(path)
    try:
        document.init_forms()
        for index in range(len(document)):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                continue  # it shows nothing in the native either
            raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)
            page.close()
        out = io.BytesIO()
        document.save(out, flags=raw.FPDF_REMOVE_SECURITY)
        return out
    finally:
        document.close()


def _strip(document: Any) -> None:
    import pikepdf

    names = _dictionary(document.Root.get("/Names"))
    for holder, keys in ((document.Root, _OF_THE_FILE), (names, _OF_NAMES)):
        _remove(holder, keys)
    for page in document.pages:
        _remove(page.obj, ("/Annots",))
    for found in document.objects:
        if isinstance(found, pikepdf.Dictionary):
            _make_inert(found)


def _make_inert(found: Any) -> None:
    _remove(found, _ACTING)
    if _acts(found.get("/A")):
        _remove(found, ("/A",))


def _remove(holder: Any, keys: Iterable[str]) -> None:
    for key in keys:
        if key in holder:
            del holder[key]


def _acts(action: Any) -> bool:
    """Whether it does more than turn to a page: starts a program, runs a script, sends or opens something."""
    import pikepdf

    return isinstance(action, pikepdf.Dictionary) and "/S" in action and str(action.S) not in _LEADING


def _dictionary(value: Any) -> Any:
    import pikepdf

    return value if isinstance(value, pikepdf.Dictionary) else pikepdf.Dictionary()
