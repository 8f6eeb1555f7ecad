"""Reads documents that are one XML stream: flat ODF, Word 2003 and flat-OPC XML, Excel 2003 XML. Runs in a child."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import Metadata, MetaValue, Options, Piece, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.documents import odf, wordml
from redwell.handlers.documents.dates import dated, from_xml
from redwell.handlers.documents.odf_numbers import ListStyles, OdfText
from redwell.handlers.documents.parts import flags
from redwell.handlers.documents.xml_text import Attributes, Grammar, XmlText, leaves

# page headers and footers lie inside the properties of their section, and those inside the ones of a paragraph
_WORD_2003 = replace(wordml.GRAMMAR, skip=frozenset({"rPr", "tblPr", "tabs", "Fallback"}))
_WORD_SIGNS = {
    "has_comments": re.compile(rb"w:type=\"Word\.Comment\"|<w:comment\s"),
    "has_tracked_changes": re.compile(rb"w:type=\"Word\.(?:Insertion|Deletion)\"|<w:(?:ins|del)\s"),
    "has_hidden_text": re.compile(rb"<w:vanish\s*/>"),
}
_EXCEL_2003 = Grammar(
    text=frozenset({"Data"}),
    cells=frozenset({"Cell"}),
    after={"Row": "\n", "Table": "\n"},
    label={"Worksheet": "Name"},
    skip=frozenset({"Styles", "DocumentProperties", "WorksheetOptions"}),
)
_EXCEL_SIGNS = {
    "has_comments": re.compile(rb"<(?:ss:)?Comment[\s>]"),
    "has_formulas": re.compile(rb"<(?:ss:)?Cell\s[^>]*ss:Formula="),
    "has_hidden_rows": re.compile(rb"<(?:ss:)?Row\s[^>]*ss:Hidden=\"1\""),
    "has_hidden_columns": re.compile(rb"<(?:ss:)?Column\s[^>]*ss:Hidden=\"1\""),
    "has_hidden": re.compile(rb"<(?:x:)?Visible>Sheet(?:Very)?Hidden<"),
}
_CHUNK = 1 << 20
_PROPERTIES = {
    "Title": "title",
    "Subject": "subject",
    "Author": "author",
    "LastAuthor": "last_modified_by",
    "Keywords": "keywords",
    "Company": "company",
}
_PROPERTY_DATES = {"Created": "created", "LastSaved": "modified"}


class _WordText(XmlText):
    """Word 2003 writes beside each paragraph of a list what stands before it; a bullet is one sign."""

    heard = frozenset({"t"})

    def _hear(self, name: str, attributes: Attributes, full_name: str) -> None:
        label = attributes.get("wx:val", "").strip()
        if not self._skip and (label.isdecimal() or len(label) > 1):
            self._out.append(f"{label} ")


def streamed(file: BinaryIO, reader: XmlText, noticed: Counter[str]) -> Iterator[Piece]:
    """The stream's text; damage before the first word is the file's, later it costs the rest."""
    empty = True
    try:
        for run in reader.read(file):
            empty = empty and not run.strip()
            yield Text(text=run)
    except InvalidFile as error:
        if empty:
            raise
        yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=str(error))
    noticed.update(reader.noticed)


def flat_odf(file: BinaryIO, _options: Options) -> Iterator[Piece]:
    """Text and properties of an OpenDocument file that is not zipped."""
    yield Metadata(values=odf.properties(file))
    file.seek(0)
    noticed: Counter[str] = Counter()
    yield from streamed(file, OdfText(odf.CONTENT, ListStyles()), noticed)
    yield from odf.facts(noticed)
    file.seek(0)
    yield Metadata(values=odf.look_over(file).facts())


def word_2003(file: BinaryIO) -> Iterator[Piece]:
    yield from _office_2003(file, _WordText(_WORD_2003), _WORD_SIGNS)


def excel_2003(file: BinaryIO) -> Iterator[Piece]:
    yield from _office_2003(file, XmlText(_EXCEL_2003), _EXCEL_SIGNS)


def _office_2003(file: BinaryIO, reader: XmlText, signs: Mapping[str, re.Pattern[bytes]]) -> Iterator[Piece]:
    """Text, properties and what is hidden of Word's or Excel's single-file XML."""
    yield Metadata(values=_properties(file))
    file.seek(0)
    yield from streamed(file, reader, Counter())
    file.seek(0)
    found = _signs(file, signs)
    hides = any(name.startswith("has_hidden") for name in found)
    yield Metadata(values=flags(dict.fromkeys(found, True) | {"has_hidden": hides}))


def _signs(file: BinaryIO, signs: Mapping[str, re.Pattern[bytes]]) -> set[str]:
    found: set[str] = set()
    window = b""
    while chunk := file.read(_CHUNK):
        whole = window + chunk
        found |= {name for name, sign in signs.items() if sign.search(whole)}
        window = whole[-_CHUNK:][whole[-_CHUNK:].rfind(b"<") :]
    return found


def _properties(file: BinaryIO) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {}
    try:
        found = leaves(file, until="DocumentProperties", most=200)
    except InvalidFile:
        return values  # the text is read next and says what is damaged
    for name, _, text in found:
        if name in _PROPERTIES and text:
            values[_PROPERTIES[name]] = text
        elif name in _PROPERTY_DATES and text:
            values |= dated(_PROPERTY_DATES[name], text, from_xml(text))
    return values
