"""Signed, timestamped and encrypted files (S/MIME, TSD, PGP): opened, but encrypted ones are named. Runs in a child."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Child, Contents, HandlerSpec, Metadata, Opening, Options, Piece, Source, pending
from redwell.core.names import last_step, shortened
from redwell.handlers.detect.detect import detect
from redwell.handlers.mail.mail_attachments import EXTENSIONS
from redwell.handlers.mail.mail_headers import base64_bytes
from redwell.handlers.structures.signatures import cms
from redwell.handlers.structures.signatures.signers import locked, signature_fields

_PGP = "application/pgp-encrypted"
SPEC = HandlerSpec(
    name="sealed", media_types=frozenset(("application/pkcs7-mime", "application/pkcs7-signature", _PGP)), version=2
)
_ARMOUR = re.compile(rb"-----BEGIN (?:PKCS7|CMS)-----(.*?)(?:-----END|\Z)", re.S)
_FIELD = re.compile(rb"\s*[!-9;-~]+:")
_INSIDE = "content"


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """What a signature holds as a child; raises `PasswordProtected` for what only a private key opens."""
    if options.media_type == _PGP:
        yield Metadata(values={"encrypted": True})
        raise PasswordProtected("PGP: encrypted; only a private key or its pass phrase opens it")
    data = source.read()
    armour = _ARMOUR.search(data)
    found = cms.read(base64_bytes(armour[1])[0] if armour else data, options.max_member_bytes)
    if found.kind == "encrypted":
        yield Metadata(values={"encrypted": True})
        raise locked(found)
    if found.kind in ("signed", "timestamped"):
        yield Metadata(values=signature_fields(found))
    elif not found.content:
        raise InvalidFile("the compressed message holds nothing")
    if found.content is not None:
        yield Contents(declared=1)
        for locator in pending((_INSIDE,), options):
            name = shortened(last_step(found.name)) or _name(found.content)
            yield Opening(locator=locator, name=name)
            yield Child(locator=locator, name=name, data=found.content)


def _name(content: bytes) -> str:
    """What begins with a field is mail; other content is named by its type, as most seals do not keep its name."""
    if _FIELD.match(content):
        return "sealed message.eml"
    kind = detect(lambda: io.BytesIO(content), len(content), "")
    return f"sealed content.{EXTENSIONS.get(kind, 'bin')}"
