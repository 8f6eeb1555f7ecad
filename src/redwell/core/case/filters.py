"""Which files are left out before they are processed, and why. Pure; applied by intake.sieve."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fnmatch import translate
from functools import cache

from redwell.core.errors import UserError

KB = 1024
_NEVER_KNOWN = bytes.fromhex("d41d8cd98f00b204e9800998ecf8427e")  # no bytes at all: every empty file there is

KNOWN_FILE = "a known file: "  # how the reason of a file in the list of known ones begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Patterns are parted by semicolons; an empty one rules nothing out."""

    include: str = ""
    exclude: str = ""
    include_types: str = ""
    exclude_types: str = ""
    modified_from: str = ""
    modified_to: str = ""
    min_file_kb: int = 0
    max_file_kb: int = 0
    mailboxes: bool = False  # what is none is refused
    transcripts: bool = False  # likewise

    @property
    def look_at_files(self) -> bool:
        told = (self.include, self.exclude, self.modified_from, self.modified_to, self.min_file_kb, self.max_file_kb)
        return any(told)

    @property
    def look_at_types(self) -> bool:
        return bool(self.include_types or self.exclude_types or self.mailboxes or self.transcripts)

    def check(self) -> None:
        """Raises `UserError` where a date is none, before anything is imported."""
        _moment("modified_from", self.modified_from)
        _moment("modified_to", self.modified_to)

    def of_file(self, path: str, size: int, modified: datetime) -> str:
        """Why a file is left out by what the file system knows of it; empty where it is not."""
        return self._of_path(path) or self._of_size(size) or self._of_date(modified)

    def of_type(self, media_type: str) -> str:
        """Why a file is left out by its type, which its content has told."""
        if self.exclude_types and matches(media_type, self.exclude_types):
            return f"{media_type} is left out by exclude_types={self.exclude_types}"
        if self.include_types and not matches(media_type, self.include_types):
            return f"{media_type} is not among include_types={self.include_types}"
        return ""

    def _of_path(self, path: str) -> str:
        if self.exclude and matches(path, self.exclude):
            return f"its path is left out by exclude={self.exclude}"
        if self.include and not matches(path, self.include):
            return f"its path is not among include={self.include}"
        return ""

    def _of_size(self, size: int) -> str:
        if size < self.min_file_kb * KB:
            return f"{size} bytes are under min_file_kb={self.min_file_kb}"
        if self.max_file_kb and size > self.max_file_kb * KB:
            return f"{size} bytes are over max_file_kb={self.max_file_kb}"
        return ""

    def _of_date(self, modified: datetime) -> str:
        first, last = _moment("modified_from", self.modified_from), _moment("modified_to", self.modified_to)
        if first and modified < first:
            return f"modified {modified:%Y-%m-%d}, before modified_from={self.modified_from}"
        if last and modified.date() > last.date():
            return f"modified {modified:%Y-%m-%d}, after modified_to={self.modified_to}"
        return ""


def matches(text: str, patterns: str) -> bool:
    """Whether any of the patterns fits the whole text, without regard to case; `*` goes over folders too."""
    return any(_compiled(pattern).match(text) for pattern in patterns.split(";") if pattern.strip())


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern.strip()), re.IGNORECASE)


def _moment(name: str, text: str) -> datetime | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UserError(f"setting {name} needs a date such as 2020-03-31, not {text!r}") from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def may_be_known(md5: bytes, size: int) -> bool:
    """The empty file is in every list of known files and says nothing."""
    return size > 0 and md5 != _NEVER_KNOWN
