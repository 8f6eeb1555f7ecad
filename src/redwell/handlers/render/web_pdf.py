"""Handler for web pages, saved ones with their pictures and styles, and SVG drawings. Runs in a child of the browser
profile; where there is no browser, a page's words are shown.
"""

import base64
import html
from collections.abc import Iterator
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import Unsupported
from redwell.core.handler import Artifact, Options, Piece, Source, Trouble
from redwell.core.work.renderers import spec_of
from redwell.handlers.mail.eml import open_message
from redwell.handlers.mail.mail_headers import decode_value, first
from redwell.handlers.mail.mime import Part
from redwell.handlers.render.html_cleaning import Cleaned, Files, cleaned
from redwell.handlers.render.mail_contents import Body, body_of
from redwell.handlers.render.printing import NotPrinted, page_of, printed
from redwell.handlers.render.typeset import typeset
from redwell.handlers.structures.charset import decode
from redwell.handlers.structures.html import declared_charset, read_page

SPEC = spec_of("web-pdf")
_SVG, _SAVED = "image/svg+xml", "multipart/related"
_HTML = ("text/html", "application/xhtml+xml")
_MOST_MARKUP = 8_000_000
_MOST_STYLE = 4_000_000


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    if options.media_type == _SVG:
        yield _drawn(source.read())
        return
    markup, files, address, style = _saved(source, options) if options.media_type == _SAVED else _page(source)
    try:
        if options.plain:
            raise NotPrinted("the browser failed on it before")
        yield _printed(markup, files, address, style)
    except NotPrinted as reason:
        yield Trouble(code=reason.code, detail=f"shown as plain text: {reason}", partial=False)
        made = typeset(read_page(markup, options.max_text_chars).text, scratch)
        yield Artifact(kind=ArtifactKind.PDF, data=made.pdf, media_type="application/pdf", amount=made.pages)


def _page(source: Source) -> tuple[str, Files, str, str]:
    data = source.read()
    return decode(data, declared_charset(data[:4096]))[0], {}, "", ""


def _saved(source: Source, options: Options) -> tuple[str, Files, str, str]:
    """The first page of the archive, its files by address and by name, where it lay, and the styles beside it."""
    opened = open_message(source.read(), options)
    page, styles, address = Body(""), "", ""
    files: dict[str, tuple[str, bytes]] = {}
    for part in opened.parts:
        if part.children:
            continue
        if part.media_type in _HTML and not page.text:
            page, address = body_of(opened.data, part), _place(part, "content-location")
        elif part.media_type == "text/css" and len(styles) < _MOST_STYLE:
            styles += decode(part.content(opened.data)[0])[0]
        elif part.media_type.startswith("image/"):
            content = part.content(opened.data)[0]
            keys = (_place(part, "content-location"), _place(part, "content-id"))
            files |= {key: (part.media_type, content) for key in keys if key}
    return page.text, files, address, styles


def _place(part: Part, name: str) -> str:
    return decode_value(first(part.headers, name)).strip("<> \t")


def _printed(markup: str, files: Files, address: str, style: str) -> Artifact:
    if len(markup) > _MOST_MARKUP:
        raise NotPrinted(f"over {_MOST_MARKUP:,} characters of markup")
    styled = f"<style>{style}</style>{markup}" if style else markup
    shown = cleaned(styled, files, address)
    made = printed(page_of([shown]))
    figures = {"not_fetched": shown.missing} if shown.missing else {}
    return Artifact(
        kind=ArtifactKind.PDF, data=made.pdf, media_type="application/pdf", amount=made.pages, figures=figures
    )


def _drawn(data: bytes) -> Artifact:
    """As a picture: what is drawn so runs no script and fetches nothing, by the rules of the web."""
    source = f"data:{_SVG};base64,{base64.b64encode(data).decode()}"
    body = f'<img style="max-width:100%;max-height:260mm" src="{html.escape(source)}">'
    try:
        made = printed(page_of([Cleaned("", body, 0)]))
    except NotPrinted as reason:
        raise Unsupported(f"a drawing is shown by a browser: {reason}") from None
    return Artifact(kind=ArtifactKind.PDF, data=made.pdf, media_type="application/pdf", amount=made.pages)
