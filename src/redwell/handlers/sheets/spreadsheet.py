"""Handler for spreadsheets: a row is a line, cells are parted by tabs, each sheet under its name. Runs in a child.

calamine reads the cells; headers, footers, comments, text boxes and what is hidden come from the file itself.
"""

import datetime
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from redwell.core.artifacts import ArtifactKind
from redwell.core.cell_map import CellMapWriter
from redwell.core.errors import InvalidFile
from redwell.core.handler import Artifact, HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.office import odf, ole_office, ooxml
from redwell.handlers.office.biff_records import records
from redwell.handlers.office.decryption import decrypted
from redwell.handlers.office.flat_odf import flat_odf
from redwell.handlers.office.odf_decryption import unlocked
from redwell.handlers.office.odf_numbers import ListStyles, OdfText
from redwell.handlers.sheets import biff, biff_sheets, excel_2003, sheetml
from redwell.handlers.sheets.cell_lines import cell_lines
from redwell.handlers.sheets.sheet_dates import told_package, told_workbook
from redwell.handlers.structures.embedded import OLE_MAGIC
from redwell.handlers.structures.ole import Compound
from redwell.handlers.structures.package_parts import flags, part_text
from redwell.handlers.structures.zip_package import Package

_OOXML = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_EXCEL = "application/vnd.ms-excel."
_OASIS = "application/vnd.oasis.opendocument.spreadsheet"
_DENSEST = 20_000_000  # calamine keeps every cell between the outermost two, empty or not
_CHART_TITLES = replace(odf.CONTENT, skip=odf.CONTENT.skip | {"table"})  # the cells are told already
_ODF_BESIDE = replace(odf.CONTENT, within=frozenset({"annotation", "frame", "custom-shape"}), aside={})


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Every sheet's values, hidden sheets too, then what stands beside the cells, then embedded files."""
    with source.open() as file:
        yield from _READERS[options.media_type](file, options)


def _package(file: BinaryIO, options: Options) -> Iterator[Piece]:
    package = Package(file, options)
    looks = sheetml.look_over(package)
    try:
        if looks.largest_area > _DENSEST:
            raise InvalidFile("cells are spread too far for calamine")
        yield from _calamine_sheets(told_package(file, package, looks.with_errors))
    except InvalidFile:
        yield from _stored_sheets(package)
    yield from cell_lines([[text] for text in looks.printed])
    yield from sheetml.beside(package)
    found = {
        "has_comments": sheetml.has_comments(package),
        "has_external_links": sheetml.has_external_links(package),
    }
    yield Metadata(values=flags(found | _cell_facts(looks.hidden_rows, looks.hidden_columns, looks.formulas)))
    yield from ooxml.around(package, options)


def _stored_sheets(package: Package) -> Iterator[Piece]:
    """The cells straight from the XML, dates as the numbers they are stored as."""
    listed = sheetml.sheets(package)
    strings: list[str] = []
    try:
        strings = sheetml.shared_strings(package)
    except InvalidFile as error:
        yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=str(error))
    for sheet in listed:
        yield Text(text=f"{sheet.name}\n")
        if sheet.part not in package:
            continue
        try:
            yield from cell_lines(sheetml.rows(package, sheet, strings))
        except InvalidFile as error:
            yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=str(error))
    yield _sheet_facts([(sheet.name, sheet.hidden) for sheet in listed])


def _binary(file: BinaryIO, options: Options) -> Iterator[Piece]:
    if file.read(8) != OLE_MAGIC:
        file.seek(0)
        yield from _before_excel_5(file.read())
        return
    compound = Compound(file)
    name = "Workbook" if "Workbook" in compound else "Book"
    if biff.is_encrypted(compound.stream(name)):
        file = decrypted(file, options.passwords)
        compound = Compound(file)
        yield Metadata(values={"encrypted": True})
    stream = compound.stream(name)
    try:
        if biff_sheets.is_east_asian_excel_95(stream):
            raise InvalidFile("calamine reads its letters as those of another code page")
        yield from _calamine_sheets(told_workbook(stream) or file)
    except InvalidFile as error:
        yield from _own_sheets(stream, error)
    walk = biff.walk(stream)
    yield from cell_lines([[text] for text in walk.texts if text])
    facts = _cell_facts(walk.hidden_rows, walk.hidden_columns, walk.formulas)
    yield Metadata(values=flags({"has_comments": walk.has_comments} | facts))
    yield from ole_office.around(compound, options)


def _own_sheets(stream: bytes, reason: InvalidFile) -> Iterator[Piece]:
    """The cells by our own reader; where it knows no better than calamine, calamine's word stands."""
    try:
        workbook = biff_sheets.Workbook(stream)
    except InvalidFile:
        raise reason from None
    yield Trouble(code=Code.HANDLER_ERROR, detail=f"read by our own reader, because {reason}", partial=False)
    for sheet in workbook.sheets:
        yield Text(text=f"{sheet.name}\n")
        yield from cell_lines(workbook.rows(sheet))
    yield _sheet_facts([(sheet.name, sheet.hidden) for sheet in workbook.sheets])


