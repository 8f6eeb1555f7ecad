"""Reads RTF: text in the code page of each font, notes, headers, text boxes, properties, objects. Runs in a child."""

import re
from dataclasses import dataclass, field, replace

from redwell.core.errors import InvalidFile
from redwell.core.handler import MetaValue
from redwell.handlers.structures.code_pages import codec as codec_of
from redwell.handlers.structures.dates import dated
from redwell.handlers.structures.rtf_words import (
    CHARSETS,
    ESCAPES,
    INFO,
    INFO_DATES,
    KEPT,
    OPEN,
    READ,
    SKIPPED,
    SYMBOLS,
)

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)", re.DOTALL
)
_NO_HEX = re.compile(rb"[^0-9a-fA-F]+")
_MAX_DEPTH = 4_000
_DRAWN_WORDS = b"gtextUNICODE"  # the property of a shape that is text, as of a watermark


@dataclass(slots=True)
class _Group:
    """What braces save and restore."""

    destination: str = "body"
    codec: str = "cp1252"
    unicode_skip: int = 1
    starred: bool = False
    fresh: bool = True  # no word of this group has been seen yet
    entered: bool = False  # this very group opened its destination
    suppressed: bool = False  # its words only show HTML in RTF's own way (`rtf_html`)


@dataclass
class Document:
    """What an RTF file says."""

    text: str = ""
    properties: dict[str, MetaValue] = field(default_factory=dict)
    noticed: set[str] = field(default_factory=set)
    objects: list[bytes] = field(default_factory=list)  # OLE 1 objects, in order


