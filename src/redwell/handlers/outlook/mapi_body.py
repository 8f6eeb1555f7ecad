"""The text of a MAPI message out of its plain, HTML and RTF bodies. Called by the readers of MSG, TNEF and PST."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from redwell.core.errors import InvalidFile
from redwell.handlers.mail.mail_text import merged, shown_parts
from redwell.handlers.outlook.mapi import BINARY, Properties
from redwell.handlers.outlook.rtf_compressed import unpacked
from redwell.handlers.outlook.rtf_html import Body, unwrapped
from redwell.handlers.structures.charset import decode
from redwell.handlers.structures.html import declared_charset, read_page

_SHOWN_HERE = "\N{OBJECT REPLACEMENT CHARACTER}"
_SOURCES = re.compile(r"\bsrc\s*=\s*[\"']?([^\s\"'<>]+)", re.I)
PLAIN, HTML, RTF, REPORT = 0x1000, 0x1013, 0x1009, 0x1001


@dataclass(slots=True)
class MessageText:
    """The text of the better body with what only another one says, and what the bodies tell about attachments."""

    text: str = ""
    bodies: list[str] = field(default_factory=list)  # which there are: plain, html, rtf
    shown: set[str] = field(default_factory=set)  # Content-IDs and locations that the HTML refers to
    damaged: list[str] = field(default_factory=list)
    markup: str = ""  # the HTML body as it is


def read_bodies(properties: Properties, most_chars: int) -> MessageText:
    """Every body is looked at: plain text is often cut off or empty where HTML is whole, and the other way round."""
    found = MessageText()
    plain = _lines(properties.text(PLAIN) or properties.text(REPORT))
    markup = _html(properties)
    wrapped = Body("rtf", "") if markup else _rtf(properties, found)  # the same words, dear to unwrap
    markup = markup or (wrapped.content if wrapped.kind == "html" else "")
    found.bodies = [name for name, there in (("plain", plain), ("html", markup), ("rtf", RTF in properties)) if there]
    found.markup = markup
    found.shown = shown_parts(markup) | set(_SOURCES.findall(markup))
    if markup:
        found.text = merged(plain, read_page(markup, most_chars).text)
    else:  # whoever writes RTF has his program make the plain body from it
        found.text = merged(_lines(wrapped.content), plain)
    return found


def with_names(text: str, names: Iterable[str]) -> str:
    """The text of an RTF body with the names of its attachments where it shows them."""
    for name in names:
        text = text.replace(_SHOWN_HERE, f"[{name}]", 1)
    return text.replace(_SHOWN_HERE, "")


def _html(properties: Properties) -> str:
    if properties.kind(HTML) != BINARY:
        return properties.text(HTML)
    raw = properties.binary(HTML)
    return decode(raw, properties.html_encoding or declared_charset(raw[:4096]))[0]


def _rtf(properties: Properties, found: MessageText) -> Body:
    try:
        raw, whole = unpacked(properties.binary(RTF)) if properties.binary(RTF) else (b"", True)
        body = unwrapped(raw) if raw else Body("rtf", "")
    except InvalidFile as error:
        found.damaged.append(str(error))
        return Body("rtf", "")
    if not whole:
        found.damaged.append("the RTF body is cut off; what could be unpacked is kept")
    return body


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
