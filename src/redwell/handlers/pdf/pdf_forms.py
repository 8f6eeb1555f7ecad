"""Words of a PDF beside its pages' text: form values, bookmarks, annotations, XFA. Called by its handler in a child."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from redwell.core.errors import InvalidFile
from redwell.handlers.pdf.pdf_fields import FormField, as_lines, fields_of
from redwell.handlers.pdf.pdf_objects import array, dictionary, is_stream, text
from redwell.handlers.pdf.pdf_signatures import Signature
from redwell.handlers.structures.xml_text import Leaf, leaves

_MOST_BOOKMARKS = 20_000
_XFA_WORDS = {"text", "p", "span"}
_XFA_PACKETS = {"config", "connectionSet", "datasets", "localeSet", "sourceSet", "stylesheet", "template", "xfdf"}
_SILENT = {"/Link", "/Widget", "/Popup", "/FileAttachment"}  # their words are shown elsewhere, or are no words


@dataclass
class WordsOffPages:
    """What a PDF says outside its pages' text."""

    has_form: bool = False
    has_xfa: bool = False
    has_comments: bool = False
    layers: list[str] = field(default_factory=list)
    hidden_layers: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    signatures: list[Signature] = field(default_factory=list)


def words_off_pages(pdf: Any) -> WordsOffPages:
    """Form values, XFA data, bookmarks and annotations, in this order."""
    found = WordsOffPages()
    form = dictionary(pdf.Root.get("/AcroForm"))
    found.has_form = bool(len(form))
    fields = fields_of(pdf, form) if found.has_form else []
    found.texts += as_lines(fields)
    found.signatures = [field.signature for field in fields if field.signature]
    if "/XFA" in form:
        found.has_xfa = True
        found.texts += _xfa_texts(form["/XFA"], fields)
    found.layers, found.hidden_layers = _layers(dictionary(pdf.Root.get("/OCProperties")))
    found.texts += _bookmarks(dictionary(pdf.Root.get("/Outlines")))
    notes = list(_notes(pdf))
    found.has_comments = bool(notes)
    found.texts += notes
    return found


def _layers(properties: Any) -> tuple[list[str], list[str]]:
    """The names of all layers, and of those that are off when the file is opened."""
    layers = [dictionary(layer) for layer in array(properties.get("/OCGs"))]
    off = {
        dictionary(layer).objgen
        for layer in array(dictionary(properties.get("/D")).get("/OFF"))
        if len(dictionary(layer))
    }
    return [text(layer.get("/Name")) for layer in layers], [
        text(layer.get("/Name")) for layer in layers if len(layer) and layer.objgen in off
    ]


def _bookmarks(outlines: Any) -> Iterator[str]:
    """The titles in the order a reader shows them; some lists run in circles."""
    waiting, seen = [dictionary(outlines.get("/First"))], set()
    for _ in range(_MOST_BOOKMARKS):
        if not waiting:
            return
        item = waiting.pop()
        if not len(item) or item.objgen in seen:
            continue
        seen.add(item.objgen)
        if title := text(item.get("/Title")):
            yield title
        waiting += [dictionary(item.get("/Next")), dictionary(item.get("/First"))]


def _notes(pdf: Any) -> Iterator[str]:
    for page in pdf.pages:
        for note in map(dictionary, array(page.obj.get("/Annots"))):
            said, author = text(note.get("/Contents")), text(note.get("/T"))
            if said and str(note.get("/Subtype", "")) not in _SILENT:
                yield f"{author}: {said}" if author else said


def _xfa_texts(xfa: Any, fields: list[FormField]) -> Iterator[str]:
    """The filled-in data with its names and the form's fixed words, but for what the fields have told."""
    told = {_letters(field.value) for field in fields}
    chosen = {field.path[-1].partition("[")[0] for field in fields if field.is_chosen and field.path}
    parts = array(xfa)
    packets = {text(name): stream for name, stream in zip(parts[::2], parts[1::2], strict=False)} or {"": xfa}
    for name, stream in packets.items():
        if name not in ("", "datasets", "template") or not is_stream(stream):
            continue
        try:
            found = leaves(io.BytesIO(stream.read_bytes()))
        except InvalidFile:
            continue  # the form's XML is broken; the fields' own values have been read
        for packet, leaf in _by_packet(found, name):
            element, _, said = leaf
            if not said or _letters(said) in told:
                continue
            if element in _XFA_WORDS:
                yield said
            elif packet == "datasets" and element not in chosen:
                yield f"{element}: {said}"


def _letters(said: str) -> str:
    """Without white space, which XML and PDF keep in different ways."""
    return "".join(said.split())


def _by_packet(found: list[Leaf], name: str) -> Iterator[tuple[str, Leaf]]:
    """Each element with its packet; a form in one piece has packets one behind the other, ended by their names."""
    waiting: list[Leaf] = []
    for leaf in found:
        waiting.append(leaf)
        if not name and leaf[0] in _XFA_PACKETS:
            yield from ((leaf[0], each) for each in waiting)
            waiting = []
    yield from ((name, each) for each in waiting)
