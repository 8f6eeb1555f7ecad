"""Takes a delimited load file apart, row by row, and says what is odd about each. Pure; memory is that of a row.

No `csv`: Concordance has no escape for its qualifier, and real files have line breaks and separators inside values
and qualifiers that are never closed. A value that begins with the qualifier ends at one that a separator or the end
of a line follows. Where none follows, the row ends with its line and the next one stands for itself.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from redwell.core.errors import InvalidFile
from redwell.core.loadfiles.formats.dialect import Dialect

MAX_VALUE_CHARS = 64 << 20
_MOST_READ_AGAIN = 500_000  # lines: each value that does not end is looked for to the end of the file


class Fault(StrEnum):
    BLANK_LINE = "blank line"
    UNCLOSED = "a qualifier is opened and not closed"
    INSIDE = "a qualifier inside a value"


class Row(NamedTuple):
    line: int  # where it begins; the first line is 1
    values: list[str]
    faults: tuple[tuple[Fault, int], ...] = ()  # with the column, from 1; 0: the whole row


class Rows:
    """Iterates once over lines. `width`, the values of a row, helps to find the row behind one that is not closed."""

    def __init__(self, lines: Iterable[str], dialect: Dialect, width: int = 0) -> None:
        self._dialect = dialect
        self._lines = iter(lines)
        self._again: deque[str] = deque()
        self._read_again = 0
        self.line = 0  # the last one that was read
        self.width = width
        self._last = ""  # the line that ended a row of several
        self.odd_end = 0  # the first line that ends a row and does so otherwise than the dialect says

    def __iter__(self) -> Iterator[Row]:
        d = self._dialect
        between, crlf = d.qualifier + d.separator + d.qualifier, d.record_end == "\r\n"
        while (line := self._next()) is not None:
            at, text = self.line, line.removesuffix("\r")
            if not text:
                self._see_end(line, crlf)
                yield Row(at, [], ((Fault.BLANK_LINE, 0),))
                continue
            if not d.qualifier or d.qualifier not in text:
                row = Row(at, text.split(d.separator))
            else:
                values = text[1:-1].split(between)
                plain = text[0] == text[-1] == d.qualifier and text.count(d.qualifier) == 2 * len(values)
                plain = plain and not (d.escape == "backslash" and "\\" in text)
                row = Row(at, values) if plain else self._careful(at, line)
            if not self.odd_end:
                self._see_end(line if self.line == at else self._last, crlf)
            if d.newline_sign and (d.newline_sign in text or self.line > at):
                row = row._replace(values=[value.replace(d.newline_sign, "\n") for value in row.values])
            yield row

    def _see_end(self, line: str, crlf: bool) -> None:
        """Of the line that ends a row: breaks inside of values are as they are."""
        if line.endswith("\r") != crlf and not self.odd_end:
            self.odd_end = self.line

    def _next(self) -> str | None:
        line = self._again.popleft() if self._again else next(self._lines, None)
        self.line += line is not None
        return line

    def _careful(self, at: int, line: str) -> Row:
        """A row whose values hold qualifiers or line breaks: line by line until its last value is closed."""
        taken, size = [line], len(line)
        parser = _RowParser(self._dialect)
        whole = parser.feed(line)
        while not whole:
            following = self._next()
            if following is None or size >= MAX_VALUE_CHARS:  # the row ends with its first line
                self._give_back([*taken[1:], *([] if following is None else [following])])
                parser = _RowParser(self._dialect)
                parser.feed(line)
            elif self._stands_alone(following):
                self._give_back([following])
            else:
                taken.append(following)
                size += len(following) + 1
                whole = parser.feed(following)
                continue
            parser.close()
            break
        self._last = taken[-1]
        return Row(at, parser.values, tuple(parser.faults))

    def _give_back(self, lines: list[str]) -> None:
        self._again.extendleft(reversed(lines))
        self.line -= len(lines)
        self._read_again += len(lines)
        if self._read_again > _MOST_READ_AGAIN:
            sign = self._dialect.qualifier
            raise InvalidFile(
                f"line {self.line:,}: too many values begin with {sign} and do not end; is it the qualifier?"
            )

    def _stands_alone(self, line: str) -> bool:
        """A line that is a whole row of the usual width can't be the inside of a value that was not closed."""
        d, text = self._dialect, line.removesuffix("\r")
        if d.escape != "none" or self.width < 2 or not (text[:1] == text[-1:] == d.qualifier):
            return False
        values = text[1:-1].split(d.qualifier + d.separator + d.qualifier)
        return len(values) == self.width and text.count(d.qualifier) == 2 * len(values)


class _RowParser:
    """Reads one row, fed with its lines."""

    def __init__(self, dialect: Dialect) -> None:
        self._d = dialect
        self._open: list[str] | None = None  # lines so far of a value that goes on
        self.values: list[str] = []
        self.faults: list[tuple[Fault, int]] = []

    def feed(self, raw: str) -> bool:
        """True when the row is whole; else a value is open and the next line belongs to it."""
        line, at = raw.removesuffix("\r"), 0
        while at <= len(line):
            if self._open is None and not line.startswith(self._d.qualifier, at):
                end = line.find(self._d.separator, at)
                end = end if end >= 0 else len(line)
                self._plain(line[at:end])
            else:
                start = at if self._open is not None else at + 1
                end = self._closing(line, start)
                self._open = self._open or []
                self._open.append(line[start:end] if end >= 0 else raw[start:])
                if end < 0:
                    return False
                self.close(complete=True)
                end += 1
            at = end + 1
        return True

    def close(self, complete: bool = False) -> None:
        """The open value ends where the text does."""
        if not complete:
            self._column_fault(Fault.UNCLOSED)
        value = "\n".join(self._open or [])
        self._open = None
        self._enclosed(value if complete else value.removesuffix("\r"))

    def _closing(self, line: str, at: int) -> int:
        """Where the value's closing qualifier stands; -1 where it is not on this line."""
        d, start = self._d, at
        while (at := line.find(d.qualifier, at)) >= 0:
            follows = line[at + 1 : at + 2]
            if d.escape == "double" and follows == d.qualifier:
                at += 2
                continue
            escaped = d.escape == "backslash" and _backslashes(line, at, start) % 2
            if not escaped and (not follows or follows == d.separator):
                return at
            if not escaped:
                self._column_fault(Fault.INSIDE)
            at += 1
        return -1

    def _plain(self, value: str) -> None:
        if self._d.qualifier in value:
            self._column_fault(Fault.INSIDE)
        self.values.append(value)

    def _enclosed(self, value: str) -> None:
        d = self._d
        if d.escape == "double":
            value = value.replace(d.qualifier * 2, d.qualifier)
        elif d.escape == "backslash":
            value = _unescaped(value, d.qualifier)
        first, *others = value.split(d.separator + d.qualifier) if d.escape == "none" else [value]
        if others:  # the end of this value is missing, and the next one was taken for its rest
            self._column_fault(Fault.UNCLOSED)
        self.values += [first, *others]

    def _column_fault(self, fault: Fault) -> None:
        if (fault, len(self.values) + 1) not in self.faults:
            self.faults.append((fault, len(self.values) + 1))


def _backslashes(text: str, at: int, start: int) -> int:
    count = 0
    while at - 1 - count >= start and text[at - 1 - count] == "\\":
        count += 1
    return count


def _unescaped(value: str, qualifier: str) -> str:
    """Backslashes count only before a qualifier, and two of them are one there: paths stay as they are."""
    sign = re.escape(qualifier)
    return re.sub(rf"(\\+)(?={sign}|\Z)", lambda run: run[1][: len(run[1]) // 2], value)
