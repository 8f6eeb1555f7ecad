"""EXIF fields of a picture in Redwell's names. Called by the image handler in a child."""

from datetime import datetime
from typing import Any

from redwell.core.handler import MetaValue
from redwell.handlers.structures.dates import dated, iso

_PHOTO, _PLACE = 0x8769, 0x8825
_TEXTS = {
    0x010E: "description",
    0x010F: "make",
    0x0110: "model",
    0x0131: "software",
    0x013B: "author",
    0x8298: "copyright",
}
_WIDE_TEXTS = {0x9C9B: "title", 0x9C9C: "comments", 0x9C9D: "author", 0x9C9E: "keywords", 0x9C9F: "subject"}
_ORIENTATION, _CHANGED, _TAKEN = 0x0112, 0x0132, 0x9003
_OFFSET_CHANGED, _OFFSET_TAKEN = 0x9010, 0x9011


def fields(exif: Any) -> dict[str, MetaValue]:
    """What the camera and later programs wrote: maker, dates, orientation, place."""
    values: dict[str, MetaValue] = {}
    for tag, name in _TEXTS.items():
        if text := _text(exif.get(tag)):
            values[name] = text
    for tag, name in _WIDE_TEXTS.items():
        raw = exif.get(tag)
        if isinstance(raw, bytes | tuple) and (text := bytes(raw).decode("utf-16-le", "replace").strip("\0 ")):
            values.setdefault(name, text)
    orientation = exif.get(_ORIENTATION)
    if isinstance(orientation, int) and 1 <= orientation <= 8:
        values["orientation"] = orientation
    photo = exif.get_ifd(_PHOTO)
    values |= _date("created", photo.get(_TAKEN), photo.get(_OFFSET_TAKEN))
    values |= _date("modified", exif.get(_CHANGED), photo.get(_OFFSET_CHANGED))
    return values | _place(exif.get_ifd(_PLACE))


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return value.replace("\0", "").strip() if isinstance(value, str) else ""


def _date(name: str, value: Any, offset: Any) -> dict[str, str | bool]:
    raw = _text(value)
    try:
        moment = datetime.strptime(
            raw[:19] + (_text(offset) or ""), "%Y:%m:%d %H:%M:%S" + ("%z" if _text(offset) else "")
        )
    except ValueError:
        return dated(name, raw, None)
    return dated(name, raw, iso(moment))


def _place(gps: Any) -> dict[str, MetaValue]:
    """Latitude and longitude in degrees, south and west below zero."""
    values: dict[str, MetaValue] = {}
    for name, tag, negative in (("gps_latitude", 2, "S"), ("gps_longitude", 4, "W")):
        try:
            degrees, minutes, seconds = (float(part) for part in gps[tag])
            value = degrees + minutes / 60 + seconds / 3600
        except (KeyError, TypeError, ValueError, ZeroDivisionError):
            continue
        values[name] = round(-value if _text(gps.get(tag - 1)) == negative else value, 6)
    return values
