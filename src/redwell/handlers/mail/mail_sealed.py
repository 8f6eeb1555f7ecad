"""Mail that is sealed as a whole (S/MIME, PGP/MIME). Called by the eml handler in a child.

The text of an opaquely signed mail belongs to the mail itself: the seal is taken off and what was inside is read
in its place. An encrypted one keeps its header fields and ends as PASSWORD_PROTECTED.
"""

import re
from dataclasses import dataclass, field

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import MetaValue
from redwell.handlers.mail.mime import Part
from redwell.handlers.structures.signatures import cms
from redwell.handlers.structures.signatures.signers import locked, signature_fields

_SEALS = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime"))
_CONTENT_FIELDS = re.compile(rb"^content-[^\n]*\n(?:[ \t][^\n]*\n)*", re.I | re.M)
_FIELD = re.compile(rb"[!-9;-~]+[ \t]*:")


@dataclass(slots=True)
class Unsealed:
    """A mail without its seal, or the reason why it stays shut."""

    data: bytes
    fields: dict[str, MetaValue] = field(default_factory=dict)
    shut: PasswordProtected | None = None


def unsealed(data: bytes, start: int, root: Part, most_bytes: int) -> Unsealed | None:
    """The mail that a seal around all of it hides; None where there is no such seal, or a damaged one."""
    if root.media_type == "multipart/encrypted":
        return Unsealed(data, {"encrypted": True}, _locked_by(root))
    if root.media_type not in _SEALS and root.filename.lower() != "smime.p7m":
        return None
    try:
        found = cms.read(root.content(data)[0], most_bytes)
    except InvalidFile:
        return None  # it comes out as an attachment, and is named there
    if found.kind == "encrypted":
        return Unsealed(data, {"encrypted": True}, locked(found))
    if found.content is None or not _FIELD.match(found.content):
        return None  # a file that somebody signed and sent: an attachment
    header = _CONTENT_FIELDS.sub(b"", data[start : root.start].rstrip() + b"\n")
    return Unsealed(header + found.content, signature_fields(found) if found.kind == "signed" else {})


def _locked_by(root: Part) -> PasswordProtected:
    told = root.parameters.get("protocol", b"").decode("latin-1").lower()
    kind = "PGP/MIME" if "pgp" in told or not told else told
    return PasswordProtected(f"{kind}: the mail is encrypted; only a private key opens it")
