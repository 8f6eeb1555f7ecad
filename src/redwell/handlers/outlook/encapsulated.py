"""The HTML that Outlook hid inside an RTF body (MS-OXRTFEX), taken out again. Runs in a child."""

import codecs
import re
from dataclasses import dataclass, replace

from redwell.handlers.documents.rtf_words import CHARSETS, SYMBOLS

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)", re.DOTALL
)
_MARK = re.compile(rb"\\fromhtml1?(?![0-9])")
_HEAD = 1024
_NOT_SHOWN = frozenset(("colortbl", "stylesheet", "info", "pntext", "pict", "object"))
_MOST_GROUPS = 4_000


@dataclass(slots=True)
class _Group:
    codec: str = "cp1252"
    skip: int = 1  # characters behind each \u that stand for it
    shown: bool = True
    is_rtf: bool = False  # between \htmlrtf and \htmlrtf0: for readers of RTF alone
    starred: bool = False
    is_fonts: bool = False


class _Reader:
    def __init__(self) -> None:
        self._group, self._groups = _Group(), list[_Group]()
        self._fonts: dict[int, str] = {}
        self._font, self._to_skip = 0, 0
        self._bytes, self._out = bytearray(), list[str]()

    def read(self, data: bytes) -> str:
        at = 0
        while token := _TOKEN.match(data, at):
            at = token.end()
            word, number, hexed, escaped, brace, text = token.groups()
            if word:
                at += self._word(word.decode("ascii"), None if number is None else int(number))
            elif brace:
                self._brace(brace)
            elif escaped == b"*":
                self._group.starred = True
            elif escaped:
                self._say({b"~": "&nbsp;", b"_": "&shy;"}.get(escaped, escaped.decode("latin-1")))
            elif hexed or text:
                self._add(bytes.fromhex(hexed.decode()) if hexed else text)
        self._flush()
        return "".join(self._out)

    def _brace(self, brace: bytes) -> None:
        self._flush()
        if brace == b"{" and len(self._groups) < _MOST_GROUPS:
            self._groups.append(self._group)
            self._group = replace(self._group, starred=False)
        elif brace == b"}" and self._groups:
            self._group = self._groups.pop()

    def _word(self, word: str, number: int | None) -> int:
        group = self._group
        if word == "bin":
            return max(number or 0, 0)
        if word == "htmlrtf":
            self._flush()
            group.is_rtf = number != 0
        elif word in _NOT_SHOWN or (group.starred and word != "htmltag"):
            group.shown = False
        elif word == "fonttbl":
            group.shown, group.is_fonts = False, True
        elif word == "u" and number is not None:
            self._say(chr(number & 0xFFFF))
            self._to_skip = group.skip
        elif word in ("par", "line"):
            self._say("\r\n")
        elif word in SYMBOLS:
            self._say(SYMBOLS[word])
        else:
            self._setting(word, number or 0)
        group.starred = False
        return 0

    def _setting(self, word: str, number: int) -> None:
        if word == "uc":
            self._group.skip = max(number, 0)
        elif word == "ansicpg":
            self._switch(_codec(number))
        elif word == "f" and self._group.is_fonts:
            self._font = number
        elif word == "fcharset":
            self._fonts[self._font] = CHARSETS.get(number, "")
        elif word == "f" and self._fonts.get(number):
            self._switch(self._fonts[number])

    def _switch(self, codec: str) -> None:
        self._flush()
        self._group.codec = codec

    def _add(self, raw: bytes) -> None:
        skipped = min(self._to_skip, len(raw))
        self._to_skip -= skipped
        if self._group.shown and not self._group.is_rtf:
            self._bytes += raw[skipped:]

    def _say(self, text: str) -> None:
        self._flush()
        if self._group.shown and not self._group.is_rtf:
            self._out.append(text)

    def _flush(self) -> None:
        if self._bytes:
            self._out.append(self._bytes.decode(self._group.codec, "replace"))
            self._bytes.clear()


def _codec(code_page: int) -> str:
    try:
        return codecs.lookup({65001: "utf-8", 10000: "mac-roman"}.get(code_page, f"cp{code_page}")).name
    except LookupError:
        return "cp1252"


def html_of(rtf: bytes) -> str:
    """The page as it was, or nothing where the body was written as RTF."""
    if not _MARK.search(rtf, 0, _HEAD):
        return ""
    # a character outside the basic plane comes as two halves
    return _Reader().read(rtf).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
