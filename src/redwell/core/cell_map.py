"""Where the rows of a spreadsheet stand in its text: a row is a line, cells are parted by tabs. Pure.

The text leaves empty rows out; this says, run by run, which row of which sheet a line is.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

import msgspec

MOST_RUNS = 100_000  # of a sheet whose every second row is empty; what lies behind has no place
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


class Run(msgspec.Struct, frozen=True, array_like=True):
    """Lines from `line` on are rows from `row` on; row 0 is the sheet's name, no sheet what belongs to none."""

    line: int
    sheet: str
    row: int
    column: int  # of the first cell, from 0 on


class CellMapWriter:
    """Told of the lines in the order of the text, which begins with them."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self._line = 0

    def sheet(self, name: str) -> None:
        """Its name is a line."""
        self._begin(name, 0, 0)
        self._line += name.count("\n") + 1

    def row(self, number: int, column: int = 0) -> None:
        """Which row the next line is, and the column of its first cell."""
        last = self.runs[-1]
        if last.sheet and (number, column) != (last.row + self._line - last.line, last.column):
            self._begin(last.sheet, number, column)
        self._line += 1

    def encoded(self) -> bytes:
        self._begin("", 0, 0)
        return msgspec.json.encode(self.runs)

    def _begin(self, sheet: str, row: int, column: int) -> None:
        if len(self.runs) < MOST_RUNS:
            self.runs.append(Run(self._line, sheet, row, column))
        elif self.runs[-1].sheet:
            self.runs.append(Run(self._line, "", 0, 0))


class CellMap:
    """Which cell a character of the text stands in."""

    def __init__(self, encoded: bytes, text: str) -> None:
        self._runs: Sequence[Run] = msgspec.json.decode(encoded, type=list[Run])
        self._first_lines = [run.line for run in self._runs]
        self._text = text
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def cite(self, at: int) -> str:
        """`Sheet1!C12` as a spreadsheet program has it; empty where it is in no sheet."""
        line = bisect_right(self._line_starts, at) - 1
        place = bisect_right(self._first_lines, line) - 1
        run = self._runs[place] if place >= 0 else None
        if run is None or not run.sheet:
            return ""
        sheet = run.sheet if _PLAIN.fullmatch(run.sheet) else "'" + run.sheet.replace("'", "''") + "'"
        row = run.row + line - run.line
        column = run.column + self._text.count("\t", self._line_starts[line], at)
        return f"{sheet}!{column_name(column)}{row}" if row else sheet


def column_name(column: int) -> str:
    """0 is A, 25 Z, 26 AA."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
