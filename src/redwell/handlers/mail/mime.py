"""Cuts a message into its MIME parts without copying or decoding them. Called by the eml handler in a child.

One pass over the lines that begin with two dashes finds every boundary of every level, so a message of any
depth takes time in proportion to its size and no recursion. Parts keep their exact bytes: the quicker Rust
parser rewrites line ends in quoted-printable parts and refuses a whole message for one bad part.
"""

import binascii
import re
from dataclasses import dataclass

from redwell.core.names import last_step
from redwell.handlers.mail.mail_headers import Headers, base64_bytes, first, parameter_text, parameters, read_headers
from redwell.handlers.mail.uuencoded import uu_bytes

_MOST_LEVELS = 2_000  # a deeper container is kept whole, as a part of its own
_LONGEST_PATH = 4_000
_GUESSED_BOUNDARY = re.compile(rb"(?:^|\n)--([^\s-][^\r\n]{0,200}?)[ \t]*\r?\n(?=content-)", re.I)
_BEHIND_ENCODING = re.compile(rb"[;(].*", re.S)
_WORDS = re.compile(rb"\w[ \t]+\w")
_NOT_PACKED = re.compile(rb"[^A-Za-z0-9+/=\s]|(?:\b[A-Za-z][a-z]*+\s++){4}")  # a sign that is no base64, or four words
# long lines of any length, and short ones that could be a text's last
_PACKED_LINES = re.compile(
    rb"(?:(?:[A-Za-z0-9+/]{20,}+={0,2}|(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2,3}={1,2})?)[ \t]*\r?\n)*+"
)


@dataclass(slots=True, eq=False)
class Part:
    """One node of the tree; `start` and `end` bound its body in the message's bytes."""

    headers: Headers
    start: int
    end: int
    media_type: str
    parameters: dict[str, bytes]
    disposition: str
    filename: str  # the last step of the name it was given; empty where it has none
    parent: "Part | None" = None
    index: int = 0
    alternative: "Part | None" = None  # the innermost container of alternatives that it is in
    ordinal: int = 1
    children: int = 0
    behind: int | None = None  # where the text behind the last boundary begins

    @property
    def path(self) -> str:
        """The place in the tree: "2.1" is the first part of the second; a message without parts is "1".

        Where that would be too long to store, the part's number in the order of the message.
        """
        steps, part = [str(self.ordinal)], self.parent
        while part is not None and part.parent is not None:
            steps.append(str(part.ordinal))
            part = part.parent
        path = ".".join(reversed(steps))
        return path if len(path) <= _LONGEST_PATH else f"#{self.index}"

    def content(self, data: bytes) -> tuple[bytes, bool]:
        """The decoded bytes, and whether nothing of them was lost."""
        raw = data[self.start : self.end]
        told = _BEHIND_ENCODING.sub(b"", first(self.headers, "content-transfer-encoding"))
        match told.strip(b"\"' \t").lower().replace(b" ", b"-"):
            case b"base64":
                is_text = self.media_type.startswith("text/") and not self.filename
                return _packed_text(raw) if is_text else base64_bytes(raw)
            case b"quoted-printable":
                return binascii.a2b_qp(raw), True
            case b"x-uuencode" | b"uuencode" | b"x-uue" | b"uue":
                return uu_bytes(raw)
        return raw, True


def read_parts(data: bytes, start: int, end: int, most: int) -> list[Part]:
    """Every part in order, containers before their children. Past `most` the rest stays in the last one."""
    return _Reader(data, end).read(start, most)


def _packed_text(raw: bytes) -> tuple[bytes, bool]:
    """List programs put plain words behind a text in base64; some write nothing else, whatever their header says."""
    packed = _PACKED_LINES.match(raw) if b" " in raw and _NOT_PACKED.search(raw) else None
    if packed is None or not _WORDS.search(raw, packed.end()):
        return base64_bytes(raw)
    content, whole = base64_bytes(packed[0])
    return content + (b"\n" if content else b"") + raw[packed.end() :], whole


class _Reader:
    """The state of the one pass: the boundaries that may come next, and the part that is being read."""

    def __init__(self, data: bytes, end: int) -> None:
        self._data, self._end = data, end
        self._levels: list[tuple[bytes, Part]] = []
        self._by_boundary: dict[bytes, int] = {}
        self._leaf: Part | None = None
        self._parts: list[Part] = []

    def read(self, start: int, most: int) -> list[Part]:
        root = self._add(start, None)
        if root.media_type == "message/partial":  # its first piece holds the beginning of a message
            self._add(root.start, root)
        at = self._next_dashes(self._parts[-1].start)
        while at is not None and self._levels and len(self._parts) < most:
            stop = self._data.find(b"\n", at, self._end)
            stop = self._end if stop < 0 else stop + 1
            at = self._next_dashes(self._line(at, stop))
        return self._parts

    def _next_dashes(self, start: int) -> int | None:
        if self._data.startswith(b"--", start) and (start == 0 or self._data[start - 1 : start] == b"\n"):
            return start
        found = self._data.find(b"\n--", start, self._end)
        return None if found < 0 else found + 1

    def _line(self, at: int, stop: int) -> int:
        """Take in a line that begins with dashes; tells where to read on."""
        told = self._data[at + 2 : stop].rstrip()
        index, closes = self._by_boundary.get(told), False
        if index is None and told.endswith(b"--"):
            index, closes = self._by_boundary.get(told[:-2].rstrip()), True
        if index is None:
            return stop
        container = self._levels[index][1]
        self._close(index if closes else index + 1, at)
        if closes:
            container.behind = stop
            return stop
        return self._add(stop, container).start

    def _close(self, level: int, at: int) -> None:
        """End the part that is being read and all containers from this level inwards."""
        before = at - 1
        if self._data[before - 1 : before] == b"\r":
            before -= 1
        if self._leaf is not None:
            self._leaf.end = max(self._leaf.start, before)
            self._leaf = None
        for boundary, container in self._levels[level:]:
            container.end = max(container.start, before)
            del self._by_boundary[boundary]
        del self._levels[level:]

    def _add(self, start: int, parent: Part | None) -> Part:
        headers, body = read_headers(self._data, start, self._end)
        told, named = parameters(first(headers, "content-type"))
        if "/" not in told:
            told = "message/rfc822" if parent and parent.media_type == "multipart/digest" else "text/plain"
        disposition, more = parameters(first(headers, "content-disposition"))
        name = last_step(parameter_text(more, "filename") or parameter_text(named, "name"))
        part = Part(headers, body, self._end, told, named, disposition, name, parent, len(self._parts))
        if parent is not None:
            parent.children += 1
            part.ordinal = parent.children
            part.alternative = parent if parent.media_type == "multipart/alternative" else parent.alternative
        self._parts.append(part)
        if not self._opens(part):
            self._leaf = part
        return part

    def _opens(self, part: Part) -> bool:
        """Wait for a container's boundary; one that is waited for already stays with the outer container."""
        if not part.media_type.startswith("multipart/") or len(self._levels) >= _MOST_LEVELS:
            return False
        boundary = part.parameters.get("boundary", b"").rstrip()
        if not boundary and part.parent is None:
            boundary = self._guess(part.start)
        if not boundary or boundary in self._by_boundary:
            return False
        self._by_boundary[boundary] = len(self._levels)
        self._levels.append((boundary, part))
        return True

    def _guess(self, start: int) -> bytes:
        """The boundary of a container that names none: the first dashed line with a part's fields below it."""
        found = _GUESSED_BOUNDARY.search(self._data, start, self._end)
        return found[1] if found else b""
