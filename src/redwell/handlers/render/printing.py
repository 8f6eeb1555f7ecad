"""Pages printed by a browser that is kept warm from one document to the next. Called by renderers in a child."""

import html
import io
from collections.abc import Iterable
from typing import NamedTuple

from redwell.core.errors import Unsupported
from redwell.core.outcomes import Code
from redwell.handlers.engines.chromium import Browser, Died
from redwell.handlers.render.html_cleaning import Cleaned

_PATIENCE_S = 45  # less than a small document may take, so that its text is shown instead
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_STYLE = """
@page { size: A4; margin: 15mm }
html { font-family: "Liberation Sans", "DejaVu Sans", "Noto Sans", sans-serif; font-size: 10pt }
body { margin: 0; overflow-wrap: break-word; -webkit-print-color-adjust: exact }
img, svg { max-width: 100%; height: auto }
pre { white-space: pre-wrap; font-family: "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace; font-size: 9pt }
.redwell-head { border-bottom: 1px solid #888; margin: 0 0 4mm; padding: 0 0 3mm; width: 100%; font: 9.5pt/1.35
  "Liberation Sans", "Noto Sans", sans-serif; color: #000; border-spacing: 0; background: #fff }
.redwell-head th { text-align: left; vertical-align: top; padding: 0 4mm 1mm 0; white-space: nowrap; width: 1% }
.redwell-head td { padding: 0 0 1mm; text-align: left }
.redwell-gap { display: inline-block; box-sizing: border-box; max-width: 45mm; overflow: hidden; white-space: nowrap;
  border: 1px dashed #999; text-overflow: ellipsis; color: #666; font: 7pt sans-serif; padding: 1px 3px }
.redwell-body { position: relative; unicode-bidi: plaintext }
"""
_warm: list[Browser] = []


class Printed(NamedTuple):
    pdf: bytes
    pages: int


class NotPrinted(Exception):
    """There is no browser, or it failed on this page twice; the text says which."""

    code = Code.HANDLER_ERROR


class NoBrowser(NotPrinted):
    code = Code.ENGINE_MISSING


def page_of(parts: Iterable[Cleaned | str], fields: Iterable[tuple[str, str]] = ()) -> str:
    """A page of cleaned HTML and of plain text, with fields above them."""
    styles, bodies = [], []
    for part in parts:
        if isinstance(part, str):
            bodies.append(f'<pre dir="auto">{html.escape(part)}</pre>')
        else:
            styles.append(part.style)
            bodies.append(part.body)
    rows = "".join(f"<tr><th>{html.escape(name)}<td dir=auto>{html.escape(value)}" for name, value in fields)
    head = f"<table class=redwell-head>{rows}</table>" if rows else ""
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{_POLICY}"><style>{"".join(styles)}</style><style>{_STYLE}</style></head>'
        f'<body>{head}<div class="redwell-body">{"".join(bodies)}</div></body></html>'
    )


def printed(page: str) -> Printed:
    """A browser that dies is replaced once: it may have died of an earlier page."""
    for was_warm in (bool(_warm), False):
        try:
            if not _warm:
                _warm.append(Browser(_PATIENCE_S))
            return _finished(_warm[0].pdf(page))
        except Unsupported as error:
            raise NoBrowser(str(error)) from None
        except Died as error:
            _warm.clear()
            if not was_warm:
                raise NotPrinted(f"the browser failed on it: {error}") from None
    raise AssertionError("unreachable: the last try returns or raises")


def _finished(pdf: bytes) -> Printed:
    """The same page gives the same bytes: no date of the rendition, no random name."""
    import pikepdf

    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for key in ("/CreationDate", "/ModDate"):
            if key in document.docinfo:
                del document.docinfo[key]
        for page in document.pages:
            if "/Annots" in page.obj:
                del page.obj["/Annots"]
        document.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return Printed(out.getvalue(), len(document.pages))
