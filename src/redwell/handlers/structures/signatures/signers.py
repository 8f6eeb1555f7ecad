"""Who sealed a message, in fields and in words. Called by the handlers of sealed files and of mail in a child."""

import re

from redwell.core.errors import PasswordProtected
from redwell.core.handler import MetaValue
from redwell.handlers.structures.dates import from_xml
from redwell.handlers.structures.signatures.cms import Sealed

_TIME = re.compile(r"(\d\d)?(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z")
_LAST_YEAR = 50  # of two digits; the standard takes higher ones for the nineteen-hundreds
_NAMED = 5


def signature_fields(sealed: Sealed) -> dict[str, MetaValue]:
    """Names of the signers, and when they say they signed; only names where a file carries certificates alone.

    Of a timestamp, when its authority gave it.
    """
    if sealed.kind == "timestamped":
        stamped = _moment(sealed.signed_at)
        return {"timestamped_at": stamped} if stamped else {}
    names = _subjects(sealed)
    if not sealed.signers:
        return {"certificates": names} if names else {}
    fields: dict[str, MetaValue] = {"signed": True, "signed_by": names, "signed_at": _moment(sealed.signed_at)}
    return {name: value for name, value in fields.items() if value}


def locked(sealed: Sealed) -> PasswordProtected:
    """The error for a message that only its recipients' keys open."""
    serials = ", ".join(f"{serial:x}" for serial in sealed.serials[:_NAMED]) or "unnamed"
    return PasswordProtected(
        f"S/MIME: encrypted; opened only by a private key of its recipients (certificates: {serials})"
    )


def subject_of(raw: bytes) -> str:
    """Whom a certificate names; nobody where it breaks the rules."""
    return _named(raw)[0]


def _named(raw: bytes) -> tuple[str, int]:
    from cryptography import x509

    try:
        certificate = x509.load_der_x509_certificate(raw)
        return certificate.subject.rfc4514_string({x509.NameOID.EMAIL_ADDRESS: "E"}), certificate.serial_number
    except ValueError:
        return "", 0


def _subjects(sealed: Sealed) -> list[str]:
    signers: list[str] = []
    others: list[str] = []
    for subject, serial in map(_named, sealed.certificates):
        if subject:
            (signers if serial in sealed.serials else others).append(subject)
    return signers or others


def _moment(raw: str) -> str:
    found = _TIME.fullmatch(raw)
    if not found:
        return ""
    century, year, month, day, hour, minute, second = found.groups()
    century = century or ("20" if int(year) < _LAST_YEAR else "19")
    return from_xml(f"{century}{year}-{month}-{day}T{hour}:{minute}:{second}Z") or ""
