"""Reads Word documents that are one XML stream: Word 2003, flat OPC. Called by the Word handler in a child."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from redwell.core.handler import Options, Piece
from redwell.handlers.office import office_2003
from redwell.handlers.structures.xml_text import Attributes, XmlText
from redwell.handlers.word import wordml

# page headers and footers lie inside the properties of their section, and those inside the ones of a paragraph
_GRAMMAR = replace(wordml.GRAMMAR, skip=frozenset({"rPr", "tblPr", "tabs", "Fallback"}))
_SIGNS = {
    "has_comments": re.compile(rb"w:type=\"Word\.Comment\"|<w:comment\s"),
    "has_tracked_changes": re.compile(rb"w:type=\"Word\.(?:Insertion|Deletion)\"|<w:(?:ins|del)\s"),
    "has_hidden_text": re.compile(rb"<w:vanish\s*/>"),
}


def read(file: BinaryIO, _options: Options) -> Iterator[Piece]:
    yield from office_2003.read(file, _WordText(_GRAMMAR), _SIGNS)


class _WordText(XmlText):
    """Word 2003 writes beside each paragraph of a list what stands before it; a bullet is one sign."""

    heard = frozenset({"t"})

    def _hear(self, name: str, attributes: Attributes, full_name: str) -> None:
        label = attributes.get("wx:val", "").strip()
        if not self._skip and (label.isdecimal() or len(label) > 1):
            self._out.append(f"{label} ")
