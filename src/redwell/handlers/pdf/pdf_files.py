"""Files attached to a PDF, by its name tree and by notes on pages. Called by the PDF handler in a child."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.handlers.pdf.pdf_objects import array, dictionary, is_stream, text
from redwell.handlers.pdf.pdf_opening import PDF_ERRORS
from redwell.handlers.structures.embedded import Embedded

_MOST_NODES = 100_000
_FORMS = ("/UF", "/F", "/Unix", "/Mac", "/DOS")  # of a name or of the bytes; they stand for the same file


def attached(pdf: Any) -> list[Embedded]:
    """Each file once, those of the name tree first; a locator is the place in that order."""
    found: list[Embedded] = []
    seen: set[tuple[int, int]] = set()
    for name, spec in (*_tree_files(pdf), *_note_files(pdf)):
        stream = next((form for key in _FORMS if is_stream(form := dictionary(spec.get("/EF")).get(key))), None)
        if stream is None or stream.objgen in seen:
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
    waiting = [dictionary(pdf.Root.get("/Names")).get("/EmbeddedFiles")]
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node = dictionary(waiting.pop(0))
        pairs = array(node.get("/Names"))
        yield from ((text(name), dictionary(spec)) for name, spec in zip(pairs[::2], pairs[1::2], strict=False))
        waiting = array(node.get("/Kids")) + waiting


def _note_files(pdf: Any) -> Iterator[tuple[str, Any]]:
    for page in pdf.pages:
        for note in array(page.obj.get("/Annots")):
            if str(dictionary(note).get("/Subtype", "")) == "/FileAttachment":
                yield "", dictionary(note.get("/FS"))


def _file_name(spec: Any) -> str:
    name = next((said for key in _FORMS if (said := text(spec.get(key)))), "")
    return name.replace("\\", "/").rpartition("/")[2]


def _taken(name: str, stream: Any) -> tuple[str, bytes]:
    import pikepdf

    try:
        return name, bytes(stream.read_bytes())
    except (pikepdf.PikepdfError, *PDF_ERRORS) as error:
        raise InvalidFile(f"the attached file is damaged: {type(error).__name__}") from None
