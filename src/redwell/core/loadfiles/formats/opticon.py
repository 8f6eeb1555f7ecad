"""Opticon (OPT): seven columns with commas, a row for each page, no header. Reads and writes it. Pure."""

from collections.abc import Iterable, Iterator

from redwell.core.loadfiles.formats.dialect import COMMA
from redwell.core.loadfiles.formats.rows import Row, Rows
from redwell.core.loadfiles.pages import Boundary, Page

COLUMNS = ("image key", "volume", "path", "document break", "folder break", "box break", "pages")
_WIDTH = len(COLUMNS)


def read_pages(lines: Iterable[str]) -> Iterator[Page]:
    """Every row as a page, with what is wrong about it."""
    for row in Rows(lines, COMMA, _WIDTH):
        if row.values:
            yield _page(row)


def _page(row: Row) -> Page:
    values, faults = row.values, []
    if len(values) != _WIDTH:
        faults.append(("page-columns", len(values)))
    if len(values) > _WIDTH:  # only a path may hold commas
        extra = len(values) - _WIDTH
        values = [*values[:2], ",".join(values[2 : 3 + extra]), *values[3 + extra :]]
    if 4 < len(values) < _WIDTH and values[-1].strip().isdecimal():  # empty columns left out: a number is the count
        values = [*values[:-1], *[""] * (_WIDTH - len(values)), values[-1]]
    key, volume, path, first, folder, box, count = (value.strip() for value in [*values, *[""] * _WIDTH][:_WIDTH])
    faults += [
        ("page-break", column) for column, value in ((4, first), (5, folder), (6, box)) if value and not _is_yes(value)
    ]
    if count and not count.isdecimal():
        faults.append(("page-count-no-number", 7))
    elif count and not _is_yes(first):
        faults.append(("page-count-misplaced", 7))
    boundary = Boundary.BOX if _is_yes(box) else Boundary.FOLDER if _is_yes(folder) else Boundary.DOCUMENT
    return Page(
        key=key,
        volume=volume,
        path=path,
        boundary=boundary if _is_yes(first) else Boundary.PAGE,
        count=int(count) if count.isdecimal() and len(count) < 10 else None,
        row=row.line,
        faults=tuple(faults),
    )


def _is_yes(value: str) -> bool:
    return value.upper() == "Y"


def write_page(page: Page) -> str:
    """One row; a path with a comma is enclosed in quotes, which not every reader of OPT knows."""
    path = f'"{page.path}"' if "," in page.path else page.path
    first = "Y" if page.boundary.begins_document else ""
    folder = "Y" if page.boundary in (Boundary.FOLDER, Boundary.BOX) else ""
    box = "Y" if page.boundary is Boundary.BOX else ""
    count = str(page.count) if first and page.count is not None else ""
    return f"{page.key},{page.volume},{path},{first},{folder},{box},{count}\r\n"
