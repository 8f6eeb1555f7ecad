"""Reads and decodes the header fields of mail: words, parameters, addresses, dates. Called by the eml handler.

Own code, because evidence breaks the rules the standard library insists on: raw 8-bit values, unknown
charsets, encoded words cut in the middle of a character, garbage between fields.
"""

import binascii
import re
from datetime import datetime, timedelta
from email.utils import parsedate_tz
from urllib.parse import unquote_to_bytes

from redwell.handlers.structures.charset import decode
from redwell.handlers.structures.dates import iso

Headers = dict[str, list[bytes]]

_FIELD = re.compile(rb"^((?!--)[!-9;-~]+)([ \t]*):([^\n]*(?:\n[ \t][^\n]*)*)", re.M)
_FIELDS = re.compile(rb"(?:(?!--)[!-9;-~]+[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*(?:\n|\Z))*")
_BLANK_LINE = re.compile(rb"\n[ \t]*\r?(?:\n|\Z)")
_RESUMES = re.compile(
    rb"(?:[^\n]+\n){1,3}?(?=(?:from|to|cc|date|subject|message-id|mime-version|received|content-[a-z-]+|x-[\w-]+):)",
    re.I,
)
_BLANK = re.compile(rb"[ \t]*\r?(?:\n|\Z)")
_FOLD = re.compile(rb"\r?\n(?=[ \t])|[\r\n]+")
_WORD = re.compile(rb"=\?([^?\s]{0,80})\?([bBqQ])\?(.{0,4000}?)\?=", re.S)
_PARAMETER = re.compile(rb"(?<![^;\s])([^\s=;\"]++)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^;]*)", re.S)
_ESCAPED = re.compile(rb"\\([\"\\])")
# Each opening takes what follows even if it is never closed: no input is looked at twice.
_ADDRESS_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*"?|\((?:[^()\\]|\\.)*\)?|<[^<>]*>?|[,;:]|[^",;:<(]+', re.S)
_USUAL_DATE = re.compile(
    r"(?:[A-Za-z]{3,9},?\s+)?(\d{1,2})\s+([A-Za-z]{3})[a-z]*\s+(\d{4})\s+(\d\d?):(\d\d)(?::(\d\d))?\s*([+-])(\d\d):?(\d\d)\b"
)
_ISO_DATE = re.compile(r"\s*(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?\s*(Z|[+-]\d\d:?\d\d)?\s*(?:\(|$)")
_LONGEST_VALUE = 1 << 18  # a longer one is an attack
_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_ZONE = re.compile(r"[+-]\d{4}\b|\b(?:GMT|UTC?|Z|[AECMP][SD]T)\b")  # the standard library takes any other for UTC
_ZONE_NAME = re.compile(r"\b(?:GMT|UTC)(?=[+-]\d)")


def read_headers(data: bytes, start: int, end: int) -> tuple[Headers, int]:
    """The fields by lower-case name, and where the body begins. No line is dropped: what is no field is body."""
    headers: Headers = {}
    dashes = data.find(b"\n--", start, end)  # no field begins so; a boundary may stand where a blank line is missing
    stop = end if dashes < 0 else dashes + 1
    blank = _BLANK_LINE.search(data, start, stop)
    block = data[start : blank.start() if blank else stop].removesuffix(b"\n")
    fields = _FIELD.findall(block)
    # a field is its three groups, a colon and a line end: a sum that falls short shows lines that are no fields
    if fields and sum(len(name) + len(gap) + len(value) + 2 for name, gap, value in fields) - 1 == len(block):
        _collect(fields, headers)
        return headers, blank.end() if blank else stop
    return headers, _read_broken(data, start, stop, headers)


def _collect(fields: list[tuple[bytes, bytes, bytes]], headers: Headers) -> None:
    for name, _, value in fields:
        headers.setdefault(name.decode("ascii").lower(), []).append(value.strip())


def _read_broken(data: bytes, at: int, end: int, headers: Headers) -> int:
    """Fields with garbage between them: goes on behind it where known fields follow, else the body begins."""
    while True:
        block = _FIELDS.match(data, at, end)
        stop = block.end() if block else at
        _collect(_FIELD.findall(data[at:stop]), headers)
        at = stop
        blank = _BLANK.match(data, at, end)
        if blank:
            return blank.end()
        garbage = _RESUMES.match(data, at, end) if headers and not data.startswith(b"--", at) else None
        if garbage is None:
            return at
        at = garbage.end()


def first(headers: Headers, name: str) -> bytes:
    """The first value of a field; empty where it is missing."""
    values = headers.get(name)
    return values[0] if values else b""


def decode_value(raw: bytes) -> str:
    """A field's text: unfolded, encoded words decoded, raw 8-bit text in its likeliest encoding."""
    raw = raw[:_LONGEST_VALUE]
    raw = _FOLD.sub(b"", raw) if b"\n" in raw or b"\r" in raw else raw
    if b"=?" not in raw:
        return raw.decode("ascii") if raw.isascii() and b"\x1b" not in raw else decode(raw)[0]
    runs: list[tuple[str, bytes]] = []  # charset and bytes; neighbours of one charset may share a character
    at = 0
    for word in _WORD.finditer(raw):
        between = raw[at : word.start()]
        if between.strip() or not runs:
            runs.append(("", between))
        charset = word[1].split(b"*")[0].decode("latin-1").lower()
        content = _word_bytes(word[2], word[3])
        if runs and runs[-1][0] == charset:
            runs[-1] = (charset, runs[-1][1] + content)
        else:
            runs.append((charset, content))
        at = word.end()
    runs.append(("", raw[at:]))
    return "".join(decode(content, charset)[0] for charset, content in runs)


