"""Formats whose signature is not at the very start, or that need a check of their own. Called by `detect`."""

import re
import struct
from typing import BinaryIO

from redwell.handlers.detect.media_disk import disk_type
from redwell.handlers.detect.media_magic import BRANDS

_LATE_PDF = re.compile(rb"[\r\n\x00-\x08\x80-\xff]%PDF-\d")
_PKCS7 = re.compile(
    rb"0[\x80-\x84].{0,4}?\x06(?:\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07([\x01-\x07])|\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01[\x09\x17\x1f])",
    re.S,
)
# an encrypted session key: its length, version 3, the recipient's key in eight bytes and a public-key method
_PGP = re.compile(
    rb"(?:\x84.|\x85..|\xc1[\xc0-\xdf].)\x03.{8}[\x01\x02\x10\x12\x16]|\x8c.\x04[\x01-\x0a][\x00-\x03]", re.S
)
_DATA = rb"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
_NO_CONTENT = re.compile(rb"0(?:\x0b" + _DATA + rb"|\x80" + _DATA + rb"\0\0)")
_DBF_VERSIONS = frozenset((0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0x8C, 0xCB, 0xF5, 0xFB))
_LZMA_SETTINGS = range(0x5A, 0x63)  # as packers choose them: aligned to four, any number of literal bits
_SKIPPED_FRAME = b"\x2a\x4d\x18"
_FRAMES = {b"\x28\xb5\x2f\xfd": "application/zstd", b"\x04\x22\x4d\x18": "application/x-lz4"}
_BITMAP_HEADERS = frozenset((12, 40, 52, 56, 64, 108, 124))
_PORTABLE_MAP = re.compile(rb"P[4-7]\s(?:#[^\n]*\n)*\s*(?:\d{1,6}\s|WIDTH)")
_DEPTHS = {1: (8, 16), 2: (15, 16, 24, 32), 3: (8, 16)}  # of Targa's kinds: colours of a map, true colours, grey
_ATARI_HEADER = 28
_LONGEST_DBF_HEADER = 32 + 255 * 48 + 264


def binary_type(file: BinaryIO, size: int, head: bytes) -> str | None:
    """The format of binary data by checks beyond a prefix; None where nothing fits."""
    for check in (
        _media_box,
        _metafile,
        _program,
        _bitmap,
        _raster,
        _icon,
        _archive,
        _signed,
        _mpeg_audio,
        _table,
        _drawing,
        _pgp,
    ):
        kind = check(head)
        if kind:
            return kind
    if _is_atari_program(head, size):
        return "application/x-atari-executable"
    return disk_type(file, size, head) or _pdf_behind_something(head)


def late_pdf(head: bytes) -> str | None:
    """A PDF may have up to a kilobyte of anything in front. A metafile or a signature around one may hold it, too."""
    if head.find(b"%PDF-", 0, 1024) < 0:  # the search for line starts is ten times dearer
        return None
    if _metafile(head) or _signed(head):
        return None
    return "application/pdf" if _LATE_PDF.search(head, 0, 1029) else None


def _pdf_behind_something(head: bytes) -> str | None:
    """As above, in a file that is no text: then the mark need not begin a line."""
    return "application/pdf" if 0 <= head.find(b"%PDF-1.", 0, 1031) <= 1024 else None


