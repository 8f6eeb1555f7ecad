"""A laid-out report as a PDF, by typst. Opened by runtime.bootstrap for the command line.

What it is given is data: the template is a constant, reads no file and no package, and takes nothing for markup.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from redwell.adapters.typst.slip_sheet import FONTS
from redwell.core.report.sheet import Block, Line, Pairs, Sheet

_TEMPLATE = rb"""
#let told = json(bytes(sys.inputs.told))
#let grey = luma(90)
#let red = rgb("#8c1d18")
#set document(title: told.title, date: none)
#set page(paper: "a4", margin: (x: 1.9cm, top: 2cm, bottom: 2cm),
  footer: context text(8pt, fill: grey)[
    #told.title #h(1fr) page #counter(page).display() of #counter(page).final().first()])
#set text(font: told.fonts, size: 9pt, hyphenate: false)
#set par(leading: 0.55em)
#let cell(body) = text(8pt, body)
#let pairs(rows) = grid(columns: (5.2cm, 1fr), column-gutter: 1em, row-gutter: 0.6em,
  ..rows.map(((name, value)) => (text(fill: grey, name), value)).flatten())
#let figures(it) = {
  let words = it.columns.len() - it.numbers
  let widths = it.widths.map(w => if w == 0 { auto } else { w * 1fr })
  table(columns: widths, stroke: none, inset: (x: 3pt, y: 3pt),
    align: (at, _) => if at >= words { right } else { left },
    table.header(..it.columns.map(c => cell(strong(c))), table.hline(stroke: 0.8pt)),
    ..it.rows.map(row => (..row.map(cell), table.hline(stroke: 0.3pt + luma(200)))).flatten(),
    ..if it.total.len() > 0 { (table.hline(stroke: 0.8pt), ..it.total.map(c => cell(strong(c)))) } else { () })
}
#text(18pt, strong(told.title))
#v(-0.6em)
#text(fill: grey, told.subtitle)
#for section in told.sections {
  if section.level == 1 {
    v(0.8em)
    block(sticky: true, below: 0.8em, width: 100%, stroke: (bottom: 1.2pt + red), inset: (bottom: 4pt),
      text(13pt, strong(section.heading)))
  } else {
    block(sticky: true, above: 1.4em, below: 0.7em, text(10.5pt, strong(section.heading)))
  }
  for it in section.blocks {
    block(above: 0.9em, breakable: it.breakable, if it.kind == "pairs" { pairs(it.rows) }
      else if it.kind == "table" { figures(it) }
      else if it.strong { strong(it.text) } else { it.text })
  }
}
"""
_BREAK = "\N{ZERO WIDTH SPACE}"
_LINE, _CELL = 60, 14  # characters of a word that stand together on a line, or in a cell
_PARTED = re.compile(r"(?<=[_/.,;:-])")
_TOGETHER = 15  # rows of a table that is not parted by the end of a page
_NARROWEST, _WIDEST = 24, 60  # shares of a column of words


def report_pdf(sheet: Sheet) -> bytes:
    """The same sheet gives the same bytes."""
    import typst  # takes a while, and is seldom needed

    sections = [
        {"heading": plain(each.heading), "level": each.level, "blocks": [_block(block) for block in each.blocks]}
        for each in sheet.sections
    ]
    told = {"title": plain(sheet.title), "subtitle": plain(sheet.subtitle), "sections": sections, "fonts": FONTS}
    made: bytes = typst.compile(_TEMPLATE, sys_inputs={"told": json.dumps(told)})
    return made


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Line):
        return {"kind": "line", "breakable": True, "text": _breakable(block.text), "strong": block.strong}
    if isinstance(block, Pairs):
        rows = [(plain(name), _breakable(value)) for name, value in block.rows]
        return {"kind": "pairs", "breakable": True, "rows": rows}
    words = len(block.columns) - block.numbers
    return {
        "kind": "table",
        "breakable": len(block.rows) > _TOGETHER,
        "columns": [plain(name) for name in block.columns],
        "rows": [_cells(row, words) for row in block.rows],
        "total": _cells(block.total, words),
        "numbers": block.numbers,
        "widths": _widths(block.rows, words) + [0] * block.numbers,
    }


def _cells(row: Sequence[str], words: int) -> list[str]:
    return [_breakable(cell, _CELL) if at < words else plain(cell) for at, cell in enumerate(row)]


def _widths(rows: Sequence[Sequence[str]], words: int) -> list[int]:
    """Shares of the width for columns of words, by how much stands in them; short ones take what they need."""
    longest = [max((len(row[at]) for row in rows), default=0) for at in range(words)]
    return [0 if most <= _NARROWEST and words > 1 else min(max(most, _NARROWEST), _WIDEST) for most in longest]


def plain(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _breakable(text: str, most: int = _LINE) -> str:
    """A word without blanks, such as a path or a hash, may end a line somewhere."""
    return " ".join(_split(word, most) for word in plain(text).split(" "))


def _split(word: str, most: int) -> str:
    """Rather behind a sign that parts it."""
    if len(word) <= most:
        return word
    parts = (part for part in _PARTED.split(word) if part)
    return _BREAK.join(part[at : at + most] for part in parts for at in range(0, len(part), most))