class Reader:
    """One pass over the tokens; a subclass may read other destinations (`rtf_html`)."""

    def __init__(self) -> None:
        self.document = Document()
        self.group = _Group()
        self.groups: list[_Group] = []
        self.default_codec = "cp1252"
        self.fonts: dict[int, str] = {}
        self.font_number = 0
        self.bytes_run = bytearray()
        self.out: list[str] = []
        self.outer: list[list[str]] = []
        self.behind: list[str] = []
        self.collected: list[bytes] = []
        self.date: dict[str, int] = {}
        self.to_skip = 0
        self.shape_property = b""
        self.comment_author = ""

    def read(self, data: bytes) -> Document:
        position = 0
        while match := _TOKEN.match(data, position):
            position = match.end()
            word, number, hexed, escaped, brace, plain = match.groups()
            if word:
                position += self._word(word.decode("ascii"), None if number is None else int(number))
            elif hexed:
                self._bytes(bytes.fromhex(hexed.decode("ascii")))
            elif brace:
                self._open() if brace == b"{" else self._close()
            elif escaped:
                self._escape(escaped)
            elif plain:
                self._bytes(plain)
        while self.groups:
            self._close()
        self._flush()
        self.document.text = "".join(self.out + self.behind)
        return self.document

    def _open(self) -> None:
        self._flush()
        if len(self.groups) > _MAX_DEPTH:
            raise InvalidFile("groups are nested too deeply")
        self.groups.append(self.group)
        self.group = replace(self.group, starred=False, fresh=True, entered=False)
        self.to_skip = 0

    def _close(self) -> None:
        self._flush()
        ended = self.group
        self.group = self.groups.pop() if self.groups else _Group()
        if ended.entered:
            self._leave(ended.destination)

    def _enter(self, destination: str) -> None:
        self._flush()
        self.group.destination, self.group.entered = destination, True
        self.collected.clear()
        if destination == "annotation":
            self.document.noticed.add(destination)
        if destination in KEPT:
            self.outer.append(self.out)
            self.out = []
        self.date = {} if destination in INFO_DATES else self.date

    def _leave(self, ended: str) -> None:
        if ended in KEPT:
            text = "".join(self.out).strip()
            self.out = self.outer.pop()
            if ended in INFO and text:
                self.document.properties[INFO[ended]] = text
            elif ended == "atnauthor":
                self.comment_author = f"{text}: "
            elif text:
                self.behind.append(f"{self.comment_author if ended == 'annotation' else ''}{text}\n")
        elif ended in INFO_DATES:
            self._date(INFO_DATES[ended])
        elif ended == "sn":
            self.shape_property = b"".join(self.collected).strip()
        elif ended == "objdata":
            hexed = _NO_HEX.sub(b"", b"".join(self.collected))
            self.document.objects.append(bytes.fromhex(hexed[: len(hexed) // 2 * 2].decode("ascii")))

    def _date(self, name: str) -> None:
        parts = [self.date.get(key, low) for key, low in (("yr", 0), ("mo", 1), ("dy", 1), ("hr", 0), ("min", 0))]
        if parts[0]:
            told = "{:04d}-{:02d}-{:02d}T{:02d}:{:02d}:00".format(*parts)
            self.document.properties |= dated(name, told, told)

    def _word(self, word: str, number: int | None) -> int:
        """Acts on a control word; returns how many raw bytes behind it are not RTF."""
        if word == "bin":
            return max(number or 0, 0)
        if self.to_skip and word != "u":
            self.to_skip -= 1
        if self.group.fresh and self._destination(word):
            return 0
        self.group.fresh = False
        if word == "u" and number is not None:
            self._unicode(number)
        elif word in SYMBOLS:
            self._say(SYMBOLS[word])
        elif self.group.destination in INFO_DATES:
            self.date[word] = number or 0
        elif word in ("deleted", "revised", "v") and number != 0:
            self.document.noticed.add(word)
        else:
            self._setting(word, number)
        return 0

    def _destination(self, word: str) -> bool:
        """True where the word opens a destination; an inner group never reads what its outer one skips."""
        if self.group.destination == "skipped" or (word == "ud" and self.group.destination == "info"):
            return False  # the latter holds a property again, in Unicode
        is_setting = word == "sv" and self.shape_property != _DRAWN_WORDS
        if word in SKIPPED or is_setting or (self.group.starred and word not in READ):
            self._enter("skipped")
        elif word in OPEN:
            self._enter("skipped" if word == "objclass" else word)
        else:
            return False
        self.group.fresh = False
        return True

    def _setting(self, word: str, number: int | None) -> None:
        if word == "ansicpg":
            self.default_codec = self.group.codec = codec_of(number or 0)
        elif word == "mac":
            self.default_codec = self.group.codec = "mac-roman"
        elif word == "uc":
            self.group.unicode_skip = max(number or 0, 0)
        elif word == "f":
            self.font_number = number or 0
            self._switch_codec(self.fonts.get(self.font_number, self.default_codec))
        elif word == "plain":
            self._switch_codec(self.default_codec)
        elif word in ("fcharset", "cpg") and self.group.destination == "fonttbl" and number:
            codec = CHARSETS.get(number, self.default_codec) if word == "fcharset" else codec_of(number or 0)
            self.fonts[self.font_number] = codec

    def _switch_codec(self, codec: str) -> None:
        if codec != self.group.codec:
            self._flush()
            self.group.codec = codec

    def _escape(self, escaped: bytes) -> None:
        if escaped == b"*":
            self.group.starred = True
        elif escaped in b"\\{}":
            self._bytes(escaped)
        elif (said := ESCAPES.get(escaped.decode("latin-1"))) is not None:
            self._say(said)

    def _unicode(self, number: int) -> None:
        self._flush()
        if self._counts():
            self.out.append(chr(number & 0xFFFF))
        self.to_skip = self.group.unicode_skip

    def _bytes(self, raw: bytes) -> None:
        skipped = min(self.to_skip, len(raw))
        self.to_skip -= skipped
        if self.group.destination in ("objdata", "sn"):
            self.collected.append(raw)
        elif self._counts():
            self.bytes_run += raw[skipped:]

    def _say(self, text: str) -> None:
        self._flush()
        if self._counts():
            self.out.append(text)
            if text == "\n" and self.behind and not self.outer:
                self.out += self.behind
                self.behind.clear()

    def _counts(self) -> bool:
        return self.group.destination == "body" or self.group.destination in KEPT

    def _flush(self) -> None:
        if self.bytes_run:
            self.out.append(self.bytes_run.decode(self.group.codec, "replace"))
            self.bytes_run.clear()


def read(data: bytes) -> Document:
    """Text, properties and objects; raises `InvalidFile` where the bytes are no RTF."""
    start = data[:64].find(b"{\\rt")
    if start < 0:
        raise InvalidFile("no RTF header")
    document = Reader().read(data[start:])
    document.text = paired(document.text)
    return document


def paired(text: str) -> str:
    """Two escapes make one character outside the basic plane; half of a pair is damage."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
