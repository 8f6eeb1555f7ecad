"""What of a volume is written already: a line for each document, added when its files are there.

It lies beside what is written and is gone when that is finished. A line that a kill has cut off does not count.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec


class PageOut(msgspec.Struct, frozen=True, array_like=True, gc=False):
    path: str
    sha256: str
    size: int
    media_type: str


class MemberOut(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one document, paths below the volume."""

    ordinal: int
    pages: list[PageOut]
    text: PageOut | None = None
    native: PageOut | None = None
    problems: list[str] = []
    still_read: list[str] = []  # words that recognition found where they should be hidden
    is_read: bool = False  # its pages were recognised anew

    @property
    def files(self) -> list[PageOut]:
        return [*self.pages, *(each for each in (self.text, self.native) if each)]


_decode = msgspec.json.Decoder(MemberOut).decode


class Journal:
    """Of two lines for one document the later one counts."""

    def __init__(self, path: Path) -> None:
        self.done: dict[int, MemberOut] = {each.ordinal: each for each in _lines(path)}
        self._file = open(path, "ab")

    def add(self, member: MemberOut) -> None:
        self._file.write(msgspec.json.encode(member) + b"\n")
        self._file.flush()
        self.done[member.ordinal] = member

    def close(self) -> None:
        os.fsync(self._file.fileno())
        self._file.close()


def _lines(path: Path) -> Iterator[MemberOut]:
    if not path.exists():
        return
    whole = path.read_bytes()
    end = whole.rfind(b"\n") + 1
    if end < len(whole):
        with open(path, "r+b") as file:
            file.truncate(end)
    yield from (_decode(line) for line in whole[:end].splitlines())
