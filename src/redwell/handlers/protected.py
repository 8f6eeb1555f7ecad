"""Handler for password-protected OOXML: an OLE file around an encrypted package. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, Source
from redwell.handlers import office
from redwell.handlers.documents import ooxml
from redwell.handlers.documents.decryption import decrypted
from redwell.handlers.documents.package import Package

SPEC = HandlerSpec(
    name="protected", media_types=frozenset({"application/x-ooxml-protected"}), version=2, kind="document"
)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The document in the clear where a password fits; raises `PasswordProtected` where none does."""
    with source.open() as file:
        clear = decrypted(file, options.passwords)
    kind = ooxml.main_content_type(Package(clear, options))
    reader = office.package_reader(kind)
    if reader is None:
        raise Unsupported(f"an encrypted package of type {kind or 'unknown'}")
    yield Metadata(values={"encrypted": True, "protected_type": kind.removesuffix("+xml").removesuffix(".main")})
    yield from reader(clear, options)
