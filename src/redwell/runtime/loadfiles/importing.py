"""What an import of a volume is told: where the volume is, which are its load files, which column is which field.

Called by the command line before a batch begins. Looks at names; a mapping is checked against the headers, as `lint`
does in the same process (ADR 35).
"""

import tomllib
from pathlib import Path
from typing import Any

from redwell.core.errors import BadInput, UserError
from redwell.core.loadfiles.formats.sniff import LoadFileKind
from redwell.core.loadfiles.mapping import from_table
from redwell.core.loadfiles.volume_document import Told
from redwell.runtime.loadfiles.linting import table_of
from redwell.runtime.loadfiles.opened import Given, OpenedLoadFile
from redwell.runtime.loadfiles.volume import load_files, only_folder, volume_root


def told_of(source: str, mapping: dict[str, Any] | None, text: str) -> tuple[str, Told]:
    """The folder of the volume, and what is said of it. A load file stands for the volume that it lies in."""
    place = only_folder(Path(source).absolute())
    if place.is_dir():
        root, files = place, list[Path]()
    else:
        root, files = volume_root(place), load_files(place)
    named = tuple(str(path.resolve().relative_to(root.resolve()).as_posix()) for path in files)
    name = root.resolve().name
    return str(root), Told(name=name, text=text, files=named, mapping=_mapping(mapping, files or _all(root)))


def _all(root: Path) -> list[Path]:
    try:
        return load_files(root)
    except UserError:
        return []


def _mapping(table: dict[str, Any] | None, load_files: list[Path]) -> dict[str, Any] | None:
    """As a person left it; it has to fit one of the load files."""
    if table is None:
        return None
    wrong: list[str] = []
    for path in load_files:
        opened = OpenedLoadFile(path, Given())
        if opened.kind is LoadFileKind.DELIMITED:
            try:
                from_table(table, table_of(opened).names)
                return table
            except (UserError, BadInput) as error:
                wrong.append(f"{path.name}: {error}")
    raise UserError(f"the mapping fits no load file: {'; '.join(wrong) or 'there is none at the top'}")


def read_mapping(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no mapping: {error}; `redwell loadfile map FILE -o MAPPING` writes one") from None