def _word_bytes(kind: bytes, content: bytes) -> bytes:
    return base64_bytes(content)[0] if kind in b"bB" else binascii.a2b_qp(content, header=True)


def base64_bytes(data: bytes) -> tuple[bytes, bool]:
    """The decoded bytes, and whether all of the input took part; a cut-off end costs only its last bytes."""
    try:
        return binascii.a2b_base64(data), True
    except binascii.Error:
        kept = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
        whole = len(kept) % 4 != 1
        kept = kept if whole else kept[:-1]
        return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4)), whole


def parameters(value: bytes) -> tuple[str, dict[str, bytes]]:
    """The value before its parameters in lower case, and the parameters by lower-case name, unquoted."""
    told, _, rest = value[:_LONGEST_VALUE].partition(b";")
    found: dict[str, bytes] = {}
    for name, raw in _PARAMETER.findall(rest):
        raw = raw.strip()
        if raw[:1] == b'"':
            raw = _ESCAPED.sub(rb"\1", raw[1:-1] if raw[-1:] == b'"' and len(raw) > 1 else raw[1:])
        found.setdefault(name.decode("latin-1").lower(), raw)
    return told.decode("latin-1").lower().strip().partition(" ")[0].strip(), found


def parameter_text(found: dict[str, bytes], name: str) -> str:
    """A parameter's text, put together from numbered pieces and percent signs where it comes so (RFC 2231)."""
    if name in found and f"{name}*" not in found:
        return decode_value(found[name])
    pieces = [(f"{name}*", found[f"{name}*"])] if f"{name}*" in found else []
    while not pieces or pieces[0][0] != f"{name}*":
        key = next((k for k in (f"{name}*{len(pieces)}*", f"{name}*{len(pieces)}") if k in found), None)
        if key is None:
            break
        pieces.append((key, found[key]))
    if not pieces:
        return ""
    charset, content = "", b"".join(unquote_to_bytes(raw) if key.endswith("*") else raw for key, raw in pieces)
    if pieces[0][0].endswith("*") and pieces[0][1].count(b"'") >= 2:
        label, _, content = content.split(b"'", 2)
        charset = label.decode("latin-1")
    return decode(content, charset)[0]


def addresses(values: list[bytes]) -> list[str]:
    """Every mailbox as `Name <address>`, also without commas; what is no address stays as it is written."""
    found: list[str] = []
    for value in values:
        name, address, note, group, behind = b"", b"", b"", b"", b""
        for token in [*_ADDRESS_TOKENS.findall(_FOLD.sub(b"", value)), b","]:
            if token in (b",", b";"):
                name += behind
                mailbox = _mailbox(name, address, note) or (decode_value(group.strip()) if token == b";" else "")
                found += [mailbox] if mailbox else []
                name, address, note, behind, group = b"", b"", b"", b"", b"" if token == b";" or mailbox else group
            elif token == b":" and b"@" not in name and not address:
                name, group = b"", name
            elif token[:1] == b"<":
                if b"@" in address:
                    found.append(_mailbox(name, address, note))
                    name, note, behind = behind, b"", b""
                address = token.strip(b"<> \t")
            elif token[:1] == b"(":
                note = token[1:].removesuffix(b")")
            else:
                text = _ESCAPED.sub(rb"\1", token[1:].removesuffix(b'"')) if token[:1] == b'"' else token
                name, behind = (name, behind + text) if address else (name + text, b"")
    return found


def _mailbox(name: bytes, address: bytes, note: bytes) -> str:
    shown = decode_value(name.strip()).strip()
    if not address and b"@" in name:
        shown, address = decode_value(note).strip(), name.strip()
    told = decode_value(address)
    return f"{shown} <{told}>" if shown and told and shown != told else told or shown


def moment(raw: str) -> tuple[str, bool] | None:
    """A date as ISO 8601 in UTC and True, or without a zone and False where none is given; None if unreadable."""
    try:
        usual = _USUAL_DATE.match(raw)
        if usual:
            day, month, year, hour, minute, second, sign, hours, minutes = usual.groups()
            when = datetime(int(year), _MONTHS[month.lower()], int(day), int(hour), int(minute), int(second or 0))
            offset = timedelta(hours=int(hours), minutes=int(minutes))
            return (when - offset if sign == "+" else when + offset).isoformat() + "Z", True
        stamp = _ISO_DATE.match(raw)  # of programs that are no mail programs
        if stamp:
            return iso(datetime.fromisoformat(stamp[1] + (stamp[2] or ""))), bool(stamp[2])
        fields = parsedate_tz(_ZONE_NAME.sub("", raw))
        if fields is None:
            return None
        when = datetime(*fields[:6])
        if not _ZONE.search(raw):
            return when.isoformat(), False
        return (when - timedelta(seconds=fields[9] or 0)).isoformat() + "Z", True
    except (ValueError, OverflowError, KeyError):
        return None
