"""Copies of documents whose fields stay as they were last shown: today's date is no evidence. Called in a child.

LibreOffice sets dates, times and file names anew when it opens a document. Fields that it does not know keep what
they show, so the names of those are changed; OpenDocument has a mark for it. Word's binary format tells the kind of a
field in a table of numbers, which is changed likewise.
"""

import io
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from redwell.handlers.render.office import frozen_sheets

_MOST_BYTES = 256 << 20  # of a part that is rewritten; a larger one stays as it is
_WORD_FIELD = re.compile(
    rb"(<w:instrText\b[^>]{0,200}>\s*|\bw:instr=\"\s*)(?=(?:DATE|TIME|FILENAME|PRINTDATE)\b)", re.I
)
_SLIDE_FIELD = re.compile(rb"(<a:fld\b[^>]{0,300}?\btype=\")(?=datetime)")
_OPEN_FIELD = re.compile(rb"<text:(?:date|time|file-name)\b(?![^>]*text:fixed)")
_RTF_FIELD = re.compile(rb"(\\\*\\fldinst\b[^\\}]{0,40}?(?:\{(?:\\[a-z]+-?\d* ?)*)?\s*)(?=(?:DATE|TIME|FILENAME)\b)")
_CACHED = re.compile(rb"<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)(?=\s*<v\b)")  # a formula whose result stands behind it
_OPEN_CELL = re.compile(rb"<table:table-cell\b(?=[^>]*\btable:formula=)(?=[^>]*\boffice:value-type=)[^>]*>")
_FORMULA = re.compile(rb'\btable:formula="[^"]*"')
# of workbooks alone: LibreOffice opens no Word file that names macros and has none
_MACROS = re.compile(r"xl/vba(?:Project\.bin|ProjectSignature\w*\.bin|Data\.xml)", re.I)
_BINARY_SHEET = re.compile(r"xl/(?:worksheets|macrosheets|chartsheets)/[^/]*\.bin", re.I)
_XML = re.compile(r"(?:word|ppt|xl)/.*\.xml|(?:content|styles)\.xml", re.I)
_FIELD_TABLES = range(0x11A, 0x14A, 8)  # of a binary Word file: main text, headers, notes, comments
_DATED = {31, 32, 29, 23}  # date, time, file name, day of printing
_UNKNOWN = 1


def frozen(path: Path, target: Path) -> Path:
    """The copy at `target` where there is something to freeze, else the document itself."""
    with path.open("rb") as file:
        head = file.read(8)
    if head.startswith(b"PK"):
        return _in_package(path, target)
    if path.stat().st_size > _MOST_BYTES:
        return path
    if head.startswith(b"{\\rtf"):
        return _changed(path, target, lambda data: _RTF_FIELD.sub(rb"\1X", data))
    if head.startswith(b"<"):
        return _changed(path, target, _still)
    return _changed(path, target, _still_in_compound) if head == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" else path


def _changed(path: Path, target: Path, change: Callable[[bytes], bytes]) -> Path:
    data = path.read_bytes()
    new = change(data)
    if new == data:
        return path
    target.write_bytes(new)
    return target


def _still(part: bytes) -> bytes:
    part = _WORD_FIELD.sub(rb"\1X", part)
    part = _SLIDE_FIELD.sub(rb"\1x", part)
    part = _OPEN_FIELD.sub(rb'\g<0> text:fixed="true"', part)
    part = _OPEN_CELL.sub(lambda cell: _FORMULA.sub(b"", cell[0]), part)
    return _CACHED.sub(b"", part)


def _still_part(name: str, data: bytes) -> bytes:
    if _XML.fullmatch(name):
        return _still(data)
    return frozen_sheets.still_in_binary_sheet(data) if _BINARY_SHEET.fullmatch(name) else data


def _in_package(path: Path, target: Path) -> Path:
    """Member by member, a workbook without its macros, of which damaged ones keep LibreOffice from opening it.

    What cannot be read is left to LibreOffice, which mends more.
    """
    is_changed = False
    try:
        with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
            for member in old.infolist():
                if member.file_size > _MOST_BYTES:
                    return path
                if _MACROS.fullmatch(member.filename):
                    is_changed = True
                    continue
                data = old.read(member)
                still = _still_part(member.filename, data)
                is_changed = is_changed or still != data
                new.writestr(member, still, compress_type=member.compress_type and zipfile.ZIP_DEFLATED)
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError, struct.error):
        return path
    return target if is_changed else path


def _still_in_compound(data: bytes) -> bytes:
    """A binary file of Word or Excel; any other is left as it is."""
    import olefile  # type: ignore[import-untyped]

    try:
        with olefile.OleFileIO(io.BytesIO(data), write_mode=False) as compound:
            if compound.exists("WordDocument"):
                name, old, new = _still_in_word(compound)
            elif compound.exists("Workbook"):
                name, old = "Workbook", compound.openstream("Workbook").read()
                new = frozen_sheets.still_in_workbook(old)
            else:
                return data
        return _with_stream(data, name, new) if new != old else data
    except (OSError, struct.error, IndexError, ValueError, KeyError, AttributeError, TypeError):
        return data


def _still_in_word(compound: Any) -> tuple[str, bytes, bytes]:
    """Kinds of fields become unknown ones, in the tables that the file's head points to."""
    head = compound.openstream("WordDocument").read(1024)
    name = "1Table" if struct.unpack_from("<H", head, 0x0A)[0] & 0x200 else "0Table"
    old = compound.openstream(name).read()
    return name, old, _without_dates(head, bytearray(old))


def _without_dates(head: bytes, table: bytearray) -> bytes:
    """Each table: n + 1 positions of four bytes, then two bytes for each: a sign, and the kind where a field begins."""
    for place in _FIELD_TABLES:
        start, length = struct.unpack_from("<II", head, place)
        count = (length - 4) // 6 if length >= 10 and start + length <= len(table) else 0
        for number in range(count):
            at = start + 4 * (count + 1) + 2 * number
            if table[at] & 0x1F == 0x13 and table[at + 1] in _DATED:
                table[at + 1] = _UNKNOWN
    return bytes(table)


def _with_stream(data: bytes, name: str, content: bytes) -> bytes:
    import olefile

    file = io.BytesIO(data)
    with olefile.OleFileIO(file, write_mode=True) as compound:
        compound.write_stream(name, content)
        return file.getvalue()
