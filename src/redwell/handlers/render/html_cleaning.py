"""HTML that shows itself and nothing else: no script, no form, no frame, nothing fetched. Called in a child.

What it would fetch is found inside the document or leaves a marked gap. This is the second wall of three: behind it are
the browser's own settings and the sandbox, before it the reader.
"""

import base64
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

_GONE = frozenset(
    "script noscript iframe frame frameset object embed applet link meta base audio video source track portal "
    "template param bgsound canvas dialog title".split()
)
_ADDRESSES = frozenset(
    "src srcset background poster data href xlink:href action formaction ping lowsrc dynsrc longdesc cite profile "
    "classid codebase archive manifest usemap icon sizes imagesrcset".split()
)
_SHOWN_TYPES = frozenset(f"image/{kind}" for kind in "png jpeg jpg pjpeg gif bmp webp svg+xml x-icon avif".split())
_URL = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))\s*\)""", re.I)
_RULES = re.compile(r"@import[^;]*;?|@(?:page|font-face|namespace)[^{;]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})?", re.I)
_PAGED = re.compile(r"(?<![-\w])(?:page|page-break-\w+|break-(?:before|after))\s*:[^;}]*", re.I)
_FIXED = re.compile(r"position\s*:\s*(?:fixed|sticky)", re.I)
_ESCAPED = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.I | re.S)
_TINY = re.compile(r"\s*[012](?:px)?\s*\Z")
_MOST_INLINED = 32 << 20
_LONGEST_NAME = 80
Files = Mapping[str, tuple[str, bytes]]  # by Content-ID and by address: media type and bytes


class Cleaned(NamedTuple):
    style: str  # rules of its own
    body: str
    missing: int  # pictures that lie elsewhere and are not shown


class _Cleaner:
    def __init__(self, files: Files, address: str) -> None:
        self._files, self._address = files, address
        self._inlined = 0
        self.missing = 0

    def clean(self, root: Any) -> None:
        for node in list(root.iter()):
            if not isinstance(node.tag, str):
                _drop(node)
                continue
            tag = node.tag.lower().rpartition("}")[2].rpartition(":")[2]
            if tag in _GONE:
                _drop(node)
                continue
            source = node.get("src") or node.get("href") or node.get("{http://www.w3.org/1999/xlink}href")
            self._strip(node)
            if tag in ("img", "image", "input") and source:
                self._show(node, source, "src" if tag == "img" else "href")
            elif tag == "form":
                node.tag = "div"
            elif tag == "style":
                node.text = self.rules(node.text or "")

    def _strip(self, node: Any) -> None:
        backdrop = node.get("background")
        for name in list(node.attrib):
            if name.lower().rpartition("}")[2] in _ADDRESSES or name.lower().startswith("on") or ":" in name:
                del node.attrib[name]
        if style := node.get("style"):
            node.set("style", self.rules(style))
        if backdrop and (found := self._inline(backdrop)):
            node.set("style", f"{node.get('style', '')};background-image:url({found})")

    def _show(self, node: Any, source: str, attribute: str) -> None:
        if node.tag == "input":
            return
        if found := self._inline(source):
            node.set(attribute, found)
            return
        self.missing += 1
        is_tiny = any(_TINY.match(node.get(side, "")) for side in ("width", "height"))
        if node.tag == "img" and not is_tiny:
            _mark_gap(node, source)
        else:
            _drop(node)

    def _inline(self, source: str) -> str:
        """The address of data that the document holds; empty: it lies elsewhere."""
        source = source.strip()
        if source[:5].lower() == "data:":
            return source if source[5:].lower().startswith("image/") else ""
        name = unquote(source[4:]) if source[:4].lower() == "cid:" else source
        found = self._files.get(name) or self._files.get(urljoin(self._address, name)) if name else None
        if not found or found[0] not in _SHOWN_TYPES or self._inlined + len(found[1]) > _MOST_INLINED:
            return ""
        self._inlined += len(found[1])
        return f"data:{found[0]};base64,{base64.b64encode(found[1]).decode()}"

    def rules(self, text: str) -> str:
        """Style without what it would fetch, and with nothing that is repeated on every page."""
        text = _ESCAPED.sub(_letter, text) if "\\" in text else text
        text = _FIXED.sub("position:absolute", _PAGED.sub("", _RULES.sub("", text)))
        return _URL.sub(self._placed, text).replace("</", "")

    def _placed(self, found: "re.Match[str]") -> str:
        inline = self._inline(found[1] or found[2] or found[3] or "")
        return f'url("{inline}")' if inline else "none"


def cleaned(markup: str, files: Files, address: str = "") -> Cleaned:
    """What is to be shown of a page; `address` is where it lay, for those of its files that are named by it."""
    import lxml.html

    markup = markup.replace("\0", "")
    try:
        root = lxml.html.document_fromstring(markup.encode("utf-8", "replace"), parser=_parser())
    except (lxml.etree.ParserError, ValueError, AssertionError):
        return Cleaned("", "", 0)
    cleaner = _Cleaner(files, address)
    cleaner.clean(root)
    style = "".join(each.text or "" for each in root.iter("style"))
    for each in list(root.iter("style")):
        _drop(each)
    bodies = list(root.iter("body"))
    body = bodies[0] if bodies else root
    body.tag = "div"
    return Cleaned(style, lxml.html.tostring(body, encoding="unicode"), cleaner.missing)


def _parser() -> Any:
    import lxml.html

    return lxml.html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)


def _mark_gap(node: Any, source: str) -> None:
    """A frame of the picture's size that says what would have been there."""
    alternative, tail = node.get("alt", ""), node.tail
    size = ";".join(f"{side}:{node.get(side)}px" for side in ("width", "height") if node.get(side, "").isdigit())
    node.clear()
    node.tag, node.tail = "span", tail
    node.set("class", "redwell-gap")
    node.set("style", size)
    name = source.partition(",")[0] if source[:5].lower() == "data:" else source
    name = name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…"
    node.text = f"{alternative} [not fetched: {name}]".strip()


def _letter(escaped: "re.Match[str]") -> str:
    """What a sign stands for that is written by its number; so nothing is hidden from the rules above."""
    if escaped[2]:
        return " " if escaped[2] in "{}();\"'\n" else escaped[2]
    code = int(escaped[1], 16)
    return chr(code) if 32 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else " "


def _drop(node: Any) -> None:
    """Without the text behind it."""
    parent = node.getparent()
    if parent is None:
        return
    if node.tail:
        before = node.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + node.tail
        else:
            parent.text = (parent.text or "") + node.tail
    parent.remove(node)
