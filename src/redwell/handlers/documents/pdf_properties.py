"""A PDF's own fields: the Info dictionary first, XMP where Info is silent. Called by the PDF handler in a child."""

import io
from typing import Any

from redwell.core.errors import InvalidFile
from redwell.core.handler import MetaValue
from redwell.handlers.documents.dates import dated, from_pdf, from_xml
from redwell.handlers.documents.pdf_objects import dictionary, is_stream, text
from redwell.handlers.documents.xml_text import leaves

_INFO = {
    "/Title": "title",
    "/Author": "author",
    "/Subject": "subject",
    "/Keywords": "keywords",
    "/Creator": "creator",
    "/Producer": "producer",
}
_INFO_DATES = {"/CreationDate": "created", "/ModDate": "modified"}
# XMP writes lists as rdf:li below these, or plain values as elements or attributes
_XMP_LISTS = {"title": "title", "creator": "author", "description": "subject", "subject": "keywords"}
_XMP_VALUES = {"CreatorTool": "creator", "Producer": "producer", "Keywords": "keywords"}
_XMP_DATES = {"CreateDate": "created", "ModifyDate": "modified"}


def properties(pdf: Any) -> dict[str, MetaValue]:
    """Title, author, dates and programs, as the file states them."""
    values = _info(pdf)
    for name, value in _xmp(pdf).items():
        values.setdefault(name, value)
    values["pdf_version"] = str(pdf.pdf_version)
    return values


def shown_by(pages: Any) -> dict[str, MetaValue]:
    """The same from pdfium's document, where pikepdf could not open the file."""
    told = pages.get_metadata_dict(skip_empty=True)
    return _named({f"/{key}": value.strip() for key, value in told.items()})


def _info(pdf: Any) -> dict[str, MetaValue]:
    info = dictionary(pdf.trailer.get("/Info"))
    return _named({key: text(info.get(key)) for key in (*_INFO, *_INFO_DATES)})


def _named(info: dict[str, str]) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {name: info[key] for key, name in _INFO.items() if info.get(key)}
    for key, name in _INFO_DATES.items():
        if raw := info.get(key):
            values |= dated(name, raw, from_pdf(raw))
    return values


def _xmp(pdf: Any) -> dict[str, MetaValue]:
    stream = pdf.Root.get("/Metadata")
    if not is_stream(stream):
        return {}
    try:
        found = leaves(io.BytesIO(stream.read_bytes().strip(b"\0 \r\n")), most=20_000)
    except InvalidFile:
        return {}  # Info has been read; a broken packet adds nothing
    values: dict[str, MetaValue] = {}
    items: list[str] = []
    for name, attributes, said in found:
        if name == "li":
            items.append(said)
            continue
        if name in _XMP_LISTS and (said or any(items)):
            values.setdefault(_XMP_LISTS[name], said or "; ".join(item for item in items if item))
        if name not in ("Alt", "Seq", "Bag"):
            items = []
        values = _plain_values({**attributes, name: said}) | values
    return values


def _plain_values(given: dict[str, str]) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {}
    for key, name in _XMP_VALUES.items():
        if given.get(key):
            values[name] = given[key]
    for key, name in _XMP_DATES.items():
        if given.get(key):
            values |= dated(name, given[key], from_xml(given[key]))
    return values
