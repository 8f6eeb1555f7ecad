"""Handler for pictures: size, frames, EXIF and the words that the format itself holds. Runs in a child.

Its pixels are looked at only to tell a page from a photograph, and only where they are few: a picture that claims a
billion of them costs no more than a small one.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Pages, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.media import exif, page_picture, picture_header, xmp_iptc
from redwell.handlers.structures.package_parts import streamed
from redwell.handlers.structures.pages.text_layer import Lack, told
from redwell.handlers.structures.pictures.picture_opening import MOST_PIXELS, PILLOW_ERRORS, open_picture
from redwell.handlers.structures.xml_text import Grammar, XmlText

_SVG_TYPE = "image/svg+xml"
_KINDS = """png jpeg gif tiff bmp webp heic heif avif jp2 vnd.adobe.photoshop vnd.microsoft.icon x-icon x-sgi
    x-portable-pixmap x-portable-anymap x-sun-raster x-tga x-pcx vnd.zbrush.pcx x-icns x-xbitmap x-xpixmap""".split()
SPEC = HandlerSpec(
    name="image", media_types=frozenset({_SVG_TYPE, *("image/" + kind for kind in _KINDS)}), version=6, kind="image"
)
_SCAN, _END = b"\xda", b"\xff\xd9"
_SVG = Grammar(
    text=frozenset({"text", "title", "desc"}), after={"text": "\n", "title": "\n", "desc": "\n"}, collapse=True
)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Width, height and frames, then what the file says of its making."""
    with source.open() as file:
        yield from _drawing(file) if options.media_type == _SVG_TYPE else _picture(file)


def _picture(file: BinaryIO) -> Iterator[Piece]:
    refused: Exception | None = None
    try:
        with open_picture(file) as image:
            frames, values = _frames(image), _basics(image)
            troubles = list(_further(image, values))
    except PILLOW_ERRORS as error:
        refused = error
    if refused:
        yield from _header_alone(file, refused)
        return
    yield Pages(count=frames)
    yield Metadata(values=values)
    yield from troubles
    if values["format"] in ("JPEG", "MPO") and not _has_end(file):
        yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail="the picture is cut off: its end marker is missing")
    if page_picture.is_page(file):
        lacks = dict.fromkeys(range(1, frames + 1), Lack.NO_TEXT)
        yield Trouble(code=Code.OCR_PENDING, detail=told(lacks, frames), partial=False)


def _header_alone(file: BinaryIO, refused: Exception) -> Iterator[Piece]:
    """What the header and EXIF say of a picture that Pillow refuses; it stands where it is whole and merely rare."""
    reason = f"Pillow: {type(refused).__name__}: {refused}"
    file.seek(0)
    header = picture_header.look(file.read())
    if header is None:
        raise InvalidFile(reason)
    yield Metadata(values=header.values | _exif_alone(header.exif))
    if not header.whole:
        raise InvalidFile(reason)
    yield Pages(count=1)
    yield Trouble(code=Code.HANDLER_ERROR, detail=f"only its header was read: {reason}", partial=False)


def _exif_alone(raw: bytes) -> dict[str, MetaValue]:
    from PIL import Image

    found = Image.Exif()
    try:
        found.load(raw)
        return exif.fields(found)
    except PILLOW_ERRORS:
        return {}


def _frames(image: Any) -> int:
    """Pages of a TIFF, frames of an animation; the depth map of a phone's JPEG is no further picture."""
    return 1 if image.format == "MPO" else int(getattr(image, "n_frames", 1))


def _has_end(file: BinaryIO) -> bool:
    """Whether an end marker stands behind the first scan; a thumbnail in front has an end of its own."""
    file.seek(0)
    data = file.read()
    at = 2
    while data[at : at + 1] == b"\xff" and data[at + 1 : at + 2] != _SCAN:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return data.find(_END, at) >= 0


def _basics(image: Any) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {"width": image.width, "height": image.height, "format": str(image.format)}
    values["color_mode"] = str(image.mode)
    dpi = image.info.get("dpi")
    if isinstance(dpi, tuple) and len(dpi) == 2 and float(dpi[0]) > 0:
        values["dpi_x"], values["dpi_y"] = round(float(dpi[0]), 2), round(float(dpi[1]), 2)
    return values


def _further(image: Any, values: dict[str, MetaValue]) -> Iterator[Piece]:
    """Fills in EXIF and comments; says what is damaged or too large."""
    if image.width * image.height > MOST_PIXELS:
        detail = f"{image.width} x {image.height} pixels, at most {MOST_PIXELS} are rendered"
        yield Trouble(code=Code.LIMIT_REACHED, detail=detail, partial=False)
    values |= _comments(image.info)
    try:
        # Pillow would decode a PNG to look for EXIF behind its pixels
        if image.format != "PNG" or "exif" in image.info:
            values |= exif.fields(image.getexif())
    except PILLOW_ERRORS as error:
        detail = f"EXIF: {type(error).__name__}: {error}"
        yield Trouble(code=Code.METADATA_UNAVAILABLE, detail=detail, partial=False)
    _add_captions(image, values)
    if image.format == "PNG":
        image.verify()  # reads the checksums, no pixel


def _add_captions(image: Any, values: dict[str, MetaValue]) -> None:
    """What EXIF is silent about; and the description, where cameras write their own name."""
    known = frozenset(values) - {"description"}
    for name, value in xmp_iptc.fields(image).items():
        if name.removesuffix("_raw").removesuffix("_has_zone") not in known:
            values[name] = value


def _comments(info: dict[Any, Any]) -> dict[str, MetaValue]:
    """The comment of JPEG and GIF, the text chunks of PNG."""
    values: dict[str, MetaValue] = {}
    for key, value in info.items():
        name = str(key).lower()
        if name in ("comment", "title", "author", "description", "copyright", "software") and value:
            text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
            values["comments" if name == "comment" else name] = text.replace("\0", "").strip()
    return values


def _drawing(file: BinaryIO) -> Iterator[Piece]:
    yield Pages(count=1)
    yield Metadata(values={"format": "SVG"})
    yield from streamed(file, XmlText(_SVG), Counter())
