"""A report of sections with names and values as a PDF, by typst. Opened by runtime.bootstrap.

What it is given is data: the template is a constant, reads no file and no package, and takes nothing for markup.
"""

import json
from collections.abc import Sequence

from redwell.adapters.typst.slip_sheet import FONTS

Lines = Sequence[tuple[str, str]]
_TEMPLATE = rb"""
#let told = json(bytes(sys.inputs.told))
#set document(date: none)
#set page(paper: "a4", margin: 2.2cm,
  footer: context align(center, text(8pt, counter(page).display("1 / 1", both: true))))
#set text(font: told.fonts, size: 10pt, hyphenate: false)
#text(18pt, strong(told.title))
#v(0.2cm)
#line(length: 100%, stroke: 1pt)
#for section in told.sections {
  v(0.45cm)
  block(sticky: true, text(12pt, strong(section.title)))
  v(0.1cm)
  grid(columns: (6.5cm, 1fr), column-gutter: 1em, row-gutter: 0.65em,
    ..section.lines.map(((name, value)) => (text(fill: luma(30%), name), value)).flatten())
}
"""


def report_pages(title: str, sections: Sequence[tuple[str, Lines]]) -> bytes:
    """The same values give the same bytes."""
    import typst  # takes a while, and is seldom needed

    told = {"title": title, "fonts": FONTS, "sections": [{"title": name, "lines": list(of)} for name, of in sections]}
    made: bytes = typst.compile(_TEMPLATE, sys_inputs={"told": json.dumps(told)})
    return made
