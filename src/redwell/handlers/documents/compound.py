"""Handler for OLE files beside Word, Excel and PowerPoint: Visio, Publisher, Hangul, others' properties. In a child."""

from collections.abc import Callable, Iterator
from pathlib import Path

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Pages, Piece, Source, Text
from redwell.handlers.documents import hangul, publisher, visio_binary
from redwell.handlers.office import ole_office
from redwell.handlers.structures.embedded import OLE_MAGIC, Embedded, storage_file
from redwell.handlers.structures.ole import Compound

_HANGUL_SUMMARY = "\x05HwpSummaryInformation"


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Text where we can read it, the property sets, and embedded storages; a type without a reader ends UNSUPPORTED."""
    with source.open() as file:
        if file.read(8) != OLE_MAGIC:
            raise Unsupported(f"{options.media_type} in a form older than compound files")
        compound = Compound(file)
        reader = _READERS[options.media_type]
        if reader is not None:
            yield from reader(compound)
        yield from ole_office.around(compound, options, _objects(compound))
        if reader is None:
            raise Unsupported(f"no reader for the content of {options.media_type}; its properties were read")


def _objects(compound: Compound) -> list[Embedded]:
    """Publisher keeps embedded objects in a storage of their own."""
    return [_embedded(compound, folder) for folder in compound.folders("Objects")]


def _embedded(compound: Compound, folder: str) -> Embedded:
    name = folder.rpartition("/")[2]
    return Embedded(folder, name, lambda: storage_file(compound, folder, name))


def _visio(compound: Compound) -> Iterator[Piece]:
    texts, pages = visio_binary.texts(compound.stream("VisioDocument"))
    yield Text(text="".join(f"{text}\n" for text in texts if text.strip()))
    if pages:
        yield Pages(count=pages)


def _publisher(compound: Compound) -> Iterator[Piece]:
    yield Text(text=publisher.text(compound))


def _hangul(compound: Compound) -> Iterator[Piece]:
    yield Text(text="".join(f"{line}\n" for line in hangul.paragraphs(compound)))
    if _HANGUL_SUMMARY in compound:
        yield Metadata(values=compound.property_set(_HANGUL_SUMMARY))


_READERS: dict[str, Callable[[Compound], Iterator[Piece]] | None] = {
    "application/vnd.visio": _visio,
    "application/x-mspublisher": _publisher,
    "application/x-hwp": _hangul,
    "application/vnd.ms-project": None,
    "application/vnd.ms-works": None,
    "application/x-msi": None,
    "application/x-ole-storage": None,
    "application/x-thumbs-db": None,
    **{f"application/vnd.stardivision.{kind}": None for kind in ("writer", "calc", "draw")},
}
SPEC = HandlerSpec(name="compound", media_types=frozenset(_READERS), version=3, kind="document")
