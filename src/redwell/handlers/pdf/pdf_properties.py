"""A PDF's own fields: the Info dictionary first, XMP where Info is silent. Called by the PDF handler in a child."""

from typing import Any

from redwell.core.handler import MetaValue
from redwell.handlers.pdf.pdf_objects import dictionary, is_stream, text
from redwell.handlers.structures.dates import dated, from_pdf, from_xml
from redwell.handlers.structures.pictures import xmp

_INFO = {
    "/Title": "title",
    "/Author": "author",
    "/Subject": "subject",
    "/Keywords": "keywords",
    "/Creator": "creator",
    "/Producer": "producer",
}
_INFO_DATES = {"/CreationDate": "created", "/ModDate": "modified"}
_XMP_TEXTS = {
    "title": "title",
    "creator": "author",
    "description": "subject",
    "subject": "keywords",
    "CreatorTool": "creator",
    "Producer": "producer",
    "Keywords": "keywords",
}
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
    told = xmp.properties(stream.read_bytes()) if is_stream(stream) else {}
    values: dict[str, MetaValue] = {}
    for key, name in _XMP_TEXTS.items():
        if key in told:
            values.setdefault(name, told[key])
    for key, name in _XMP_DATES.items():
        if key in told:
            values |= dated(name, told[key], from_xml(told[key]))
    return values
