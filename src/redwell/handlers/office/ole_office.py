"""What Office's compound files share: properties, macros, embedded storages and pictures. Runs in a child."""

from collections.abc import Iterator, Sequence

from redwell.core.errors import InvalidFile
from redwell.core.handler import Metadata, Options, Piece, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.office import office_art
from redwell.handlers.structures.embedded import Embedded, children, storage_file
from redwell.handlers.structures.ole import Compound
from redwell.handlers.structures.package_parts import flags

_MACRO_FOLDERS = {"macros", "_vba_project_cur", "vba"}


def around(compound: Compound, options: Options, further: Sequence[Embedded] = ()) -> Iterator[Piece]:
    """Properties, macros and embedded files; damaged properties are a trouble, not the document's end."""
    try:
        yield Metadata(values=compound.properties())
    except InvalidFile as error:
        yield Trouble(code=Code.METADATA_UNAVAILABLE, detail=str(error), partial=False)
    has_macros = any(folder.lower() in _MACRO_FOLDERS for folder in compound.folders())
    yield Metadata(values=flags({"has_macros": has_macros}))
    yield from children([*storages(compound), *further, *office_art.pictures(compound, options)], options)


def storages(compound: Compound) -> list[Embedded]:
    """Word keeps objects in ObjectPool, Excel in storages named MBD and a number; a formula is no file."""
    folders = compound.folders("ObjectPool")
    folders += [folder for folder in compound.folders() if folder.upper().startswith("MBD")]
    return [_embedded(compound, folder) for folder in folders if "equation native" not in compound.below(folder)]


def _embedded(compound: Compound, folder: str) -> Embedded:
    name = folder.rpartition("/")[2].lstrip("_")
    return Embedded(folder, name, lambda: storage_file(compound, folder, name))
