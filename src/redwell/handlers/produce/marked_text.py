"""Markup without its marks, for whoever looks for words in it. Called in a child. Pure."""

import html
import re
from collections.abc import Iterator

# of HTML, Word, Excel, PowerPoint and OpenDocument: behind these one word ends, behind all others it may go on
_ENDS = re.compile(
    r"(?i)<(?:/?(?:\w+:)?(?:p|h\d?|br|tab|div|td|th|tr|li|ul|ol|si|c|row|t[rc]|cr|table|text|title|body|option)"
    r"|w:tab|text:(?:s|tab|line-break)|!--)\b[^>]*>"
)
_MARK = re.compile(r"<[^>]*>")
_CONTROL = re.compile(
    r"\\'([0-9a-fA-F]{2})|\\u(-?\d{1,6})\s?\??|\\(?:par|line|tab|cell|row)\b ?|\\[a-z]+-?\d* ?|[{}\r\n]"
)
_BREAKS = ("par", "line", "tab", "cell", "row")


def plain_of_markup(text: str) -> Iterator[str]:
    """As it is read, runs joined; and with every mark as a blank, for values that stand side by side."""
    yield html.unescape(_MARK.sub("", _ENDS.sub("\n", text)))
    yield html.unescape(_MARK.sub(" ", text))
    yield html.unescape(text)  # attributes


def plain_of_rtf(text: str) -> str:
    return _CONTROL.sub(_said, text)


def _said(found: re.Match[str]) -> str:
    if found[1]:
        return bytes([int(found[1], 16)]).decode("cp1252", "replace")
    if found[2]:
        return chr(int(found[2]) % 0x10000)
    return "\n" if found[0].strip("\\ ") in _BREAKS else ""
