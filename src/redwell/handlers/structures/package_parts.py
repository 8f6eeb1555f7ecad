"""Reads XML into pieces: parts of a package, where a damaged one costs that part, and whole streams. In a child."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO

from redwell.core.errors import InvalidFile, TooLarge
from redwell.core.handler import Piece, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.structures.xml_text import Grammar, XmlText
from redwell.handlers.structures.zip_package import Package


def part_text(
    package: Package, name: str, grammar: Grammar, noticed: Counter[str], kind: Callable[[Grammar], XmlText] = XmlText
) -> Iterator[Piece]:
    """The part's text with a line's end behind it; a damage is a trouble behind what could be read."""
    reader = kind(grammar)
    last = ""
    try:
        for run in reader.read(package.open(name)):
            if run:
                last = run
                yield Text(text=run)
    except TooLarge as error:
        yield Trouble(code=Code.LIMIT_REACHED, detail=str(error))
    except InvalidFile as error:
        yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=f"{name}: {error}")
    noticed.update(reader.noticed)
    if last and not last.endswith("\n"):
        yield Text(text="\n")


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


def flags(values: dict[str, bool]) -> dict[str, bool]:
    """Only what is true is said."""
    return {name: True for name, value in values.items() if value}
