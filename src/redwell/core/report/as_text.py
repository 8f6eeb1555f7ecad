"""A report on a terminal or in a text file. Pure; nothing in it steers a terminal."""

import textwrap
from collections.abc import Iterator, Sequence

from redwell.core.report.sheet import Block, Line, Pairs, Section, Sheet, Table

NARROWEST = 40
_NARROWEST_NAME = 20  # of the first column of a table
_GAP = "  "


def as_text(sheet: Sheet, width: int = 100) -> str:
    """Lines are no wider than that, but for words that can't be broken."""
    width = max(width, NARROWEST)
    lines = [*_wrapped(sheet.title, width), *_wrapped(sheet.subtitle, width)]
    for section in sheet.sections:
        lines += ["", *_section(section, width)]
    return "\n".join(map(_plain, lines))


def _plain(line: str) -> str:
    """Names in evidence may hold terminal controls."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in line)


def _section(section: Section, width: int) -> Iterator[str]:
    yield section.heading
    yield ("=" if section.level == 1 else "-") * min(len(section.heading), width)
    for block in section.blocks:
        yield from _block(block, width)


def _block(block: Block, width: int) -> Iterator[str]:
    if isinstance(block, Line):
        yield from _wrapped(block.text, width)
    elif isinstance(block, Pairs):
        for name, value in block.rows:
            yield from _wrapped(f"{name}: {value}", width, hanging="    ")
    else:
        yield from _table(block, width)


def _wrapped(text: str, width: int, hanging: str = "") -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=hanging, break_on_hyphens=False, break_long_words=False) or [""]


def _table(table: Table, width: int) -> Iterator[str]:
    lines = [table.columns, *table.rows, *([table.total] if table.total else [])]
    widths = [max(len(line[at]) for line in lines) for at in range(len(table.columns))]
    for_first = width - sum(widths[1:]) - len(_GAP) * (len(widths) - 1)
    if for_first < min(widths[0], _NARROWEST_NAME):
        yield from _listed(table, width)
        return
    widths[0] = min(widths[0], for_first)
    for line in lines:
        yield from _row(line, widths, len(table.columns) - table.numbers)


def _row(cells: Sequence[str], widths: Sequence[int], words: int) -> Iterator[str]:
    """Only the first cell may be too long for its column: it goes on below."""
    first, *below = textwrap.wrap(cells[0], widths[0], break_on_hyphens=False) or [""]
    placed = [first.ljust(widths[0])]
    for at, cell in enumerate(cells[1:], 1):
        placed.append(cell.ljust(widths[at]) if at < words else cell.rjust(widths[at]))
    yield _GAP.join(placed).rstrip()
    yield from (f" {rest}" for rest in below)


def _listed(table: Table, width: int) -> Iterator[str]:
    """What is too wide for a table: a row is its first cell, and below it the others by their names."""
    for row in (*table.rows, *([table.total] if table.total else [])):
        first, *others = row
        yield from _wrapped(first or "-", width, hanging="  ")
        told = _named(table.columns[1:], others)
        yield from textwrap.wrap(told, width, initial_indent="    ", subsequent_indent="    ", break_long_words=False)


def _named(names: Sequence[str], cells: Sequence[str]) -> str:
    return "; ".join(f"{name} {cell}" for name, cell in zip(names, cells, strict=True) if cell not in ("", "0"))
