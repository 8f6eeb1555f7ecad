"""The text of a mail out of its bodies. Called by the eml handler in a child."""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from redwell.handlers.mail import uuencoded
from redwell.handlers.mail.mime import Part
from redwell.handlers.structures.charset import decode
from redwell.handlers.structures.html import declared_charset, read_page

_HTML_TYPES = frozenset(("text/html", "application/xhtml+xml", "text/x-amp-html"))
_TEXT_TYPES = frozenset(("text/plain", "text/enriched", "text/richtext", *_HTML_TYPES))
# What machines write about a message: no file of anybody's, and worth finding.
_REPORT_TYPES = frozenset(
    (
        "message/delivery-status",
        "message/disposition-notification",
        "message/feedback-report",
        "text/rfc822-headers",
    )
)
_SHOWN = re.compile(r"\bcid:([^\s\"'<>)]+)", re.I)
_WORDS = re.compile(r"\w+")


@dataclass(slots=True)
class MailText:
    """The mail's own text, and what its bodies tell about other parts."""

    text: str = ""
    shown: set[str] = field(default_factory=set)  # Content-IDs that the HTML refers to
    embedded: list[tuple[str, bytes, bytes]] = field(default_factory=list)  # part path, name, content
    damaged: list[str] = field(default_factory=list)  # paths of bodies that did not decode whole


@dataclass(slots=True)
class _Block:
    """The bodies of one `multipart/alternative`, or a single body outside of any."""

    group: Part | None
    plain: list[str] = field(default_factory=list)
    markup: list[str] = field(default_factory=list)


def is_body(part: Part) -> bool:
    """True for a part that is read as the mail's own text, False for one that is a file of its own."""
    if part.media_type.startswith("multipart/"):  # a container whose boundary never comes
        return True
    if part.media_type not in _TEXT_TYPES and part.media_type not in _REPORT_TYPES:
        return False
    if part.disposition == "attachment":
        return False
    return part.parent is None or not part.filename


def read_text(data: bytes, bodies: list[Part], most_chars: int) -> MailText:
    """All bodies in order. Of alternatives the plain one, and those lines of the others that say more."""
    found = MailText()
    blocks: list[_Block] = []
    for part in bodies:
        is_markup = part.media_type in _HTML_TYPES
        text = _body(data, part, found, most_chars)
        group = part.alternative
        if group is None or not blocks or blocks[-1].group is not group:
            blocks.append(_Block(group))
        (blocks[-1].markup if is_markup else blocks[-1].plain).append(text)
    texts = (merged("\n\n".join(block.plain), "\n\n".join(block.markup)) for block in blocks)
    found.text = "\n\n".join(text for text in texts if text)
    return found


def _body(data: bytes, part: Part, found: MailText, most_chars: int) -> str:
    content, whole = part.content(data)
    if not whole:
        found.damaged.append(part.path)
    declared = part.parameters.get("charset", b"").decode("latin-1")
    if part.media_type in _HTML_TYPES:
        markup, _ = decode(content, declared or declared_charset(content[:4096]))
        found.shown |= shown_parts(markup)
        return read_page(markup, most_chars).text
    content, files = uuencoded.split(content)
    found.embedded += [(part.path, name, file) for name, file in files]
    text, _ = decode(content, declared)
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")


def shown_parts(markup: str) -> set[str]:
    """The Content-IDs that a page refers to."""
    return {unquote(name) for name in _SHOWN.findall(markup)}


def merged(plain: str, markup: str) -> str:
    """The plain text, then each line of the markup whose words do not stand in it in this order."""
    if not plain.strip() or not markup:
        return markup or plain
    known = " ".join(plain.split())
    more = [line for line in markup.split("\n") if " ".join(line.split()) not in known]
    if more:  # seldom, and dear: without marks of emphasis, addresses of links and the like
        known = _words(plain)
        more = [line for line in more if _words(line) not in known]
    return "\n".join((plain, "", *more)) if more else plain


def _words(text: str) -> str:
    return " ".join(("", *_WORDS.findall(text), ""))
