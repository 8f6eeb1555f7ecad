"""Files attached to a PDF, by its name tree and by notes on pages. Called by the PDF handler in a child."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.handlers.documents.embedded import Embedded
from redwell.handlers.documents.pdf_opening import PDF_ERRORS

_MOST_NODES = 100_000


def attached(pdf: Any) -> list[Embedded]:
    """Each file once, those of the name tree first; a locator is the place in that order."""
    found: list[Embedded] = []
    seen: set[tuple[int, int]] = set()
    for name, spec in (*_tree_files(pdf), *_note_files(pdf)):
        stream = _stream(spec)
        if stream is None or (stream.is_indirect and stream.objgen in seen):
            continue
        seen.add(stream.objgen)
        label = _file_name(spec) or name or f"attachment {len(found) + 1}"
        found.append(Embedded(f"ef:{len(found)}", label, partial(_taken, label, stream)))
    return found


def locked(pages: Any) -> list[Embedded]:
    """The files that pdfium lists in a PDF whose attachments alone are encrypted."""
    return [Embedded(f"ef:{index}", _listed_name(pages, index), _refused) for index in range(pages.count_attachments())]


def _listed_name(pages: Any, index: int) -> str:
    import pypdfium2

    try:
        return str(pages.get_attachment(index).get_name())
    except pypdfium2.PdfiumError:
        return f"attachment {index + 1}"


def _refused() -> tuple[str, bytes]:
    raise PasswordProtected("the attached file is encrypted")


def _tree_files(pdf: Any) -> Iterator[tuple[str, Any]]:
    names = pdf.Root.get("/Names")
    tree = names.get("/EmbeddedFiles") if hasattr(names, "keys") else None
    waiting = [tree] if tree is not None else []
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node = waiting.pop(0)
        if not hasattr(node, "keys"):
            continue
        pairs = list(node.get("/Names", []))
        yield from ((_said(name), spec) for name, spec in zip(pairs[::2], pairs[1::2], strict=False))
        waiting = list(node.get("/Kids", [])) + waiting


def _note_files(pdf: Any) -> Iterator[tuple[str, Any]]:
    for page in pdf.pages:
        for note in page.obj.get("/Annots", []):
            if hasattr(note, "keys") and str(note.get("/Subtype", "")) == "/FileAttachment" and "/FS" in note:
                yield "", note["/FS"]


def _stream(spec: Any) -> Any:
    """The bytes of a file specification; the forms for old systems stand for the same file."""
    files: Any = spec.get("/EF") if hasattr(spec, "keys") else None
    if files is None or not hasattr(files, "keys"):
        return None
    forms = (files.get(key) for key in ("/UF", "/F", "/Unix", "/Mac", "/DOS"))
    return next((form for form in forms if hasattr(form, "read_bytes")), None)


def _file_name(spec: Any) -> str:
    names = (_said(spec.get(key)) for key in ("/UF", "/F", "/Unix", "/Mac", "/DOS"))
    name = next((name for name in names if name), "")
    return name.replace("\\", "/").rpartition("/")[2]


def _said(value: Any) -> str:
    return str(value).strip("\0 ") if value is not None and not hasattr(value, "keys") else ""


def _taken(name: str, stream: Any) -> tuple[str, bytes]:
    import pikepdf

    try:
        return name, bytes(stream.read_bytes())
    except (pikepdf.PikepdfError, *PDF_ERRORS) as error:
        raise InvalidFile(f"the attached file is damaged: {type(error).__name__}") from None
