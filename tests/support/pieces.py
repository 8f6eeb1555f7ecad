"""Runs one handler over bytes in this process and sorts its pieces, for the handler tests."""

import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from redwell.core.errors import BadInput, Unsupported
from redwell.core.handler import (
    Child,
    Contents,
    Lost,
    Metadata,
    Opening,
    Options,
    Passwords,
    Piece,
    ReadAs,
    Skipped,
    Source,
    Text,
    Trouble,
)
from redwell.core.search.metadata_catalogue import unknown_fields
from redwell.handlers.detect.detect import detect
from redwell.handlers.host.registry import Handler, load
from redwell.runtime.bootstrap.handler_modules import BUILT_IN


class BytesSource:
    """A document that lies in memory."""

    def __init__(self, data: bytes) -> None:
        self._data, self.size = data, len(data)

    def read(self) -> bytes:
        return self._data

    def open(self) -> BinaryIO:
        return io.BytesIO(self._data)

    def path(self) -> Path:
        raise AssertionError("this handler should not ask for a file")


class FileSource(BytesSource):
    """The same for handlers whose library opens files by itself."""

    def __init__(self, data: bytes, folder: Path) -> None:
        super().__init__(data)
        self._path = folder / "source"
        self._path.write_bytes(data)

    def path(self) -> Path:
        return self._path


@dataclass
class Pieces:
    """What a handler gave, and the error that it ended with."""

    all: list[Piece] = field(default_factory=list)
    error: BadInput | None = None
    contents: dict[str, bytes] = field(default_factory=dict)  # bytes of each child by locator
    passwords: Passwords = field(default_factory=Passwords)

    def of(self, kind: type[Any]) -> list[Any]:
        return [piece for piece in self.all if isinstance(piece, kind)]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.of(Text))

    @property
    def metadata(self) -> dict[str, Any]:
        return {name: value for piece in self.of(Metadata) for name, value in piece.values.items()}

    @property
    def children(self) -> dict[str, Child]:
        return {piece.locator: piece for piece in self.of(Child)}

    @property
    def names(self) -> list[str]:
        return [piece.name for piece in self.of(Child)]

    @property
    def lost(self) -> dict[str, Lost]:
        return {piece.locator: piece for piece in self.of(Lost)}

    @property
    def skipped(self) -> list[str]:
        return [piece.locator for piece in self.of(Skipped)]

    @property
    def opened(self) -> list[str]:
        return [piece.locator for piece in self.of(Opening)]

    @property
    def troubles(self) -> list[Trouble]:
        return self.of(Trouble)

    @property
    def declared(self) -> int | None:
        return next(piece.declared for piece in self.of(Contents))

    @property
    def is_container(self) -> bool:
        return bool(self.of(Contents))


def read(handler: ModuleType, data: bytes, scratch: Path, *, name: str = "sample", **options: Any) -> Pieces:
    """All pieces of one document; files below `scratch` are taken away as the host takes them."""
    return read_from(handler, BytesSource(data), scratch, name=name, **options)


def read_by_type(data: bytes, scratch: Path, *, name: str = "sample", **options: Any) -> Pieces:
    """The same by the built-in handler that takes what the bytes are."""
    source = BytesSource(data)
    media_type = options.pop("media_type", None) or detect(source.open, source.size, name)
    return read_from(_reader_of(media_type), source, scratch, name=name, media_type=media_type, **options)


def _reader_of(media_type: str) -> Handler:
    return next(handler for handler in load(BUILT_IN) if media_type in handler.spec.media_types)


def read_from(
    handler: ModuleType | Handler, source: BytesSource, scratch: Path, *, name: str = "sample", **options: Any
) -> Pieces:
    options["passwords"] = passwords = Passwords(options.get("passwords", ()))
    pieces = Pieces(passwords=passwords)
    media_type = options.pop("media_type", None) or detect(source.open, source.size, name)
    try:
        for piece in given(handler, source, scratch, Options(name=name, media_type=media_type, **options)):
            pieces.all.append(piece)
            _check_fields(handler, piece)
            if isinstance(piece, Child):
                pieces.contents[piece.locator] = _taken(piece.data)
    except BadInput as error:
        pieces.error = error
    return pieces


def given(handler: ModuleType | Handler, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """What the handler yields; what it finds inside a wrapping is read as the host has it read."""
    for piece in handler.extract(source, scratch, options):
        if isinstance(piece, ReadAs):
            yield from _inside(piece, scratch, replace(options, media_type=piece.media_type))
        else:
            yield piece


def _inside(found: ReadAs, scratch: Path, options: Options) -> Iterator[Piece]:
    for reader in load(BUILT_IN):
        if found.media_type in reader.spec.media_types:
            with suppress(Unsupported):
                yield from given(reader, found.source, scratch, options)
                return


def _check_fields(handler: ModuleType | Handler, piece: Piece) -> None:
    """A built-in handler yields no field that docs/fields.md does not explain."""
    names = [*getattr(piece, "values", ()), *getattr(piece, "metadata", ())]
    unknown = unknown_fields(names) if getattr(handler, "__name__", "redwell.").startswith("redwell.") else []
    assert not unknown, f"add {unknown} to redwell/core/search/metadata_catalogue.py, then `make docs`"


def _taken(data: bytes | memoryview | Path) -> bytes:
    if not isinstance(data, Path):
        return bytes(data)
    content = data.read_bytes()
    data.unlink()
    return content
