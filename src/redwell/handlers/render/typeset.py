"""Plain text on pages, by typst, which is a library of this process. Called by renderers of text and of plain mail.

The text is data that the template is given; nothing in it is ever read as markup. The template is a constant, reads no
file and no package, and draws with the fonts of the system.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from redwell.handlers.render.joined_pdf import JoinedPdf

_CHARS, _LINES, _PAGES = 96_000, 3_000, 200  # of one part: typst keeps much of the last ten in memory
_MOST_PAGES = 2_000
_MOST_CHARS = 10_000_000
_TAB = 8
_LONG = re.compile(r"\S{60}(?=\S{12})")
_BREAK = "\N{ZERO WIDTH SPACE}"
_UNSEEN = {code: None for code in range(32) if code not in (9, 10, 12)} | {0xFEFF: None}
_LINE_END = re.compile("\r\n?|[\x0b\x85\u2028\u2029]")
_KANA, _HANGUL = re.compile("[\u3041-\u30ff]"), re.compile("[\uac00-\ud7af\u1100-\u11ff]")
_LETTERS = ("DejaVu Sans Mono", "Liberation Mono")
_OTHERS = ("Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans", "Noto Color Emoji")
_TEMPLATE = rb"""
#let told = json(bytes(sys.inputs.told))
#set document(date: none)
#set page(paper: "a4", margin: 2cm, footer: align(center, text(8pt, context counter(page).display())))
#set text(font: told.fonts, size: 9pt, hyphenate: false)
#set par(leading: 0.45em, spacing: 0.45em, justify: false)
#counter(page).update(told.first)
#let leftward = regex("^[^\p{L}]*[\p{Hebrew}\p{Arabic}\p{Syriac}\p{Thaana}]")
#let shown(line) = if line.trim() == "" { v(1.15em) } else if line.contains(leftward) {
  align(right, text(dir: rtl, par(line)))
} else { par(line) }
#if told.fields.len() > 0 {
  set text(font: ("Liberation Sans", "DejaVu Sans", ..told.fonts.slice(1)))
  set par(leading: 0.5em)
  grid(columns: (auto, 1fr), column-gutter: 1em, row-gutter: 0.7em,
    ..told.fields.map(((name, value)) => (strong(name), value)).flatten())
  line(length: 100%, stroke: 0.5pt)
  v(0.8em)
}
#for (number, page) in told.text.split("\u{c}").enumerate() {
  if number > 0 { pagebreak() }
  for line in page.split("\n") { shown(line) }
}
"""
Fields = Sequence[tuple[str, str]]


class Typeset(NamedTuple):
    pdf: bytes | Path
    pages: int
    left_out: str  # what was not shown, for people


def typeset(text: str, scratch: Path, fields: Fields = ()) -> Typeset:
    """All of a text, or as many pages as anybody would read and one that says so. `fields` stand above it."""
    joined = JoinedPdf(scratch)
    shown, left_out = 0, ""
    for part in _parts(text):
        _add(joined, _cleaned(part.removesuffix("\f")), scratch, fields if not joined.pages else ())
        shown += len(part)
        if shown < len(text) and (joined.pages >= _MOST_PAGES or shown >= _MOST_CHARS):
            left_out = f"the PDF ends here, after {shown:,} of {len(text):,} characters; the text itself is whole"
            _add(joined, f"\n\n{left_out[0].upper()}{left_out[1:]}.", scratch)
            break
    return Typeset(joined.made(), joined.pages, left_out)


def _add(joined: JoinedPdf, text: str, scratch: Path, fields: Fields = ()) -> None:
    told = {
        "text": text,
        "fields": [(name, _cleaned(value)) for name, value in fields],
        "first": joined.pages + 1,
        "fonts": [*_LETTERS, _cjk_font(text), *_OTHERS],
    }
    pdf = _compiler().compile(input=_TEMPLATE, root=str(scratch), sys_inputs={"told": json.dumps(told)})
    joined.add(pdf, _page_count(pdf))


def _parts(text: str) -> Iterator[str]:
    """At least one; each ends with a page where the text has pages, else with a line."""
    start = 0
    while True:
        end = min(start + _CHARS, _behind(text, start, "\n", _LINES), _behind(text, start, "\f", _PAGES))
        if end < len(text):
            cut = text.rfind("\f", start + 1, end) + 1 or text.rfind("\n", start + 1, end) + 1
            end = cut if cut > start else end
        yield text[start:end]
        start = end
        if start >= len(text):
            return


def _behind(text: str, start: int, mark: str, count: int) -> int:
    """Where the last of so many of these marks ends."""
    at = start
    for _ in range(count):
        at = text.find(mark, at) + 1
        if not at:
            return len(text)
    return at


def _cleaned(text: str) -> str:
    """Without what no font shows, and with places to break what has none."""
    lines = _LINE_END.sub("\n", text).translate(_UNSEEN).split("\n")
    return "\n".join(_LONG.sub(rf"\g<0>{_BREAK}", line.expandtabs(_TAB)) for line in lines)


def _cjk_font(text: str) -> str:
    """The same characters are drawn in other ways in Japan, Korea and China."""
    country = "JP" if _KANA.search(text) else "KR" if _HANGUL.search(text) else "SC"
    return f"Noto Sans Mono CJK {country}"


def _page_count(pdf: bytes) -> int:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()


@cache
def _compiler() -> Any:
    """It knows the fonts of the system once it is made, which takes longer than a page."""
    import typst

    return typst.Compiler()
