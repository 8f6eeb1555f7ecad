"""What people wrote about a picture, as photo programs keep it: XMP and IPTC. Used by the image handler in a child."""

from collections.abc import Iterator
from typing import Any

from redwell.core.handler import MetaValue
from redwell.handlers.structures.charset import decode
from redwell.handlers.structures.dates import dated, from_xml
from redwell.handlers.structures.pictures import xmp

_PHOTOSHOP, _IPTC_TAG = 34377, 33723  # where TIFF keeps them
_IPTC, _XMP = 0x0404, 0x0424  # where Photoshop does
_XMP_TEXTS = {
    "title": "title",
    "description": "description",
    "creator": "author",
    "subject": "keywords",
    "rights": "copyright",
    "CreatorTool": "software",
}
_XMP_DATES = {"CreateDate": "created", "DateCreated": "created", "ModifyDate": "modified"}
_XMP_PLACE = ("Location", "City", "State", "Country")
_IPTC_TEXTS = {5: "title", 120: "description", 80: "author", 25: "keywords", 116: "copyright", 105: "subject"}
_IPTC_PLACE = (92, 90, 95, 101)
_UTF8 = b"\x1b%G"


def fields(image: Any) -> dict[str, MetaValue]:
    """Title, description, author, keywords, copyright and place, from XMP first."""
    resources = _resources(image)
    packet = image.info.get("xmp") or resources.get(_XMP, b"")
    told = xmp.properties(packet.encode() if isinstance(packet, str) else _bytes(packet))
    values: dict[str, MetaValue] = {name: told[key] for key, name in _XMP_TEXTS.items() if key in told}
    for key, name in _XMP_DATES.items():
        if key in told and name not in values:
            values |= dated(name, told[key], from_xml(told[key]))
    values |= _place(told.get(key, "") for key in _XMP_PLACE)
    return _iptc(resources.get(_IPTC, b"")) | values


def _resources(image: Any) -> dict[int, bytes]:
    """Photoshop's blocks by number, wherever the format puts them."""
    if image.format == "PSD":
        return {number: data for number, _, data in image.resources}
    if image.format == "TIFF":
        return {_IPTC: _bytes(image.tag_v2.get(_IPTC_TAG))} | _blocks(_bytes(image.tag_v2.get(_PHOTOSHOP)))
    found = image.info.get("photoshop")
    return {number: data for number, data in found.items() if isinstance(data, bytes)} if found else {}


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else b""


def _blocks(data: bytes) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    at = 0
    while data[at : at + 4] == b"8BIM":
        number = int.from_bytes(data[at + 4 : at + 6], "big")
        at += 6 + (data[at + 6] // 2 + 1) * 2 if at + 6 < len(data) else len(data)  # behind its name, which is padded
        size = int.from_bytes(data[at : at + 4], "big")
        found[number] = data[at + 4 : at + 4 + size]
        at += 4 + size + size % 2
    return found


def _iptc(data: bytes) -> dict[str, MetaValue]:
    records: dict[int, list[str]] = {}
    charset = ""
    for record, number, value in _records(data):
        if (record, number) == (1, 90):
            charset = "utf-8" if value == _UTF8 else ""
        elif record == 2:
            records.setdefault(number, []).append(decode(value, charset)[0].strip("\0 \r\n"))
    texts = {number: "; ".join(dict.fromkeys(filter(None, values))) for number, values in records.items()}
    found: dict[str, MetaValue] = {name: texts[key] for key, name in _IPTC_TEXTS.items() if texts.get(key)}
    return found | _place(texts.get(number, "") for number in _IPTC_PLACE)


def _records(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    at = 0
    while data[at : at + 1] == b"\x1c" and at + 5 <= len(data):
        size = int.from_bytes(data[at + 3 : at + 5], "big")
        yield data[at + 1], data[at + 2], data[at + 5 : at + 5 + size]
        at += 5 + size


def _place(parts: Iterator[str]) -> dict[str, MetaValue]:
    place = ", ".join(dict.fromkeys(filter(None, parts)))
    return {"place": place} if place else {}
