"""HTML and XHTML: visible text with its line breaks, title and the usual meta fields. Runs in a child.

The parser reports events and builds no tree, so nesting of any depth and files of any size cost little memory.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.structures.charset import decode

SPEC = HandlerSpec(
    name="html", media_types=frozenset(("text/html", "application/xhtml+xml")), version=3, score=60, kind="document"
)

_CHUNK = 1 << 20
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_SELF_CLOSED = re.compile(r"<(script|style|title|textarea|iframe|a|div|span|p)\b([^<>]*)/>", re.I)
_BREAKS = {
    **dict.fromkeys("p h1 h2 h3 h4 h5 h6 table ul ol dl blockquote pre title article section".split(), "\n\n"),
    **dict.fromkeys("br div tr li dt dd hr form address center header footer nav aside option body".split(), "\n"),
    **dict.fromkeys("main figure figcaption details summary fieldset legend caption dialog menu dir".split(), "\n"),
    **dict.fromkeys(("select", "optgroup", "textarea", "iframe"), "\n"),
    **dict.fromkeys(("button", "input"), " "),
    **dict.fromkeys(("td", "th"), "\t"),
}
_TYPED = frozenset(("", "text", "search", "email", "tel", "url", "number", "date", "time", "submit", "button", "reset"))
_UNSEEN = frozenset(("script", "style", "template", "object", "applet"))
_META_FIELDS = {"author": "author", "description": "description", "keywords": "keywords", "dc.creator": "author"}
_SPACES = re.compile(r"[ \t\r\n\f\v\xa0]+")
_TAG_OR_WORDS = re.compile(r"<(/?\w*)[^<>]*>?|([^<]+)")
_AROUND_BREAKS = re.compile(r"(?<![ \t])[ \t]*\n[ \t]*")
_MANY_BREAKS = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Page:
    """What a reader of the page sees, and what it says of itself."""

    text: str
    metadata: dict[str, str]


class _Collector:
    """Takes the parser's events. One collector serves page after page: making a parser costs more than a small page."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._blocks: list[str] = []
        self._runs: list[str] = []
        self._metadata: dict[str, str] = {}
        self._title: list[str] | None = None
        self._unseen = self._verbatim = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        mark = _BREAKS.get(tag)
        if mark:
            self._runs.append(mark)
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag == "pre":
            self._verbatim += 1
        elif tag == "title" and "title" not in self._metadata:
            self._title = []
        elif tag == "input" and attributes.get("type", "").lower() in _TYPED:
            self.data(attributes.get("value", ""))  # what was typed in, or what a button says
        elif tag == "iframe" and attributes.get("srcdoc"):
            self._runs.append(_framed(attributes["srcdoc"]))
        elif tag == "meta":
            self._keep(_META_FIELDS.get(attributes.get("name", "").lower()), attributes.get("content", ""))

    def end(self, tag: str) -> None:
        mark = _BREAKS.get(tag)
        if mark:
            self._runs.append(mark)
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
        elif tag == "title" and self._title is not None:
            self._keep("title", "".join(self._title))
            self._title = None

    def data(self, text: str) -> None:
        if self._unseen:
            return
        self._runs.append(text if self._verbatim else _SPACES.sub(" ", text))
        if self._title is not None:
            self._title.append(text)

    def gather(self) -> int:
        """Join the runs so far, for millions of small strings are dear to keep. Tells how long the text has grown."""
        self._blocks.append("".join(self._runs))
        self._runs.clear()
        return sum(map(len, self._blocks))

    def close(self) -> Page:
        """The page so far; the next one begins empty."""
        self.gather()
        text = _MANY_BREAKS.sub("\n\n", _AROUND_BREAKS.sub("\n", "".join(self._blocks))).strip()
        page = Page(text, self._metadata)
        self._begin()
        return page

    def _keep(self, name: str | None, value: str) -> None:
        value = " ".join(value.split())
        if name and value:
            self._metadata.setdefault(name, value)


def _framed(markup: str) -> str:
    """The words of a page that another holds as an attribute; one inside that is text as it is."""
    words, inside = [], ""
    for tag, text in _TAG_OR_WORDS.findall(markup):
        if not inside and tag.lower() in _UNSEEN:
            inside = tag.lower()
        elif tag.lower() == f"/{inside}":
            inside = ""
        elif text and not inside:
            words.append(text)
    return _SPACES.sub(" ", " ".join(words))


@cache
def _parser() -> tuple[Any, _Collector]:
    from lxml import etree

    collector = _Collector()
    return etree.HTMLParser(target=collector, encoding="utf-8", huge_tree=True), collector


def read_page(markup: str, most_chars: int) -> Page:
    """The visible text and fields of a page or of a fragment of one; never fails on bad markup.

    Stops some way behind `most_chars` characters of text.
    """
    from lxml import etree

    if markup.lstrip()[:5] == "<?xml":  # in HTML a self-closed title or script would swallow all that follows
        markup = _SELF_CLOSED.sub(r"<\1\2></\1>", markup)
    if not markup.strip():
        return Page("", {})
    parser, collector = _parser()
    try:
        for start in range(0, len(markup), _CHUNK):
            parser.feed(markup[start : start + _CHUNK].encode())
            if len(markup) > _CHUNK and collector.gather() > most_chars * 2:
                break
        return cast(Page, parser.close())
    except etree.XMLSyntaxError:  # an empty page, or one that libxml2 gives up on: what was read stands
        _parser.cache_clear()
        return collector.close()


def declared_charset(head: bytes) -> str:
    """What a page says of its own encoding. A page that can say so in ASCII is in no wide encoding."""
    found = _DECLARED.search(head)
    told = found[1].decode().lower() if found else ""
    return "" if told.startswith(("utf-16", "utf-32", "ucs-")) else told


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    most = options.max_text_chars * 2
    with source.open() as file:
        data = file.read(most)
    markup, encoding = decode(data, declared_charset(data[:4096]))
    page = read_page(markup, options.max_text_chars)
    fields: dict[str, MetaValue] = {"encoding": encoding, **page.metadata}
    yield Metadata(values=fields)
    text = page.text
    yield Text(text=text[: options.max_text_chars])
    if source.size > most or len(text) > options.max_text_chars:
        yield Trouble(code=Code.LIMIT_REACHED, detail=f"text cut off at max_text_chars={options.max_text_chars}")
