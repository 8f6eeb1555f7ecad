"""Handler for FictionBook files (FB2), which are one XML stream with their pictures in it. Runs in a child."""

import binascii
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source
from redwell.handlers.structures.dates import dated, from_xml
from redwell.handlers.structures.embedded import Embedded, children
from redwell.handlers.structures.package_parts import streamed
from redwell.handlers.structures.xml_text import Grammar, Leaf, XmlText, leaves

_MEDIA_TYPE = "application/x-fictionbook+xml"
SPEC = HandlerSpec(name="fiction-book", media_types=frozenset({_MEDIA_TYPE}), kind="document")
_LINES = ("p", "v", "subtitle", "text-author", "date")
_GRAMMAR = Grammar(
    text=frozenset((*_LINES, "td", "th")),
    after=dict.fromkeys((*_LINES, "tr"), "\n"),
    cells=frozenset({"td", "th"}),
    within=frozenset({"annotation", "history", "body"}),
    skip=frozenset({"src-title-info", "binary"}),
    collapse=True,
)
_NAME = ("first-name", "middle-name", "last-name", "nickname")
_OF_TITLE = {"book-title": "title", "lang": "stated_language", "keywords": "keywords"}
_OF_FILE = {"program-used": "application", "publisher": "publisher", "isbn": "identifier"}
_MOST_DESCRIBED = 10_000


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The book's words, notes included, what it says of itself, and its pictures."""
    with source.open() as file:
        try:
            yield Metadata(values=_properties(leaves(file, until="description", most=_MOST_DESCRIBED)))
        except InvalidFile:
            pass  # the text is read next and says what is damaged
        file.seek(0)
        yield from streamed(file, XmlText(_GRAMMAR), Counter())
        if options.embedded_images:
            file.seek(0)
            yield from children(list(_pictures(file)), options)


def _properties(described: list[Leaf]) -> dict[str, MetaValue]:
    """The first part of the description is about the book, the others about this file and what it was made from."""
    values: dict[str, MetaValue] = {}
    authors: list[str] = []
    name: list[str] = []
    fields = _OF_TITLE
    for kind, attributes, text in described:
        if kind in _NAME and text:
            name.append(text)
        elif kind in ("author", "translator"):
            authors += [" ".join(name)] if kind == "author" and fields is _OF_TITLE and name else []
            name = []
        elif kind == "title-info":
            fields = _OF_FILE
        elif kind in fields and text:
            values.setdefault(fields[kind], text)
        elif kind == "date" and fields is _OF_FILE and "created" not in values:
            raw = attributes.get("value") or text
            values |= dated("created", raw, from_xml(raw))
    return values | ({"author": "; ".join(authors)} if authors else {})


def _pictures(file: BinaryIO) -> Iterator[Embedded]:
    try:
        found = leaves(file)
    except InvalidFile:
        return  # the damage has been told
    for number, (kind, attributes, text) in enumerate(found):
        if kind == "binary":
            name = attributes.get("id", "") or f"picture {number}"
            yield Embedded(f"binary:{number}", name, partial(_decoded, name, text), role="inline")


def _decoded(name: str, text: str) -> tuple[str, bytes]:
    try:
        data = binascii.a2b_base64(text)
    except ValueError:
        data = b""
    if not data:
        raise InvalidFile("the picture is damaged or empty")
    return name, data
