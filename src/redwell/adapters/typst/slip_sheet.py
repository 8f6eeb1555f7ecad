"""A page of names and values as a PDF, by typst. Opened by runtime.bootstrap for whoever hands out documents.

What it is given is data: the template is a constant, reads no file and no package, and takes nothing for markup.
"""

import json
from collections.abc import Sequence

FONTS = ("Liberation Sans", "DejaVu Sans", "Noto Sans", "Noto Sans CJK JP", "Noto Sans Arabic", "Noto Sans Hebrew")
_TEMPLATE = rb"""
#let told = json(bytes(sys.inputs.told))
#set document(date: none)
#set page(paper: "a4", margin: 3cm)
#set text(font: told.fonts, size: 11pt, hyphenate: false)
#v(5cm)
#align(center, text(16pt, strong(told.title)))
#v(1cm)
#grid(columns: (auto, 1fr), column-gutter: 1.5em, row-gutter: 1em,
  ..told.fields.map(((name, value)) => (strong(name), value)).flatten())
"""
_MOST_CHARS = 600
_BREAK = "\N{ZERO WIDTH SPACE}"  # a name without blanks may end a line anywhere


def slip_sheet(title: str, fields: Sequence[tuple[str, str]]) -> bytes:
    """One page; the same values give the same bytes."""
    import typst  # takes a while, and is seldom needed

    told = {"title": title, "fields": [(name, _breakable(value)) for name, value in fields], "fonts": FONTS}
    made: bytes = typst.compile(_TEMPLATE, sys_inputs={"told": json.dumps(told)})
    return made


def _breakable(value: str) -> str:
    shown = value if len(value) <= _MOST_CHARS else f"{value[:_MOST_CHARS]}…"
    plain = "".join(char if char.isprintable() else " " for char in shown)
    return _BREAK.join(plain[at : at + 20] for at in range(0, len(plain), 20))
