"""Handler for password-protected OOXML: an OLE file around an encrypted package. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, ReadAs, Source
from redwell.handlers.office import ooxml
from redwell.handlers.office.decryption import decrypted
from redwell.handlers.structures.made_source import MadeSource
from redwell.handlers.structures.zip_package import Package

SPEC = HandlerSpec(
    name="protected", media_types=frozenset({"application/x-ooxml-protected"}), version=2, kind="document"
)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The document in the clear where a password fits; raises `PasswordProtected` where none does."""
    with source.open() as file:
        clear = MadeSource([decrypted(file, options.passwords).read()], scratch / "clear")
    with clear.open() as package:
        kind = ooxml.main_content_type(Package(package, options))
    media_type = ooxml.media_type(kind)
    if media_type is None:
        raise Unsupported(f"an encrypted package of type {kind or 'unknown'}")
    yield Metadata(values={"encrypted": True, "protected_type": kind.removesuffix("+xml").removesuffix(".main")})
    yield ReadAs(media_type=media_type, source=clear)
