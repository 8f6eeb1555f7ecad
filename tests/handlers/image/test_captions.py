"""What people wrote about a picture comes out of XMP and IPTC, in every format that has them."""

import io
import struct
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, TiffImagePlugin
from tests.support.pieces import read

from redwell.handlers.media import image

pytestmark = pytest.mark.requirement("A6")

PACKET = b"""<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">
 <rdf:RDF><rdf:Description photoshop:City="Kiel" photoshop:Country="Germany" xmp:CreateDate="2021-05-06T07:08:09+02:00">
 <dc:title><rdf:Alt><rdf:li xml:lang="x-default">The quay</rdf:li></rdf:Alt></dc:title>
 <dc:description><rdf:Alt><rdf:li xml:lang="x-default">Crack in the third weld</rdf:li></rdf:Alt></dc:description>
 <dc:creator><rdf:Seq><rdf:li>Ann Lee</rdf:li><rdf:li>Bo Ray</rdf:li></rdf:Seq></dc:creator>
 <dc:subject><rdf:Bag><rdf:li>weld</rdf:li><rdf:li>quay</rdf:li></rdf:Bag></dc:subject>
 </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def saved(kind: str, **how: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (4, 3)).save(out, kind, **how)
    return out.getvalue()


def iptc(*records: tuple[int, bytes], utf8: bool = False) -> bytes:
    charset = b"\x1c\x01\x5a\0\x03\x1b%G" if utf8 else b""
    return charset + b"".join(struct.pack(">BBBH", 0x1C, 2, number, len(text)) + text for number, text in records)


def block(number: int, data: bytes) -> bytes:
    return b"8BIM" + struct.pack(">HHI", number, 0, len(data)) + data + b"\0" * (len(data) % 2)


def with_segment(jpeg: bytes, mark: int, body: bytes) -> bytes:
    return jpeg[:2] + struct.pack(">BBH", 0xFF, mark, len(body) + 2) + body + jpeg[2:]


def test_a_tag_of_numbers_where_xmp_should_be_costs_nothing_else(tmp_path: Path) -> None:
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags.tagtype[700] = 3
    tags[700] = 7
    tags[270] = "The quay"
    pieces = read(image, saved("TIFF", tiffinfo=tags), tmp_path)
    assert pieces.error is None and pieces.metadata["width"] == 4


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "AVIF", "TIFF"])
def test_xmp_tells_title_caption_people_and_place(kind: str, tmp_path: Path) -> None:
    how = {"tiffinfo": {700: PACKET}} if kind == "TIFF" else {"xmp": PACKET}
    found = read(image, saved(kind, **how), tmp_path).metadata
    assert (found["title"], found["description"]) == ("The quay", "Crack in the third weld")
    assert (found["author"], found["keywords"], found["place"]) == ("Ann Lee; Bo Ray", "weld; quay", "Kiel, Germany")
    assert found["created"] == "2021-05-06T05:08:09Z"


@pytest.mark.parametrize(
    ("utf8", "caption"), [(True, "Naht gerissen, größer ½".encode()), (False, b"Naht gr\xf6\xdfer")]
)
def test_iptc_tells_them_in_its_own_encoding(utf8: bool, caption: bytes, tmp_path: Path) -> None:
    records = iptc((120, caption), (25, b"weld"), (25, b"quay"), (80, b"Ann Lee"), (90, b"Kiel"), utf8=utf8)
    data = with_segment(saved("JPEG"), 0xED, b"Photoshop 3.0\0" + block(0x0404, records))
    found = read(image, data, tmp_path).metadata
    assert found["description"] == caption.decode("utf-8" if utf8 else "latin-1")
    assert (found["keywords"], found["author"], found["place"]) == ("weld; quay", "Ann Lee", "Kiel")


def test_iptc_of_tiff_is_found_in_both_of_its_places(tmp_path: Path) -> None:
    info = TiffImagePlugin.ImageFileDirectory_v2()
    info[34377], info.tagtype[34377] = block(0x03ED, b"odd") + block(0x0404, iptc((5, b"behind"))), 1
    assert read(image, saved("TIFF", tiffinfo=info), tmp_path).metadata["title"] == "behind"
    info = TiffImagePlugin.ImageFileDirectory_v2()
    info[33723], info.tagtype[33723] = iptc((5, b"alone")), 1
    assert read(image, saved("TIFF", tiffinfo=info), tmp_path).metadata["title"] == "alone"


def test_exif_goes_first_but_for_the_description(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E], exif[0x013B] = "DIGITAL CAMERA", "The camera's owner"
    found = read(image, saved("JPEG", exif=exif, xmp=PACKET), tmp_path).metadata
    assert (found["author"], found["description"]) == ("The camera's owner", "Crack in the third weld")


@pytest.mark.parametrize("packet", [b"", PACKET[:400], b"\xff" * 50])
def test_a_broken_packet_costs_nothing(packet: bytes, tmp_path: Path) -> None:
    pieces = read(image, saved("JPEG", xmp=packet), tmp_path)
    assert (pieces.metadata["width"], pieces.troubles) == (4, [])


def test_cut_off_blocks_and_records_tell_what_is_whole(tmp_path: Path) -> None:
    body = b"Photoshop 3.0\0" + block(0x0404, iptc((5, b"whole")) + b"\x1c\x02\x50\xff")
    for cut in (0, 1, 3):
        data = with_segment(saved("JPEG"), 0xED, body[: len(body) - cut])
        assert read(image, data, tmp_path).metadata["width"] == 4
    assert read(image, with_segment(saved("JPEG"), 0xED, body), tmp_path).metadata["title"] == "whole"
