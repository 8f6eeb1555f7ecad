"""Files that are sent to the server, as the tus protocol (1.0) speaks of them: names, paths and checksums. Pure."""

import base64
import binascii
import re
from collections.abc import Collection
from dataclasses import dataclass

from redwell.core.errors import Conflict, UserError

LONGEST_STEP, LONGEST_PATH, MOST_FILES = 255, 3_000, 100_000
KEY = re.compile(r"[0-9a-f]{32}")
TUS_VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,checksum,termination"
OFFSET_TYPE = "application/offset+octet-stream"


class WrongOffset(Conflict):
    """The sender and the server don't mean the same place: ask where to go on (HEAD)."""


class InUse(Conflict):
    """Another request is writing to this file right now."""


class WrongChecksum(UserError):
    """The bytes that arrived are not those that were sent; nothing of them was kept."""


class TooLong(UserError):
    """More bytes than a file may have, than were announced, or than the disk can take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    path: str  # below the upload, checked
    length: int
    sha256: bytes | None = None  # as the sender knows it
    modified_ms: int | None = None
    key: str = ""  # by which a sender that got no answer asks again


@dataclass(frozen=True, slots=True, kw_only=True)
class Arriving:
    """A file of an upload, and how far it is."""

    id: str
    path: str
    length: int
    offset: int
    sha256: str = ""  # of the whole, once it is there

    @property
    def is_whole(self) -> bool:
        return bool(self.sha256)


def checked_path(path: str) -> str:
    """Relative, with plain steps: whatever is sent, it lies inside the upload."""
    steps = path.split("/")
    for step in steps:
        if step in ("", ".", ".."):
            raise UserError(f"{path!r} is no path of a file below the upload")
        if "\0" in step or len(_encoded(step)) > LONGEST_STEP:
            raise UserError(f"a name of {path[:80]!r} has more than {LONGEST_STEP} bytes, or a zero in it")
    if len(_encoded(path)) > LONGEST_PATH:
        raise UserError(f"a path has at most {LONGEST_PATH:,} bytes")
    return path


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UserError("names are UTF-8") from None


def free_path(path: str, taken: Collection[str]) -> str:
    """Two loose files of the same name, of different folders, are both kept: the second is called `name (2).ext`."""
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    stem, ending = (stem, dot + ending) if stem else (name, "")
    number, tried = 1, path
    while tried in taken:
        number += 1
        tried = f"{folder}{slash}{stem} ({number}){ending}"
    return tried


def metadata(header: str) -> dict[str, str]:
    """Of `Upload-Metadata`: keys with values in Base64, parted by commas."""
    found = {}
    for pair in filter(None, (part.strip() for part in header.split(","))):
        key, _, value = pair.partition(" ")
        try:
            found[key] = base64.b64decode(value, validate=True).decode()
        except (binascii.Error, UnicodeError):
            raise UserError(f"Upload-Metadata: the value of {key[:40]!r} is not UTF-8 in Base64") from None
    return found


def new_file(length: str, header: str) -> NewFile:
    """What a creation asks for. `relativePath` where a folder was dropped, else `filename`."""
    if not (length.isascii() and length.isdigit()) or len(length) > 15:
        raise UserError("Upload-Length: say how many bytes the file has")
    told = metadata(header)
    path = told.get("relativePath") or told.get("filename") or told.get("name") or ""
    modified = told.get("modified", "")
    return NewFile(
        path=checked_path(path),
        length=int(length),
        sha256=_digest(told["sha256"]) if told.get("sha256") else None,
        modified_ms=int(modified) if modified.isascii() and modified.isdigit() and len(modified) < 15 else None,
        key=_key(told.get("key", "")),
    )


def _key(told: str) -> str:
    if told and not KEY.fullmatch(told):
        raise UserError("Upload-Metadata: key is 32 hexadecimal digits, chosen by the sender for this file alone")
    return told


def _digest(told: str) -> bytes:
    try:
        digest = bytes.fromhex(told)
    except ValueError:
        digest = b""
    if len(digest) != 32:
        raise UserError("Upload-Metadata: sha256 is 64 hexadecimal digits")
    return digest


def checksum(header: str) -> tuple[str, bytes] | None:
    """Of `Upload-Checksum`: algorithm and digest; None where none was sent."""
    if not header:
        return None
    name, _, value = header.partition(" ")
    try:
        digest = base64.b64decode(value, validate=True)
    except binascii.Error:
        digest = b""
    if name not in ("sha256", "sha1", "md5") or not digest:
        raise UserError("Upload-Checksum: sha256, sha1 or md5, a space, and the digest in Base64")
    return name, digest


def offset(header: str) -> int:
    if not (header.isascii() and header.isdigit()) or len(header) > 15:
        raise UserError("Upload-Offset: say where the bytes go on")
    return int(header)
