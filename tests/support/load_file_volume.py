"""A sound volume of three documents, for tests that damage it: a mail with an attachment, and a letter."""

from dataclasses import dataclass, field
from pathlib import Path

from redwell.core.loadfiles.formats.dialect import CONCORDANCE
from redwell.core.loadfiles.formats.writing import RowWriter

TIFF = b"II*\0\x08\0\0\0\0\0\0\0\0\0"
HEADER = (
    "BEGBATES ENDBATES BEGATTACH ENDATTACH ATTACHRANGE PARENTID ATTACHIDS ATTACHCOUNT CUSTODIAN PGCOUNT DATESENT "
    "TIMESENT MD5HASH FILESIZE WITHHELD TEXTPATH NATIVEPATH"
).split()
COLUMN = {name: number for number, name in enumerate(HEADER, 1)}


@dataclass
class MadeVolume:
    """Change what it has, then `write` it."""

    root: Path
    header: list[str] = field(default_factory=lambda: list(HEADER))
    rows: list[list[str]] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    ending: bytes = b"\r\n"
    raw: dict[bytes, bytes] = field(default_factory=dict)  # replaced in the DAT as it is written

    def set(self, row: int, name: str, value: str) -> None:
        """`row` as the lint counts: the header is 1."""
        self.rows[row - 2][COLUMN[name] - 1] = value

    def write(self) -> Path:
        writer = RowWriter(CONCORDANCE, "utf-8", True)
        data = b"".join(writer.row(row) for row in [self.header, *self.rows])
        for before, after in self.raw.items():
            assert before in data
            data = data.replace(before, after, 1)
        for name, content in self.files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        (self.root / "DATA").mkdir(parents=True, exist_ok=True)
        (self.root / "DATA" / "VOL001.dat").write_bytes(data)
        (self.root / "DATA" / "VOL001.opt").write_text("".join(f"{page}\r\n" for page in self.pages), newline="")
        return self.root / "DATA" / "VOL001.dat"


def sound_volume(root: Path) -> MadeVolume:
    volume = MadeVolume(root)
    spans = [(1, 2, 1, 3, "", "A003", "1"), (3, 3, 1, 3, "A001", "", "0"), (4, 6, 4, 6, "", "", "0")]
    for begin, end, first, last, parent, children, count in spans:
        name = f"A{begin:03}"
        family = [f"A{first:03}", f"A{last:03}", f"A{first:03} - A{last:03}", parent, children, count]
        rest = ["Lee, Ann", str(end - begin + 1), "05/21/2001", "15:48:00", "0" * 32, "7", ""]
        volume.rows.append([name, f"A{end:03}", *family, *rest, f"TEXT\\{name}.txt", f"NATIVES\\{name}.doc"])
        volume.files[f"TEXT/{name}.txt"] = volume.files[f"NATIVES/{name}.doc"] = b"content"
        for page in range(begin, end + 1):
            first_page = f"Y,,,{end - begin + 1}" if page == begin else ",,,"
            volume.pages.append(f"A{page:03},VOL001,IMAGES\\001\\A{page:03}.TIF,{first_page}")
            volume.files[f"IMAGES/001/A{page:03}.TIF"] = TIFF
    return volume
