"""Finds where each message of an mbox begins and ends, in constant memory. Called by the mbox handler in a child.

No mark in the file tells its variant. A line is taken for a separator when it looks like an envelope and mail
follows; a Content-Length is believed (mboxcl, mboxcl2) when it leads to a separator or to the end.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from redwell.handlers.detect.media_mail import MBOX, mail_type
from redwell.handlers.mail.mail_headers import Headers, first, read_headers

_SCAN = 1 << 20
_HEADER = 64 << 10
_WINDOW = 4096
_BREAKS = (b"\n\n", b"\n\r\n")
_SEPARATOR = b"\nFrom "
_ENVELOPE = re.compile(rb"From [^\n]*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b[^\n]*\d\d?:\d\d[^\n]*\d{4}[^\n]*\n")
_LENGTH = re.compile(rb"\s*(\d{1,15})\s*")
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Place:
    """One message: its separator at `at`, its own bytes from `start` to `end`, the next separator at `behind`."""

    at: int
    start: int
    end: int
    behind: int
    body: int
    envelope: bytes
    headers: Headers
    counted: bool  # its Content-Length was right

    @property
    def length_told(self) -> int | None:
        return _length(self.headers)


class Places:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file, self._size = file, size

    def after(self, locator: int | None) -> Iterator[Place]:
        """Every message in order, or those behind the one at `locator`: what lies before is not read again."""
        at = self._first() if locator is None else self._place(locator).behind
        while at < self._size:
            place = self._place(at)
            yield place
            at = place.behind

    def _first(self) -> int:
        head = self._read(0, _WINDOW)
        mark = len(_MARK) if head.startswith(_MARK) else 0
        return mark + len(head[mark:]) - len(head[mark:].lstrip(b"\r\n\t "))

    def _place(self, at: int) -> Place:
        head = self._read(at, _HEADER)
        line = head.find(b"\n") + 1 or len(head)
        headers, body_in_head = read_headers(head, line, len(head))
        start, body, told = at + line, at + body_in_head, _length(headers)
        behind = None if told is None else self._by_length(body, told)
        counted = behind is not None
        if behind is None:
            behind = self._next_separator(start - 1)
        end = body + (told or 0) if counted else self._without_blank_line(start, behind)
        return Place(at, start, end, behind, min(body, end), head[:line].strip(), headers, counted)

    def _by_length(self, body: int, length: int) -> int | None:
        """Where the next message begins, if the body of this one is as long as it says."""
        end = body + length
        if end > self._size:
            return None
        following = self._read(end, 4)
        gap = following[: len(following) - len(following.lstrip(b"\r\n"))]
        if gap not in (b"", b"\n", b"\r\n"):
            return None
        behind = end + len(gap)
        if behind == self._size:
            return behind
        return behind if self._begins_line(behind) and self._is_separator(behind) else None

    def _next_separator(self, start: int) -> int:
        while start < self._size:
            block = self._read(start, _SCAN)
            found = block.find(_SEPARATOR)
            while found >= 0:
                if self._is_separator(start + found + 1):
                    return start + found + 1
                found = block.find(_SEPARATOR, found + 1)
            start += max(1, len(block) - len(_SEPARATOR) + 1)
        return self._size

    def _is_separator(self, at: int) -> bool:
        window = self._read(at, _WINDOW)
        if _ENVELOPE.match(window) and self._read(max(0, at - 3), min(at, 3)).endswith(_BREAKS):
            return True
        return window.startswith(b"From ") and mail_type(window, "") == MBOX

    def _begins_line(self, at: int) -> bool:
        return at == 0 or self._read(at - 1, 1) == b"\n"

    def _without_blank_line(self, start: int, behind: int) -> int:
        """The empty line before a separator belongs to the store, not to the message."""
        last = self._read(max(start, behind - 3), min(3, behind - start))
        return behind - (0 if not last.endswith(_BREAKS) else 2 if last.endswith(b"\r\n") else 1)

    def _read(self, at: int, length: int) -> bytes:
        self._file.seek(at)
        return self._file.read(length)


def _length(headers: Headers) -> int | None:
    told = _LENGTH.fullmatch(first(headers, "content-length"))
    return int(told[1]) if told else None
