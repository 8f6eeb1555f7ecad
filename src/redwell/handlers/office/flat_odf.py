"""Reads OpenDocument files that are one XML stream. Runs in a child."""

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from redwell.core.handler import Metadata, Options, Piece
from redwell.handlers.office import odf
from redwell.handlers.office.odf_numbers import ListStyles, OdfText
from redwell.handlers.structures.package_parts import streamed


def flat_odf(file: BinaryIO, _options: Options) -> Iterator[Piece]:
    """Text and properties of an OpenDocument file that is not zipped."""
    yield Metadata(values=odf.properties(file))
    file.seek(0)
    noticed: Counter[str] = Counter()
    yield from streamed(file, OdfText(odf.CONTENT, ListStyles()), noticed)
    yield from odf.facts(noticed)
    file.seek(0)
    yield Metadata(values=odf.look_over(file).facts())
