"""Writes a selection into a folder: natives with their folders, texts, a table of metadata, one PDF with bookmarks.

What the selection is stands in a note in the folder from the beginning, so that a run which was killed is gone on with;
the manifest is written last, and the note is gone then. Called by `redwell export`, in its process.
"""

import csv
import io
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from redwell.core.case.native_bytes import native_name, native_sha256
from redwell.core.case.rows import Exhibit
from redwell.core.case.slip_sheet import has_slip_sheet
from redwell.core.errors import UserError
from redwell.core.production.metadata_table import COLUMNS, row_of
from redwell.core.production.orders import BINDING_ENGINE, BindingOrder, Part, written
from redwell.core.production.safe_names import UniqueNames, safe_path
from redwell.ports.materials import Materials
from redwell.ports.printing import Asked, Printing
from redwell.produce.out_folder import OutFolder, Written, hash_of, manifest_of

NOTE, MANIFEST, PDF, TABLE = ".redwell-export.json", "manifest.sha256", "documents.pdf", "metadata.csv"


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What is exported, as the note in the folder keeps it."""

    case: str
    query: str
    exhibits: list[int]
    natives: bool = True
    text: bool = True
    pdf: bool = False


class Exhibits(Protocol):
    def __call__(self, keys: Sequence[int]) -> Iterator[Exhibit]: ...


def begun(folder: Path, new: Callable[[], Selection]) -> Selection:
    """What a run before this one had begun with, or a new selection, noted down. UserError where others have files."""
    note = folder / NOTE
    if note.exists():
        before, now = msgspec.json.decode(note.read_bytes(), type=Selection), new()
        if msgspec.structs.replace(now, exhibits=before.exhibits) != before:
            raise UserError(f"{folder} has an export of {before.query!r} that is not finished: choose another folder")
        return before
    if folder.exists() and any(each.name != f".{NOTE}.part" for each in folder.iterdir()):
        why = "has a finished export" if (folder / MANIFEST).exists() else "is not empty"
        raise UserError(f"{folder} {why}, and nothing is written over: choose another folder")
    selection = new()
    OutFolder(folder).put(NOTE, [msgspec.json.encode(selection)])
    return selection


class Export:
    """`exhibits` gives rows by their keys; `slip_sheet` a page for what has no PDF."""

    def __init__(
        self, exhibits: Exhibits, materials: Materials, selection: Selection, slip_sheet: Callable[[Exhibit], bytes]
    ) -> None:
        self._exhibits, self._materials, self._selection = exhibits, materials, selection
        self._slip_sheet = slip_sheet
        self.problems: list[str] = []

    def write(self, folder: Path, printing: Printing | None, tell: Callable[[int], None]) -> list[Written]:
        """All files of it; finished when this returns."""
        out, files = OutFolder(folder), list[Written]()
        names, rows = UniqueNames(), io.StringIO()
        table = csv.DictWriter(rows, COLUMNS)
        table.writeheader()
        controls = {each.id: each.control_number for each in self._exhibits(self._selection.exhibits)}
        for count, exhibit in enumerate(self._exhibits(self._selection.exhibits), 1):
            native, text = self._put(exhibit, out, names, files)
            table.writerow(row_of(exhibit, controls, native, text))
            tell(count)
        files.append(out.put(TABLE, [b"\xef\xbb\xbf", rows.getvalue().encode()]))
        if printing and self._selection.pdf:
            files += self._bound(out, printing)
        out.put(MANIFEST, [manifest_of(files)])
        (folder / NOTE).unlink()
        return files

    def _put(self, exhibit: Exhibit, out: OutFolder, names: UniqueNames, files: list[Written]) -> tuple[str, str]:
        native = text = ""
        folder = exhibit.path.removesuffix(exhibit.name)
        path = names.take(safe_path(f"{folder}{native_name(exhibit)}"), exhibit.control_number)
        if self._selection.natives and (own := native_sha256(exhibit)):
            native = f"natives/{path}"
            files.append(self._once(out, native, own.hex(), lambda: self._materials.native(exhibit)))
        if self._selection.text and exhibit.text_chars:
            text = f"text/{exhibit.control_number}.txt"
            files.append(out.put(text, [self._materials.text(exhibit).encode("utf-8", "replace")]))
        return native, text

    def _once(self, out: OutFolder, path: str, sha256: str, parts: Callable[[], Iterator[bytes]]) -> Written:
        """A native that a run before this one has written is not written again."""
        there = out.root / path
        if there.is_file() and hash_of(there) == sha256:
            return Written(path, sha256, there.stat().st_size)
        made = out.put(path, parts())
        if made.sha256 != sha256:
            raise UserError(f"the bytes of {path} are not those that were imported; run `redwell verify`")
        return made

    def _bound(self, out: OutFolder, printing: Printing) -> list[Written]:
        with tempfile.NamedTemporaryFile(dir=out.root, prefix=".binding-", suffix=".part") as joined:
            parts = []
            for exhibit in self._exhibits(self._selection.exhibits):
                if length := self._add_pdf(exhibit, joined):
                    title = f"{exhibit.control_number}  {exhibit.metadata.get('subject') or exhibit.name}"
                    parts.append(Part(title[:200], length, int(exhibit.family != exhibit.id)))
            joined.flush()
            asked = Asked(
                key=(0, 0),
                path=Path(joined.name),
                length=joined.tell(),
                engine=BINDING_ENGINE,
                order=written(BindingOrder(parts=parts)),
                is_large=True,
            )
            [answer] = printing.each([asked] if parts else [])
        self.problems += [problem.detail for problem in answer.problems]
        if not answer.made:
            raise UserError(f"{PDF} could not be made: {answer.detail}; narrow the query, or export without --pdf")
        return [out.put(PDF, [answer.made[0].data])]

    def _add_pdf(self, exhibit: Exhibit, joined: "tempfile._TemporaryFileWrapper[bytes]") -> int:
        place = self._materials.pdf(exhibit)
        if place is None:
            sheet = self._slip_sheet(exhibit) if has_slip_sheet(exhibit) else b""
            joined.write(sheet)
            return len(sheet)
        with open(place.path, "rb") as file:
            file.seek(place.offset)
            left = place.length
            while left and (part := file.read(min(left, 1 << 20))):
                joined.write(part)
                left -= len(part)
        return place.length
