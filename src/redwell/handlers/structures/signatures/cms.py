"""Reads cryptographic messages (CMS, PKCS #7): what is inside a signature, and to whom something is encrypted.

Called by the handlers of sealed files and of mail in a child. Signatures are not checked: that is an expert's work
with the certificates of the day. Mail comes in the loose encoding (BER) that most libraries refuse; why this is
our own is in ADR 37.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from redwell.core.errors import InvalidFile, TooLarge

_OID, _INTEGER, _OCTETS, _SET, _SEQUENCE, _EXPLICIT, _CONSTRUCTED = 0x06, 0x02, 0x04, 0x31, 0x30, 0xA0, 0x20
_PKCS7 = bytes.fromhex("2a864886f70d0107")
_SMIME = bytes.fromhex("2a864886f70d01091001")
_SIGNED, _COMPRESSED, _TIMESTAMPED = _PKCS7 + b"\x02", _SMIME + b"\x09", _SMIME + b"\x1f"
_ENCRYPTED = frozenset((_PKCS7 + b"\x03", _PKCS7 + b"\x04", _PKCS7 + b"\x06", _SMIME + b"\x17"))
_SIGNING_TIME = bytes.fromhex("06092a864886f70d010905")
_BOOLEAN, _UTF8 = 0x01, 0x0C
_STAMPED_AT = re.compile(re.escape(_SMIME) + rb"\x04.{0,400}?\x18[\x0f-\x1f](\d{14}(?:\.\d+)?Z)", re.S)
_DEEPEST = 16


@dataclass(slots=True)
class Sealed:
    kind: Literal["signed", "encrypted", "compressed", "timestamped"]
    content: bytes | None = None  # None for a signature apart from what it signs, and for what is encrypted
    certificates: list[bytes] = field(default_factory=list)  # DER
    serials: list[int] = field(default_factory=list)  # of the signers' or the recipients' certificates
    signers: int = 0
    signed_at: str = ""  # as written; of a timestamp, when the authority gave it
    name: str = ""  # of the file inside, which timestamps alone may keep


@dataclass(frozen=True, slots=True)
class _Element:
    tag: int
    start: int
    inner: int
    end: int  # of the inner bytes


def read(data: bytes, most_bytes: int) -> Sealed:
    """What the message is and holds; raises `InvalidFile` where it is cut off or none."""
    outer = _first(data, 0, len(data), _SEQUENCE)
    head = list(_elements(data, *_span(outer)))
    body = next((each for each in head if each.tag == _EXPLICIT), None)
    if body is None or head[0].tag != _OID:
        raise InvalidFile("the sealed message has no content")
    name = data[head[0].inner : head[0].end]
    parts = list(_elements(data, *_span(_first(data, body.inner, body.end, _SEQUENCE))))
    if name == _SIGNED:
        return _signed(data, parts)
    if name in _ENCRYPTED:
        return _encrypted(data, parts)
    if name == _COMPRESSED:
        return Sealed("compressed", _inflated(_content(data, parts) or b"", most_bytes))
    if name == _TIMESTAMPED:
        return _timestamped(data, parts)
    raise InvalidFile("a sealed message of an unknown kind")


def _signed(data: bytes, parts: list[_Element]) -> Sealed:
    found = Sealed("signed", _content(data, parts))
    for part in parts:
        if part.tag == _EXPLICIT:
            found.certificates = [data[each.start : each.end] for each in _elements(data, *_span(part))]
    signers = parts[-1] if parts else _Element(_SET, 0, 0, 0)
    for signer in _elements(data, *_span(signers)):
        found.signers += 1
        found.serials += _serials(data, signer)
    at = data.find(_SIGNING_TIME, signers.inner, signers.end)
    if at >= 0:
        value = _first(data, *_span(_first(data, at + len(_SIGNING_TIME), signers.end, _SET)))
        found.signed_at = data[value.inner : value.end].decode("latin-1")
    return found


def _timestamped(data: bytes, parts: list[_Element]) -> Sealed:
    """A file with proof of when it was there (RFC 5544)."""
    found = Sealed("timestamped")
    for part in parts:
        if part.tag & ~_CONSTRUCTED == _OCTETS:
            found.content = b"".join(_octets(data, part.start, part.end))
        elif part.tag == _SEQUENCE:
            about = list(_elements(data, *_span(part)))
            names = [each for each in about if each.tag == _UTF8] if about and about[0].tag == _BOOLEAN else []
            found.name = data[names[0].inner : names[0].end].decode("utf-8", "replace") if names else ""
    if parts and (stamp := _STAMPED_AT.search(data, parts[-1].inner)):
        found.signed_at = stamp[1].decode("ascii")
    return found


def _encrypted(data: bytes, parts: list[_Element]) -> Sealed:
    found = Sealed("encrypted")
    recipients = next((part for part in parts if part.tag == _SET), None)
    for recipient in _elements(data, *_span(recipients)) if recipients else ():
        found.serials += _serials(data, recipient)
    return found


def _serials(data: bytes, person: _Element) -> list[int]:
    """The serial number of the certificate that a signer or recipient is named by."""
    for part in _elements(data, *_span(person)):
        inner = list(_elements(data, *_span(part))) if part.tag == _SEQUENCE else []
        if len(inner) == 2 and inner[1].tag == _INTEGER:
            return [int.from_bytes(data[inner[1].inner : inner[1].end], "big")]
    return []


def _content(data: bytes, parts: list[_Element]) -> bytes | None:
    """The bytes of the first part that wraps some: a sequence of a type and, tagged, the content itself."""
    for part in parts:
        inner = list(_elements(data, *_span(part))) if part.tag == _SEQUENCE else []
        if len(inner) == 2 and inner[0].tag == _OID and inner[1].tag == _EXPLICIT:
            return b"".join(_octets(data, *_span(inner[1])))
    return None


def _octets(data: bytes, start: int, end: int, depth: int = 0) -> Iterator[bytes]:
    """Strings of bytes may be cut into pieces, and these again."""
    for element in _elements(data, start, end):
        if element.tag == _OCTETS | _CONSTRUCTED and depth < _DEEPEST:
            yield from _octets(data, element.inner, element.end, depth + 1)
        elif element.tag == _OCTETS:
            yield data[element.inner : element.end]
        else:  # before CMS, anything could stand here as it was
            yield data[element.start : element.end]


def _inflated(data: bytes, most_bytes: int) -> bytes:
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(data, most_bytes)
    except zlib.error:
        raise InvalidFile("the compressed message is damaged") from None
    if stream.unconsumed_tail:
        raise TooLarge(f"the message unpacks to over {most_bytes} bytes (setting max_member_mb)")
    return content


def _span(element: _Element) -> tuple[int, int]:
    return element.inner, element.end


def _first(data: bytes, start: int, end: int, tag: int | None = None) -> _Element:
    element = next(_elements(data, start, end), None)
    if element is None or (tag is not None and element.tag != tag):
        raise InvalidFile("this is no sealed message")
    return element


def _elements(data: bytes, start: int, end: int) -> Iterator[_Element]:
    """The elements side by side in a run of bytes."""
    while start < end:
        tag, inner, size = _head(data, start, end)
        if tag == 0 and size == 0:
            return
        stop = inner + size if size is not None else _open_end(data, inner, end)
        yield _Element(tag, start, inner, stop)
        start = stop if size is not None else stop + 2


def _open_end(data: bytes, at: int, end: int) -> int:
    """Where the two zero bytes stand that end an element of no stated length."""
    depth = 1
    while True:
        tag, inner, size = _head(data, at, end)
        depth += (size is None) - (tag == 0 and size == 0)
        if depth == 0:
            return at
        at = inner if size is None else inner + size


def _head(data: bytes, at: int, end: int) -> tuple[int, int, int | None]:
    """Tag, where the inner bytes begin, and their length; None where the end is marked instead."""
    head = data[at : at + 2]
    if len(head) < 2 or at + 2 > end:
        raise InvalidFile("the sealed message is cut off")
    length, width = head[1], head[1] & 0x7F
    if length == 0x80:
        return head[0], at + 2, None
    inner = at + 2
    if length > 0x80:
        inner += width
        length = int.from_bytes(data[at + 2 : inner], "big")
    if inner + length > end:
        raise InvalidFile("the sealed message is cut off")
    return head[0], inner, length
