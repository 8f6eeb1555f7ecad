"""Handler for programs: what header and version resource say, and members where one is an archive that unpacks itself.

Runs in a child. Any other program is UNSUPPORTED.
"""

import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, ReadAs, Source
from redwell.handlers.detect.detect import PORTABLE_EXECUTABLE, PROGRAMS
from redwell.handlers.detect.self_extracting import RAR, ZIP, AppendedArchive, appended_archive
from redwell.handlers.structures.dates import iso
from redwell.handlers.structures.made_source import MadeSource

SPEC = HandlerSpec(name="program", media_types=PROGRAMS, version=3, kind="program")
_HEAD = 1 << 16
_CHUNK = 1 << 18
_MACHINES = {0x14C: "x86", 0x8664: "x64", 0x1C0: "arm", 0x1C4: "arm", 0xAA64: "arm64", 0x200: "ia64"}
_LIBRARY = 0x2000
_VERSION_BLOCK = "VS_VERSION_INFO".encode("utf-16-le")
_STRINGS = {
    "CompanyName": "company",
    "ProductName": "product",
    "FileDescription": "description",
    "FileVersion": "format_version",
    "OriginalFilename": "original_name",
    "LegalCopyright": "copyright",
}
_BLOCK_BYTES = 16 << 10
_MOST_BYTES = 64 << 20


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Machine, time of linking, and the strings that its maker put in; members, or else `Unsupported`."""
    with source.open() as file:
        if options.media_type == PORTABLE_EXECUTABLE:
            yield Metadata(values=_header(file.read(_HEAD)))
            file.seek(0)
            yield Metadata(values=_version_strings(file.read(_MOST_BYTES)))
        packed = appended_archive(file, source.size)
    if packed is None:
        raise Unsupported(f"{options.media_type}: a program is not evidence to be read")
    yield Metadata(values={"recognised_as": f"self-extracting archive ({packed.media_type})"})
    yield ReadAs(media_type=packed.media_type, source=_archive_in(source, packed, scratch))


def _archive_in(source: Source, packed: AppendedArchive, scratch: Path) -> Source:
    """The archive alone; the readers of ZIP and RAR know about programs in front, which volumes have but once."""
    return source if packed.media_type in (ZIP, RAR) else MadeSource(_cut_out(source, packed), scratch / "appended")


def _cut_out(source: Source, packed: AppendedArchive) -> Iterator[bytes]:
    with source.open() as file:
        file.seek(packed.start)
        for at in range(packed.start, packed.stop, _CHUNK):
            yield file.read(min(_CHUNK, packed.stop - at))


def _header(head: bytes) -> dict[str, MetaValue]:
    try:
        (at,) = struct.unpack_from("<I", head, 60)
        sign, machine, _, linked, _, _, _, kind = struct.unpack_from("<4sHHIIIHH", head, at)
    except struct.error:
        return {}
    if sign != b"PE\0\0":
        return {}
    values: dict[str, MetaValue] = {
        "machine": _MACHINES.get(machine, hex(machine)),
        "is_library": bool(kind & _LIBRARY),
    }
    if linked:
        values["created"] = iso(datetime.fromtimestamp(linked, UTC))
        values["created_raw"] = str(linked)
    return values


def _version_strings(data: bytes) -> dict[str, MetaValue]:
    """The version resource is found by its name, so that a damaged section table does no harm."""
    start = data.find(_VERSION_BLOCK)
    block = data[start : start + _BLOCK_BYTES] if start >= 0 else b""
    values: dict[str, MetaValue] = {}
    for label, name in _STRINGS.items():
        at = block.find(label.encode("utf-16-le") + b"\0\0")
        if at >= 0:
            text = block[at + 2 * len(label) + 2 :][:512]
            said = text[: len(text) & ~1].decode("utf-16-le", "replace").lstrip("\0").partition("\0")[0].strip()
            if said and said.isprintable():  # behind an empty one stands the head of the next
                values[name] = said
    return values