def _before_excel_5(stream: bytes) -> Iterator[Piece]:
    rows = list(biff.old_rows(stream))
    if not rows and not any(True for _ in records(stream)):
        raise InvalidFile("the workbook has no records")
    yield from cell_lines(rows)
    yield from cell_lines([[text] for text in biff.walk(stream).texts if text])


def _open_document(file: BinaryIO, options: Options) -> Iterator[Piece]:
    clear = unlocked(file, options)
    yield Metadata(values=flags({"encrypted": clear is not file}))
    package = Package(clear, options)
    if not odf.is_whole(package):  # calamine never comes back from XML that is cut off
        yield from odf.read(package)
        yield from odf.around(package, options)
        return
    try:
        yield from _calamine_sheets(clear)
    except InvalidFile:  # it wants no white space between cells
        yield from odf.read(package)
        yield from odf.around(package, options)
        return
    noticed: Counter[str] = Counter()
    for part, grammar in (("styles.xml", odf.STYLES), ("content.xml", _ODF_BESIDE)):
        if part in package:
            yield from part_text(package, part, grammar, noticed, partial(OdfText, styles=ListStyles()))
    yield from odf.charts(package, _CHART_TITLES)
    yield from odf.facts(Counter({name: count for name, count in noticed.items() if name != "page"}))
    yield Metadata(values=odf.look_over(package.open("content.xml")).facts())
    yield from odf.around(package, options)


def _calamine_sheets(file: BinaryIO) -> Iterator[Piece]:
    """Raises `InvalidFile` before the first piece where calamine cannot open the workbook."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    workbook = _native(partial(_load, file))
    listed = workbook.sheets_metadata
    cells = CellMapWriter()
    for sheet in listed:
        yield Text(text=f"{sheet.name}\n")
        cells.sheet(sheet.name)
        if sheet.typ in (SheetTypeEnum.ChartSheet, SheetTypeEnum.Vba):
            continue
        try:
            opened = _native(partial(workbook.get_sheet_by_name, sheet.name))
            column = opened.start[1] if opened.start else 0  # rows begin with the first that is used
            rows = ([_shown(value) for value in row] for row in opened.iter_rows())
            yield from cell_lines(rows, partial(cells.row, column=column))
        except InvalidFile as error:
            yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=f"sheet {sheet.name}: {error}")
    yield _sheet_facts([(sheet.name, sheet.visible != SheetVisibleEnum.Visible) for sheet in listed])
    yield Artifact(kind=ArtifactKind.CELL_MAP, data=cells.encoded(), media_type="application/json")


def _load(file: BinaryIO) -> Any:
    from python_calamine import load_workbook

    file.seek(0)
    return load_workbook(file)


def _native(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # a panic in its native code is no Exception
        raise InvalidFile(f"calamine: {type(error).__name__}: {error}") from None


def _sheet_facts(listed: list[tuple[str, bool]]) -> Metadata:
    hidden = [name for name, is_hidden in listed if is_hidden]
    extra: dict[str, MetaValue] = {"has_hidden": True, "hidden_sheets": hidden} if hidden else {}
    return Metadata(values={"sheets": len(listed), **extra})


def _cell_facts(hidden_rows: bool, hidden_columns: bool, formulas: bool) -> dict[str, bool]:
    return {
        "has_hidden": hidden_rows or hidden_columns,
        "has_hidden_rows": hidden_rows,
        "has_hidden_columns": hidden_columns,
        "has_formulas": formulas,
    }


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return biff.number_text(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, datetime.timedelta):
        return _hours(value)
    return str(value)


def _hours(length: datetime.timedelta) -> str:
    """As a time sheet has it: 26:30:00, not a day and some hours."""
    seconds = round(abs(length.total_seconds()))
    sign = "-" if length < datetime.timedelta() else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


_READERS: dict[str, Callable[[BinaryIO, Options], Iterator[Piece]]] = {
    **dict.fromkeys((_OOXML + "sheet", _OOXML + "template"), _package),
    **dict.fromkeys(
        (_EXCEL + kind + ".macroenabled.12" for kind in ("sheet", "sheet.binary", "template", "addin")),
        _package,
    ),
    **dict.fromkeys((_OASIS, _OASIS + "-template"), _open_document),
    **dict.fromkeys(("application/vnd.sun.xml.calc", "application/vnd.sun.xml.calc.template"), odf.document),
    _OASIS + "-flat-xml": flat_odf,
    "application/vnd.ms-spreadsheetml": excel_2003.read,
    "application/vnd.ms-excel": _binary,
}
SPEC = HandlerSpec(name="spreadsheet", media_types=frozenset(_READERS), version=8, kind="spreadsheet")
