"""Reads documents that are one XML stream: flat ODF, Word 2003 and flat-OPC XML, Excel 2003 XML. Runs in a child."""

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import Metadata, MetaValue, Options, Piece, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.documents import odf, wordml
from redwell.handlers.documents.dates import dated, from_xml
from redwell.handlers.documents.xml_text import Grammar, XmlText, leaves

EXCEL_2003 = Grammar(
    text=frozenset({"Data"}),
    cells=frozenset({"Cell"}),
    after={"Row": "\n", "Table": "\n"},
    label={"Worksheet": "Name"},
    skip=frozenset({"Styles", "DocumentProperties", "WorksheetOptions"}),
)
_PROPERTIES = {
    "Title": "title",
    "Subject": "subject",
    "Author": "author",
    "LastAuthor": "last_modified_by",
    "Keywords": "keywords",
    "Company": "company",
}
_PROPERTY_DATES = {"Created": "created", "LastSaved": "modified"}


def streamed(file: BinaryIO, grammar: Grammar, noticed: Counter[str]) -> Iterator[Piece]:
    """The stream's text; damage before the first word is the file's, later it costs the rest."""
    reader = XmlText(grammar)
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
    yield from streamed(file, odf.CONTENT, noticed)
    yield from odf.facts(noticed)


def office_2003(file: BinaryIO, grammar: Grammar = wordml.GRAMMAR) -> Iterator[Piece]:
    """Text and properties of Word's or Excel's single-file XML."""
    yield Metadata(values=_properties(file))
    file.seek(0)
    yield from streamed(file, grammar, Counter())


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
