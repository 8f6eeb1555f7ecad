"""Lines of calendar files and address cards: `NAME;PARAMETER=x:value`, folded, escaped, encoded. Runs in a child.

Called by the calendar and contact handlers. Old files (vCalendar 1.0, vCard 2.1) are read as well as new ones.
"""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from redwell.core.handler import Child, Contents, Opening, Options, Piece, pending
from redwell.handlers.detect.plain_text import byte_order_mark, unmarked_unicode
from redwell.handlers.mail.mail_headers import base64_bytes
from redwell.handlers.structures.charset import decode, usable

_FOLD = re.compile(rb"\r?\n[ \t]|\r(?=\n)")
_NAME = re.compile(rb"(?:[\w-]+\.)?([\w-]+)((?:;[^:;\"]*(?:\"[^\"]*\"[^:;\"]*)*)*):", re.A)
_PARAMETER = re.compile(rb";([^=;:]*)(?:=((?:\"[^\"]*\"|[^;\"])*))?")
_ESCAPED = re.compile(r"\\([nN,;:\\\"])")
_MORE_BASE64 = re.compile(rb"[A-Za-z0-9+/=\s]{4,}")
_EXTENSIONS = {"jpeg": "jpg", "plain": "txt"}
_BINARY = frozenset(("b", "base64"))


@dataclass(frozen=True, slots=True)
class Line:
    """A property by its upper-case name; `binary` where its value is a file."""

    name: str
    parameters: dict[str, str]
    raw: str
    binary: bytes | None = None

    @property
    def text(self) -> str:
        """The value as people read it."""
        return _unescaped(self.raw)

    @property
    def fields(self) -> list[str]:
        """The parts of a structured value, as of a name or an address."""
        return [_unescaped(part).strip() for part in re.split(r"(?<!\\);", self.raw)]


def read_lines(data: bytes) -> Iterator[Line]:
    """Every line that is a property; blank ones and noise are left out."""
    mark = byte_order_mark(data)
    if (mark and mark[0] != "utf-8") or unmarked_unicode(data[:4096]):
        data, mark = decode(data)[0].encode(), None
    data = data[mark[1] :] if mark else data
    encoding = decode(data)[1]
    rows = _FOLD.sub(b"", data if b"\n" in data else data.replace(b"\r", b"\n")).split(b"\n")
    at = 0
    while at < len(rows):
        found = _NAME.match(rows[at])
        at += 1
        if found:
            told = _parameters(found[2], encoding)
            value, at = _whole_value(rows[at - 1][found.end() :], rows, at, _packing(told))
            yield _line(found[1].decode("ascii").upper(), told, value, encoding)


def _parameters(raw: bytes, encoding: str) -> dict[str, str]:
    """By upper-case name. Old files give values alone, as in `TEL;HOME:`; they stand for themselves."""
    return {
        name.decode("latin-1").strip().upper(): decode(text.strip(b'" '), encoding)[0]
        for name, text in _PARAMETER.findall(raw)
    }


def _packing(told: dict[str, str]) -> str:
    if not told:
        return ""
    packing = told.get("ENCODING") or next((name for name in ("BASE64", "QUOTED-PRINTABLE") if name in told), "")
    return "base64" if packing.lower() in _BINARY else packing.lower()


def _whole_value(value: bytes, rows: list[bytes], at: int, packing: str) -> tuple[bytes, int]:
    """The value with the rows that go on with it: old files don't fold them as new ones do."""
    runs = [value]
    while packing == "quoted-printable" and runs[-1].endswith(b"=") and at < len(rows):
        runs[-1] = runs[-1][:-1]
        runs.append(rows[at])
        at += 1
    while packing == "base64" and at < len(rows) and _MORE_BASE64.fullmatch(rows[at]):
        runs.append(rows[at])
        at += 1
    return b"".join(runs), at


def _line(name: str, told: dict[str, str], value: bytes, encoding: str) -> Line:
    packing = _packing(told)
    if packing == "base64":
        return Line(name, told, "", base64_bytes(value)[0])
    if packing == "quoted-printable":
        return Line(name, told, decode(binascii.a2b_qp(value), told.get("CHARSET", ""))[0].strip())
    return Line(name, told, usable(value.decode(encoding, "replace")).strip())


def _unescaped(raw: str) -> str:
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], raw)


def files(lines: list[Line], options: Options) -> Iterator[Piece]:
    """Each value that is a file, as a child with its exact bytes."""
    found = {f"{line.name.lower()}/{number}": line for number, line in enumerate(lines, 1) if line.binary}
    if found:
        yield Contents(declared=None)
    for locator in pending(found, options):
        line = found[locator]
        name = line.parameters.get("FILENAME") or line.parameters.get("X-FILENAME") or _made_up(locator, line)
        yield Opening(locator=locator, name=name)
        yield Child(locator=locator, name=name, data=line.binary or b"", role="embedded")


def _made_up(locator: str, line: Line) -> str:
    """A name for a picture or a key by its type, `IMAGE/JPEG` in new files and `JPEG` in old ones."""
    kind = line.parameters.get("FMTTYPE") or line.parameters.get("TYPE") or line.parameters.get("MEDIATYPE") or "bin"
    extension = re.sub(r"\W", "", kind.rpartition("/")[2].lower())
    return f"{locator.replace('/', ' ')}.{_EXTENSIONS.get(extension, extension) or 'bin'}"
