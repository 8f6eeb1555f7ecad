"""Files inside documents become children: found first, announced, then taken out one by one. Runs in a child."""

import io
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import Child, Contents, HashKind, Lost, Opening, Options, Piece, Role, Trouble, pending
from redwell.core.outcomes import Code
from redwell.handlers.structures.ole import Compound, kind_of

OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NATIVE = "\x01ole10native"
_ZIP_FOLDERS = {b"word/": "docx", b"xl/": "xlsx", b"ppt/": "pptx", b"visio/": "vsdx", b"content.xml": "odt"}


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file inside a document: where it lies, a name for it, and how to take it out as (name, bytes)."""

    locator: str
    name: str
    take: Callable[[], tuple[str, bytes]]
    role: Role = "embedded"
    hash_kind: HashKind = "bytes"


def children(found: Sequence[Embedded], options: Options) -> Iterator[Piece]:
    """Nothing where there are none; otherwise the count, then each file or why it could not be had."""
    if not found:
        return
    yield Contents(declared=len(found))
    if len(found) > options.max_members:
        yield Trouble(
            code=Code.LIMIT_REACHED, detail=f"{len(found)} embedded files, max_members is {options.max_members}"
        )
    by_locator, left = {item.locator: item for item in found[: options.max_members]}, options.max_total_bytes
    for locator in pending(by_locator, options):
        item = by_locator[locator]
        yield Opening(locator=locator, name=item.name)
        try:
            name, data = item.take()
        except BadInput as error:
            yield Lost(locator=locator, name=item.name, outcome=error.outcome, detail=str(error))
            continue
        kind, left = item.hash_kind, left - len(data)
        yield Child(locator=locator, name=name or item.name, data=data, role=item.role, hash_kind=kind)
        if left < 0:
            detail = (
                f"embedded files have more than max_total_mb={options.max_total_bytes >> 20}; the others stay inside"
            )
            yield Trouble(code=Code.LIMIT_REACHED, detail=detail)
            return


def unwrap(name: str, data: bytes) -> tuple[str, bytes]:
    """The file inside an OLE object, with its own name where the object keeps one; other bytes as they are."""
    if not data.startswith(OLE_MAGIC):
        return name, data
    compound = Compound(io.BytesIO(data))
    inner = _inside(compound, "", name)
    return inner or (_with_extension(name, kind_of(compound.below(""))), data)


def storage_file(compound: Compound, folder: str, name: str) -> tuple[str, bytes]:
    """The file that a storage of a document stands for."""
    inner = _inside(compound, folder, name)
    return inner or (_with_extension(name, kind_of(compound.below(folder))), compound.extract(folder))


def _inside(compound: Compound, folder: str, name: str) -> tuple[str, bytes] | None:
    streams = compound.below(folder)
    if _NATIVE in streams:
        own_name, data = native(compound.stream(streams[_NATIVE]))
        return own_name or name, data
    for stream in ("package", "contents"):
        if stream in streams:
            data = compound.stream(streams[stream])
            return _with_extension(name, _content_extension(data)), data
    return None


def native(stream: bytes) -> tuple[str, bytes]:
    """Name and bytes of an Ole10Native stream: a packaged file, or bare data without a name."""
    if len(stream) < 4:
        raise InvalidFile("the packaged object is cut off")
    body = stream[4:]
    try:
        return packaged(body)
    except (struct.error, IndexError, ValueError):
        return "", body


def packaged(body: bytes) -> tuple[str, bytes]:
    """A Package object: label, original path, temporary path, bytes; Unicode names may follow."""
    (flag,) = struct.unpack_from("<H", body)
    if flag != 2:
        raise ValueError("no packaged file")
    label_end = body.index(0, 2)
    path_end = body.index(0, label_end + 1)
    (_, _, temporary) = struct.unpack_from("<HHI", body, path_end + 1)
    start = path_end + 9 + temporary
    (size,) = struct.unpack_from("<I", body, start)
    data = body[start + 4 : start + 4 + size]
    if len(data) < size:
        raise InvalidFile("the packaged file is cut off")
    unicode_name = _unicode_name(body[start + 4 + size :])
    label = body[2:label_end] or body[label_end + 1 : path_end]
    return _base_name(unicode_name or label.decode("cp1252", "replace")), data


def _unicode_name(tail: bytes) -> str:
    """The second of three counted UTF-16 strings is the label."""
    texts: list[str] = []
    offset = 0
    while offset + 4 <= len(tail) and len(texts) < 3:
        (count,) = struct.unpack_from("<I", tail, offset)
        texts.append(tail[offset + 4 : offset + 4 + count * 2].decode("utf-16-le", "replace"))
        offset += 4 + count * 2
    return texts[1] if len(texts) > 1 else ""


def _base_name(path: str) -> str:
    return re.split(r"[\\/]", path.rstrip("\0"))[-1].strip()


def _with_extension(name: str, extension: str) -> str:
    stem = name[:-4] if name.lower().endswith(".bin") else name
    return stem if not extension or stem.lower().endswith("." + extension) else f"{stem}.{extension}"


def _content_extension(data: bytes) -> str:
    if data.startswith(b"PK\x03\x04"):
        index = data[-8192:]  # the list of members is at a ZIP's end
        return next((end for folder, end in _ZIP_FOLDERS.items() if folder in index), "zip")
    signs = {b"%PDF": "pdf", OLE_MAGIC: "ole", b"{\\rtf": "rtf"}
    return next((extension for sign, extension in signs.items() if data.startswith(sign)), "bin")
