"""Tells calamine of dates that it would show as numbers, and of errors. Called by the spreadsheet handler in a child.

Excel of East Asia and Thailand has formats of dates behind bare numbers that no file explains, and a binary workbook
may give the numbers of Excel's own formats to formats of its own. calamine knows neither, so cells in such formats are
given the plain format of dates: in memory, for reading alone.
"""

import io
import re
import struct
import warnings
import zipfile
from collections.abc import Mapping
from typing import BinaryIO

from redwell.handlers.office.biff_records import records
from redwell.handlers.sheets import sheet_binary, sheet_errors
from redwell.handlers.structures import compound_writer
from redwell.handlers.structures.zip_package import Package

_REGIONAL = frozenset({*range(27, 37), *range(50, 59), *range(71, 82)})  # ECMA-376 part 1, 18.8.30
_DATE, _FIRST_CUSTOM = 14, 164
_XML_STYLES, _BINARY_STYLES = "spreadsheetml.styles+xml", "application/vnd.ms-excel.styles"
_DEFINED = re.compile(rb"<(?:\w+:)?numFmt\s[^>]*?numFmtId=[\"'](\d{1,9})[\"']")
_USED = re.compile(rb"(numFmtId=[\"'])(\d{1,9})(?=[\"'])")
_FORMAT, _LOOK, _EOF = 0x041E, 0xE0, 0x0A
_BINARY_FORMAT, _BINARY_LOOK = 44, 47
_NO_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]')
_EXCEL_97 = b"\x00\x06"


def told_package(file: BinaryIO, package: Package, with_errors: set[str]) -> BinaryIO:
    """The workbook, or a copy whose styles say of all dates that they are dates, and whose errors are text."""
    changed: dict[str, bytes] = {}
    for name, content_type in package.content_types.items():
        told = None
        if content_type.endswith(_XML_STYLES):
            told = _told_xml(package.open(name).read())
        elif content_type == _BINARY_STYLES:
            told = _told_binary(package.open(name).read())
        elif name in with_errors:
            sheet = package.open(name).read()
            told = sheet_errors.told_xml(sheet) if content_type.endswith("+xml") else sheet_errors.told_binary(sheet)
        if told is not None:
            changed[name] = told
    return _with_parts(file, changed) if changed else file


def told_workbook(stream: bytes) -> BinaryIO | None:
    """A compound file with the told stream of an Excel 5 to 2003 workbook; None where there is nothing to tell."""
    found = list(_globals(stream))
    dates = set(_REGIONAL)
    for kind, start, end in found:
        if kind == _FORMAT and end - start >= 4:
            number, code = _binary_code(stream, start, end)
            if number < _FIRST_CUSTOM:
                (dates.add if is_date(code) else dates.discard)(number)
    told = _retold(stream, [start + 2 for kind, start, end in found if kind == _LOOK and end - start >= 4], dates)
    told = sheet_errors.told_stream(told or stream) or told
    if told is None:
        return None
    return io.BytesIO(compound_writer.write(compound_writer.Storage(streams={"Workbook": told})))


def is_date(code: str) -> bool:
    """Whether a number in this format is shown as a date or a time."""
    bare = _NO_CODE.sub("", code.partition(";")[0]).lower()
    return "general" not in bare and any(letter in bare for letter in "dmyhs")


def _told_xml(styles: bytes) -> bytes | None:
    unexplained = _REGIONAL - {int(number) for number in _DEFINED.findall(styles)}

    def told(match: re.Match[bytes]) -> bytes:
        return match[1] + (b"%d" % _DATE if int(match[2]) in unexplained else match[2])

    changed = _USED.sub(told, styles)
    return changed if changed != styles else None


def _told_binary(styles: bytes) -> bytes | None:
    found = list(sheet_binary.records(styles))
    explained = {
        struct.unpack_from("<H", styles, start)[0]
        for kind, start, end in found
        if kind == _BINARY_FORMAT and end - start >= 2
    }
    places = [start + 2 for kind, start, end in found if kind == _BINARY_LOOK and end - start >= 4]
    return _retold(styles, places, _REGIONAL - explained)


def _retold(data: bytes, places: list[int], dates: set[int] | frozenset[int]) -> bytes | None:
    """The bytes with the plain date at those places that name one of `dates`; None where none does."""
    wrong = [at for at in places if struct.unpack_from("<H", data, at)[0] in dates]
    if not wrong:
        return None
    told = bytearray(data)
    for at in wrong:
        struct.pack_into("<H", told, at, _DATE)
    return bytes(told)


def _globals(stream: bytes) -> list[tuple[int, int, int]]:
    """The records before the first sheet."""
    found = []
    for record in records(stream):
        found.append(record)
        if record[0] == _EOF:
            break
    return found


def _binary_code(stream: bytes, start: int, end: int) -> tuple[int, str]:
    (number,) = struct.unpack_from("<H", stream, start)
    if stream[4:6] != _EXCEL_97:
        return number, stream[start + 3 : end].decode("latin-1")
    wide = end - start > 4 and stream[start + 4] & 1
    return number, stream[start + 5 : end].decode("utf-16-le" if wide else "latin-1", "replace")


def _with_parts(file: BinaryIO, parts: Mapping[str, bytes]) -> BinaryIO:
    """A copy of the package where later members take the places of these."""
    file.seek(0)
    copy = io.BytesIO(file.read())
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(copy, "a") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return copy
