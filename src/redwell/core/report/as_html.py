"""A report as one page to open or print: no script, nothing fetched, every word escaped. Pure."""

from collections.abc import Iterator, Sequence
from html import escape

from redwell.core.report.sheet import Block, Line, Pairs, Section, Sheet, Table

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
 body {{ font: 15px/1.5 "Liberation Sans", Arial, sans-serif; color: #1c1c1c; max-width: 60rem; margin: 2rem auto;
   padding: 0 1rem; overflow-wrap: anywhere; }}
 h1 {{ font-size: 1.7rem; margin: 0; }} h1 + p {{ color: #555; margin: .3rem 0 2rem; }}
 h2 {{ font-size: 1.2rem; border-bottom: 2px solid #8c1d18; padding-bottom: .2rem; margin-top: 2.2rem; }}
 h3 {{ font-size: 1rem; margin: 1.4rem 0 .4rem; }}
 dl {{ display: grid; grid-template-columns: minmax(9rem, 14rem) 1fr; gap: .2rem 1.2rem; margin: .5rem 0; }}
 dt {{ color: #555; }} dd {{ margin: 0; }}
 .wide {{ overflow-x: auto; }} table {{ border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .9rem; }}
 th, td {{ text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #ddd; }}
 .n {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
 tfoot td {{ font-weight: bold; border-top: 1px solid #1c1c1c; border-bottom: 0; }}
 @media print {{ body {{ font-size: 10pt; margin: 0; max-width: none; }} thead {{ display: table-header-group; }}
   tr {{ break-inside: avoid; }} h2, h3 {{ break-after: avoid; }} }}
</style></head><body>
<h1>{title}</h1><p>{subtitle}</p>
"""


def as_html(sheet: Sheet) -> str:
    head = _HEAD.format(title=escape(sheet.title), subtitle=escape(sheet.subtitle))
    return head + "\n".join(line for section in sheet.sections for line in _section(section)) + "\n</body></html>\n"


def _section(section: Section) -> Iterator[str]:
    tag = f"h{section.level + 1}"
    yield f"<{tag}>{escape(section.heading)}</{tag}>"
    yield from (_block(block) for block in section.blocks)


def _block(block: Block) -> str:
    if isinstance(block, Line):
        text = escape(block.text)
        return f"<p><strong>{text}</strong></p>" if block.strong else f"<p>{text}</p>"
    if isinstance(block, Pairs):
        return (
            "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in block.rows) + "</dl>"
        )
    return _table(block)


def _table(table: Table) -> str:
    words = len(table.columns) - table.numbers
    head, body = _row(table.columns, words, "th"), "".join(_row(row, words) for row in table.rows)
    foot = f"<tfoot>{_row(table.total, words)}</tfoot>" if table.total else ""
    return f'<div class="wide"><table><thead>{head}</thead><tbody>{body}</tbody>{foot}</table></div>'


def _row(cells: Sequence[str], words: int, tag: str = "td") -> str:
    """The cells behind those that are words are numbers."""
    kinds = ("" if at < words else ' class="n"' for at in range(len(cells)))
    return (
        "<tr>"
        + "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True))
        + "</tr>"
    )
