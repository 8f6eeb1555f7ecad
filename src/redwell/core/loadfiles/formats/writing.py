"""Writes delimited load files. Pure.

What can't be written as it is gets a stand-in and is told with row and column; nothing is changed in silence.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from redwell.core.loadfiles.formats.dialect import REGISTERED, THORN, Dialect
from redwell.core.loadfiles.formats.encodings import MARKS

_BREAKS = re.compile(r"\r\n|\r|\n")
_STAND_INS = {THORN: "th", REGISTERED: "(R)"}


class Change(StrEnum):
    QUALIFIER = "the qualifier stands in the value, and the format has no way to write it"
    NEWLINE_SIGN = "the sign for line breaks stands in the value and would be read as one"
    SEPARATOR = "the separator stands in the value, and nothing encloses values"
    BREAK = "a line break stands in the value, and the format has no way to write it"
    LETTER = "the encoding has no such letter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    row: int  # from 1, the header counted
    column: int
    change: Change
    value: str


@dataclass(slots=True)
class RowWriter:
    """Rows to bytes. `changed` lists every value that is not in the file as it was given."""

    dialect: Dialect
    encoding: str = "utf-8"
    mark: bool = True
    qualify_all: bool = True
    changed: list[Changed] = field(default_factory=list)
    rows: int = 0

    def row(self, values: Sequence[str]) -> bytes:
        self.rows += 1
        d = self.dialect
        cells = [self._cell(value, column, len(values)) for column, value in enumerate(values, 1)]
        line = (d.separator.join(cells) + d.record_end).encode(self.encoding)
        return MARKS.get(self.encoding, b"") + line if self.rows == 1 and self.mark else line

    def _cell(self, value: str, column: int, width: int) -> str:
        d = self.dialect
        text = value
        if d.newline_sign:
            text = self._stand_in(text, d.newline_sign, Change.NEWLINE_SIGN, column, value)
            text = _BREAKS.sub(d.newline_sign, text)
        elif not d.qualifier:
            text = self._replaced(_BREAKS.sub(" ", text), text, Change.BREAK, column, value)
        text = self._escaped(text, column, value)
        text = self._replaced(_encodable(text, self.encoding), text, Change.LETTER, column, value)
        if not d.qualifier:
            return self._stand_in(text, d.separator, Change.SEPARATOR, column, value)
        if self.qualify_all or _needs(text, value, d) or (not text and width == 1):
            return f"{d.qualifier}{text}{d.qualifier}"
        return text

    def _escaped(self, text: str, column: int, value: str) -> str:
        d = self.dialect
        if not d.qualifier or (d.qualifier not in text and d.escape != "backslash"):
            return text
        if d.escape == "double":
            return text.replace(d.qualifier, d.qualifier * 2)
        if d.escape == "backslash":
            sign = re.escape(d.qualifier)
            return re.sub(rf"(\\+)(?={sign}|\Z)", r"\1\1", text).replace(d.qualifier, "\\" + d.qualifier)
        return self._stand_in(text, d.qualifier, Change.QUALIFIER, column, value)

    def _stand_in(self, text: str, sign: str, change: Change, column: int, value: str) -> str:
        return self._replaced(text.replace(sign, _STAND_INS.get(sign, "?")), text, change, column, value)

    def _replaced(self, text: str, before: str, change: Change, column: int, value: str) -> str:
        if text != before:
            self.changed.append(Changed(row=self.rows, column=column, change=change, value=value))
        return text


def _encodable(text: str, encoding: str) -> str:
    try:
        text.encode(encoding)
        return text
    except UnicodeEncodeError:
        return text.encode(encoding, "replace").decode(encoding)


def _needs(text: str, value: str, d: Dialect) -> bool:
    signs = (d.separator, d.qualifier, "\r", "\n", " ")
    return text != value or any(sign in text for sign in signs)