def riff_type(head: bytes) -> str:
    kinds = {b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo", b"WEBP": "image/webp", b"ACON": "image/x-ani"}
    return kinds.get(head[8:12], "application/octet-stream")


def form_type(head: bytes) -> str:
    return "audio/aiff" if head[8:12] in (b"AIFF", b"AIFC") else "application/octet-stream"


def ogg_type(head: bytes) -> str:
    return "video/ogg" if b"theora" in head[:128] else "audio/ogg"


def _media_box(head: bytes) -> str | None:
    box = head[4:8]
    if box == b"ftyp":
        return BRANDS.get(head[8:12]) or next((BRANDS[b] for b in _compatible(head) if b in BRANDS), "video/mp4")
    return "video/quicktime" if box in (b"moov", b"mdat", b"wide", b"pnot") else None


def _compatible(head: bytes) -> list[bytes]:
    stop = min(int.from_bytes(head[:4], "big"), 64)
    listed = [head[at : at + 4] for at in range(16, stop, 4)]
    return [] if head[8:12] in (b"isom", b"mp41", b"mp42") else listed


def _metafile(head: bytes) -> str | None:
    if head[:4] == b"\x01\0\0\0" and head[40:44] == b" EMF":
        return "image/emf"
    return "image/wmf" if head[:6] in (b"\x02\x00\x09\x00\x00\x03", b"\x02\x00\x09\x00\x00\x01") else None


def _program(head: bytes) -> str | None:
    if head[:2] != b"MZ" or len(head) < 64:
        return None
    (new_header,) = struct.unpack_from("<I", head, 60)
    is_new = head[new_header : new_header + 2] == b"PE" or new_header >= len(head)
    return "application/vnd.microsoft.portable-executable" if is_new else "application/x-dosexec"


def _is_atari_program(head: bytes, size: int) -> bool:
    """Its mark is short, so the lengths of its parts must fit, and what is reserved be zero."""
    if head[:2] != b"\x60\x1a" or len(head) < _ATARI_HEADER:
        return False
    code, data, _, symbols, reserved = struct.unpack_from(">5I", head, 2)
    return code > 0 and not reserved and _ATARI_HEADER + code + data + symbols <= size


def _bitmap(head: bytes) -> str | None:
    is_bitmap = head[:2] == b"BM" and int.from_bytes(head[14:18], "little") in _BITMAP_HEADERS
    return "image/bmp" if is_bitmap else None


def _raster(head: bytes) -> str | None:
    """Pictures of old systems: portable maps, PCX, Sun and SGI rasters, Targa as it is usually written."""
    if _PORTABLE_MAP.match(head):
        return "image/x-portable-anymap"
    if head[:4] == b"\x59\xa6\x6a\x95":
        return "image/x-sun-raster"
    if head[:2] == b"\x01\xda" and head[2:3] in (b"\0", b"\1") and head[3:4] in (b"\1", b"\2") and len(head) > 104:
        return "image/x-sgi"
    if len(head) > 128 and head[0] == 0x0A and head[1] in (0, 2, 3, 4, 5) and head[2] == 1 and head[3] in (1, 2, 4, 8):
        return "image/x-pcx"
    return "image/x-tga" if _is_targa(head) else None


def _is_targa(head: bytes) -> bool:
    """No signature: a colour map only where the type has one, sizes that are there, a depth that exists."""
    if len(head) < 18 or head[1] > 1 or head[2] not in (1, 2, 3, 9, 10, 11) or (head[2] % 8 == 1) != head[1]:
        return False
    first, colours, map_depth, left, bottom, width, height, depth, details = struct.unpack_from("<HHBHHHHBB", head, 3)
    mapped = map_depth in (15, 16, 24, 32) and 0 < colours <= 256 and not first if head[1] else not (first or colours)
    placed = not left and bottom in (0, height)
    return mapped and placed and bool(width and height) and depth in _DEPTHS[head[2] % 8] and details & 0xC0 == 0


def _icon(head: bytes) -> str | None:
    if head[:4] not in (b"\0\0\1\0", b"\0\0\2\0") or len(head) < 22:
        return None
    count = int.from_bytes(head[4:6], "little")
    return "image/vnd.microsoft.icon" if 0 < count < 256 and head[9] == 0 else None


def _archive(head: bytes) -> str | None:
    if head[257:262] == b"ustar" or _old_tar(head):
        return "application/x-tar"
    if head[2:5] in (b"-lh", b"-lz", b"-pm") and head[6:7] == b"-":
        return "application/x-lzh-compressed"
    skipped = _frame_behind(head)
    if skipped:
        return skipped
    return "application/x-lzma" if _is_lzma(head) else None


def _frame_behind(head: bytes) -> str | None:
    """LZ4 and Zstandard may begin with a frame for whoever knows what it means; the first other one tells."""
    at = 0
    while head[at + 1 : at + 4] == _SKIPPED_FRAME and head[at] & 0xF0 == 0x50:
        at += 8 + int.from_bytes(head[at + 4 : at + 8], "little")
    return _FRAMES.get(head[at : at + 4]) if at else None


def _is_lzma(head: bytes) -> bool:
    """Plausible settings, a dictionary as packers make them, and a size that is unknown or believable; then a zero."""
    dictionary, unpacked = int.from_bytes(head[1:5], "little"), int.from_bytes(head[5:13], "little")
    packers_size = dictionary.bit_count() in (1, 2) and dictionary >= 1 << 12
    sized = unpacked < 1 << 40 or unpacked == (1 << 64) - 1
    return len(head) > 13 and head[0] in _LZMA_SETTINGS and packers_size and sized and head[13] == 0


def _old_tar(head: bytes) -> bool:
    """A tar from before its signature was invented: the header's checksum fits."""
    told = head[148:156].strip(b" \0")
    if len(head) < 512 or not told or told.translate(None, b"01234567"):
        return False
    return int(told, 8) == sum(head[:148]) + 8 * 0x20 + sum(head[156:512])


def _signed(head: bytes) -> str | None:
    found = _PKCS7.match(head)
    if not found:
        return None
    detached = found[1] == b"\x02" and _NO_CONTENT.search(head, found.end(), found.end() + 200)
    return "application/pkcs7-signature" if detached else "application/pkcs7-mime"


def _pgp(head: bytes) -> str | None:
    return "application/pgp-encrypted" if _PGP.match(head) else None


def _mpeg_audio(head: bytes) -> str | None:
    """MPEG layer III: a frame whose length leads to the next frame."""
    at = 0
    for _ in range(2):
        if len(head) < at + 4 or head[at] != 0xFF or head[at + 1] & 0xE6 != 0xE2:
            return None
        at += _frame_length(head[at + 1], head[at + 2])
    return "audio/mpeg"


def _frame_length(kind: int, rates: int) -> int:
    version = kind >> 3 & 3  # 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
    low = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0)
    high = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0)
    rate = (44_100, 48_000, 32_000, 0)[rates >> 2 & 3] // {3: 1, 2: 2, 0: 4, 1: 1}[version]
    bits = (high if version == 3 else low)[rates >> 4] * 1000
    return (144 if version == 3 else 72) * bits // rate + (rates >> 1 & 1) if rate and bits else 1 << 20


def _table(head: bytes) -> str | None:
    """dBASE: a plausible date, header length and record length; the header ends in 0x0D."""
    if len(head) < 33 or head[0] not in _DBF_VERSIONS or not (1 <= head[2] <= 12 and 1 <= head[3] <= 31):
        return None
    header, record = struct.unpack_from("<HH", head, 8)
    fits = 33 <= header <= _LONGEST_DBF_HEADER and record > 0
    ends = header > len(head) or b"\r" in head[header - 2 : header + 1] or head[header - 264 : header - 263] == b"\r"
    return "application/x-dbf" if fits and ends else None


def _drawing(head: bytes) -> str | None:
    return "image/vnd.dwg" if head[:4] == b"AC10" and head[4:6].isdigit() else None
