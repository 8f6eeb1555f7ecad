"""Good files of formats that the sample dispute has none of, for the fuzzer to damage."""

import plistlib
import struct
from datetime import UTC, datetime
from pathlib import Path

from tests.support.outlook_files import Sample, attribute, tnef, tnef_values
from tests.support.packed_rtf import packed
from tests.support.shell_links import on_disk, shell_link, tracker

_SENT = datetime(2023, 5, 4, 9, 30, tzinfo=UTC)
_WRAPPED = rb"{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}The valve\htmlrtf\par\htmlrtf0{\*\htmltag72 </p>}}"
_NOTE = {0x001A: "IPM.Note", 0x0037: "Valves", 0x1000: "The valve.", 0x1009: packed(_WRAPPED), 0x0039: _SENT}
_FILE = {0x3705: 1, 0x3707: "valve.txt", 0x3701: b"coating"}
_BINARY = plistlib.FMT_BINARY
_DATA = bytes.fromhex("06092a864886f70d010701")
_MAIL = b"Content-Type: text/plain\r\n\r\nThe valve.\r\n"


def write_samples(folder: Path) -> None:
    """A message with a message inside, one wrapped as TNEF, seals, a calendar, a card, a shortcut, property lists."""
    folder.mkdir()
    inner = Sample(_NOTE, recipients=[{0x0C15: 3, 0x3001: "Bo"}], attachments=[_FILE]).storage(24)
    outer = Sample(_NOTE, attachments=[_FILE, {0x3705: 5, 0x3001: "inner", 0x3701: inner}])
    wrapped = tnef(attribute(1, 0x00069003, tnef_values(_NOTE)), attribute(2, 0x00069005, tnef_values(_FILE)))
    event = "BEGIN:VEVENT\r\nSUMMARY:Valves\r\nDTSTART:20230504T093000Z\r\nEND:VEVENT\r\n"
    files = {
        "note.msg": outer.file(),
        "winmail.dat": wrapped,
        "signed.p7m": _seal(2, _der(0x31) + _der(0x30, _DATA + _der(0xA0, _der(0x04, _MAIL))) + _der(0x31)),
        "encrypted.p7m": _seal(3, _der(0x31, _der(0x30, b"\x02\x01\0")) + _der(0x30, _DATA + _der(0x80, _MAIL))),
        "valves.ics": f"BEGIN:VCALENDAR\r\n{event}END:VCALENDAR\r\n".encode(),
        "ann.vcf": b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nPHOTO;ENCODING=b:/9j/4AAQ\r\nTEL:1\r\nEND:VCARD\r\n",
        "page.mht": b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=p\r\n\r\n--p\r\n"
        + _MAIL
        + b"--p--\r\n",
    }
    page = {"WebMainResource": {"WebResourceURL": "http://a.example/v.html", "WebResourceData": _MAIL}}
    files |= {
        "valves.lnk": shell_link(on_disk(rb"D:\valves.pdf"), arguments="/p", more=tracker(b"ann")),
        "valves.plist": plistlib.dumps({"Valves": [{"Name": "coating"}, _SENT.replace(tzinfo=None)]}, fmt=_BINARY),
        "valves.webarchive": plistlib.dumps(page, fmt=_BINARY),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)


def _seal(kind: int, body: bytes) -> bytes:
    """A cryptographic message whose signers are left out: the same bytes at every run."""
    name = _DATA[:-1] + bytes([kind])
    return _der(0x30, name + _der(0xA0, _der(0x30, b"\x02\x01\x01" + body)))


def _der(tag: int, body: bytes = b"") -> bytes:
    return struct.pack(">BBH", tag, 0x82, len(body)) + body
