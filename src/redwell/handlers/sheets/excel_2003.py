"""Reads Excel workbooks that are one XML stream (Excel 2003). Called by the spreadsheet handler in a child."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from redwell.core.handler import Options, Piece
from redwell.handlers.office import office_2003
from redwell.handlers.structures.xml_text import Grammar, XmlText

_GRAMMAR = Grammar(
    text=frozenset({"Data"}),
    cells=frozenset({"Cell"}),
    after={"Row": "\n", "Table": "\n"},
    label={"Worksheet": "Name"},
    skip=frozenset({"Styles", "DocumentProperties", "WorksheetOptions"}),
)
_SIGNS = {
    "has_comments": re.compile(rb"<(?:ss:)?Comment[\s>]"),
    "has_formulas": re.compile(rb"<(?:ss:)?Cell\s[^>]*ss:Formula="),
    "has_hidden_rows": re.compile(rb"<(?:ss:)?Row\s[^>]*ss:Hidden=\"1\""),
    "has_hidden_columns": re.compile(rb"<(?:ss:)?Column\s[^>]*ss:Hidden=\"1\""),
    "has_hidden": re.compile(rb"<(?:x:)?Visible>Sheet(?:Very)?Hidden<"),
}


def read(file: BinaryIO, _options: Options) -> Iterator[Piece]:
    yield from office_2003.read(file, XmlText(_GRAMMAR), _SIGNS)
