"""A report as it is laid out, before it is a text, a page or a PDF: each of them prints the same words. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names and values, a line each."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: int = 0  # so many of the last columns are numbers
    total: Sequence[str] = ()  # a last line that sums up


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    strong: bool = False


Block: TypeAlias = Pairs | Table | Line


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    blocks: Sequence[Block]
    level: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    title: str
    subtitle: str
    sections: Sequence[Section] = field(default_factory=tuple)
