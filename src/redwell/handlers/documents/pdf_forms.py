"""Words of a PDF that its pages' text lacks: form values, annotations, XFA. Called by the PDF handler in a child."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from redwell.core.errors import InvalidFile
from redwell.handlers.documents.xml_text import leaves

_MOST_FIELDS = 50_000
_SILENT = {"/Link", "/Widget", "/Popup", "/FileAttachment"}  # their words are shown elsewhere, or are no words


@dataclass
class Beside:
    """What a PDF says outside its pages' text."""

    has_form: bool = False
    has_xfa: bool = False
    has_comments: bool = False
    texts: list[str] = field(default_factory=list)


def beside(pdf: Any) -> Beside:
    """Form values, XFA data and annotations, in this order."""
    found = Beside()
    form = pdf.Root.get("/AcroForm")
    if form is not None and hasattr(form, "keys"):
        found.has_form = True
        found.texts += _field_values(form)
        xfa = form.get("/XFA")
        if xfa is not None:
            found.has_xfa = True
            found.texts += _xfa_texts(xfa)
    notes = list(_notes(pdf))
    found.has_comments = bool(notes)
    found.texts += notes
    return found


def _field_values(form: Any) -> Iterator[str]:
    """Values of text and choice fields; a button's value is the name of a picture."""
    waiting = [(kid, "") for kid in _array(form.get("/Fields"))]
    for _ in range(_MOST_FIELDS):
        if not waiting:
            return
        node, kind = waiting.pop(0)
        if not hasattr(node, "keys"):
            continue
        kind = str(node.get("/FT", kind))
        value = node.get("/V")
        if value is not None and kind in ("/Tx", "/Ch"):
            yield from (text for item in _array(value) or [value] if (text := _text(item)))
        waiting += [(kid, kind) for kid in _array(node.get("/Kids"))]


def _notes(pdf: Any) -> Iterator[str]:
    for page in pdf.pages:
        for note in _array(page.obj.get("/Annots")):
            if hasattr(note, "keys") and str(note.get("/Subtype", "")) not in _SILENT:
                text, author = _text(note.get("/Contents")), _text(note.get("/T"))
                if text:
                    yield f"{author}: {text}" if author else text


def _xfa_texts(xfa: Any) -> Iterator[str]:
    """The filled-in data and the fixed words of an XFA form."""
    parts = _array(xfa)
    packets = {_text(name): stream for name, stream in zip(parts[::2], parts[1::2], strict=False)} or {"": xfa}
    for name, stream in packets.items():
        if name not in ("", "datasets", "template") or not hasattr(stream, "read_bytes"):
            continue
        try:
            found = leaves(io.BytesIO(stream.read_bytes()))
        except InvalidFile:
            continue  # the form's XML is broken; the fields' own values have been read
        for element, _, text in found:
            if text and (name == "datasets" or element in ("text", "p", "span")):
                yield text


def _array(value: Any) -> list[Any]:
    """Items of a PDF array; empty for whatever else stands in its place."""
    import pikepdf

    return list(value) if isinstance(value, pikepdf.Array) else []


def _text(value: Any) -> str:
    import pikepdf

    if isinstance(value, pikepdf.String):
        return str(value).replace("\r", "\n").strip("\0 \n")
    if isinstance(value, pikepdf.Stream):
        return bytes(value.read_bytes()).decode("utf-8", "replace").strip()
    return value.strip() if isinstance(value, str) else ""
