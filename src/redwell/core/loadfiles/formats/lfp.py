"""IPRO LFP: `IM,key,boundary,offset,@volume;folder;file;type,rotate`, a line for each page. Reads and writes it. Pure.

Other commands than IM are counted and passed over; their order means nothing.
"""

from collections.abc import Iterable, Iterator

from redwell.core.loadfiles.pages import Boundary, Page

COMMANDS = frozenset("IM BF BM FD FT IO IN OF PD RD SA SF SD SO VN XM XX AD AS BK CM DD HD LT ZZ ##".split())
_BOUNDARIES = {
    "": Boundary.PAGE,
    "D": Boundary.DOCUMENT,
    "C": Boundary.CHILD,
    "F": Boundary.FOLDER,
    "B": Boundary.BOX,
    "S": Boundary.SOURCE,
}
_LETTERS = {boundary: letter for letter, boundary in _BOUNDARIES.items()}
_TYPES = frozenset("123456789")


def read_pages(lines: Iterable[str]) -> Iterator[Page]:
    """Every IM line as a page, with what is wrong about it; a line of no known command as a page without a key."""
    for number, raw in enumerate(lines, 1):
        line = raw.removesuffix("\r")
        if line.startswith("IM,"):
            yield _page(line, number)
        elif line.strip() and line[:2] not in COMMANDS:
            yield Page(key="", path="", row=number, faults=(("page-columns", 1),))


def _page(line: str, row: int) -> Page:
    parts = line.split(",", 4)
    if len(parts) < 5:
        return Page(key=parts[1].strip(), path="", row=row, faults=(("page-columns", len(parts)),))
    faults = []
    _, key, boundary, offset, file = (part.strip() for part in parts)
    if boundary.upper() not in _BOUNDARIES:
        faults.append(("page-break", 3))
    file, _, rotate = file.rpartition(",") if file[-2:-1] == "," or file.endswith(",") else (file, "", "")
    where, _, kind = file.rpartition(";")
    volume, folder, name = _place(where or kind)
    return Page(
        key=key,
        volume=volume,
        path="\\".join(part for part in (folder, name) if part),
        boundary=_BOUNDARIES.get(boundary.upper(), Boundary.PAGE),
        offset=int(offset) if offset.isdecimal() and len(offset) < 10 else 0,
        type=kind if where and kind in _TYPES else "",
        rotate=int(rotate) if rotate.isdecimal() else 0,
        row=row,
        faults=tuple(faults),
    )


def _place(where: str) -> tuple[str, str, str]:
    """Volume, folder and name; a bare name has neither of the others."""
    parts = where.split(";")
    if len(parts) < 3:
        return "", "", parts[-1]
    return parts[0].removeprefix("@"), parts[1].strip("\\"), parts[2]


def write_page(page: Page) -> str:
    folder, _, name = page.path.rpartition("\\")
    rotate = f",{page.rotate}" if page.rotate else ""
    place = f"@{page.volume};{folder};{name}"
    return f"IM,{page.key},{_LETTERS[page.boundary]},{page.offset},{place};{page.type or 2}{rotate}\r\n"
