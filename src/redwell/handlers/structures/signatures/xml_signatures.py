"""Who signed a package of Office or OpenDocument, as its signatures say. Called by their readers in a child.

Signatures are not checked: that is an expert's work with the certificates of the day.
"""

import base64
from collections.abc import Iterable

from redwell.core.errors import InvalidFile, TooLarge
from redwell.core.handler import MetaValue
from redwell.handlers.structures.dates import from_xml
from redwell.handlers.structures.signatures.signers import subject_of
from redwell.handlers.structures.xml_text import Leaf, leaves
from redwell.handlers.structures.zip_package import Package

_OFFICE = "package.digital-signature-xmlsignature+xml"
_OPEN_DOCUMENT = "META-INF/documentsignatures.xml"
_MOMENTS = frozenset({"Value", "date", "SigningTime"})


def of_office(package: Package) -> dict[str, MetaValue]:
    """Fields for the signatures of an OOXML package; nothing where it has none."""
    return _fields(package, [name for name, kind in package.content_types.items() if kind.endswith(_OFFICE)])


def of_open_document(package: Package) -> dict[str, MetaValue]:
    """Fields for the signatures of an OpenDocument file; nothing where it has none."""
    return _fields(package, [_OPEN_DOCUMENT] if _OPEN_DOCUMENT in package else [])


def _fields(package: Package, parts: Iterable[str]) -> dict[str, MetaValue]:
    names: list[str] = []
    moments: list[str] = []
    for part in parts:
        try:
            found = leaves(package.open(part))
        except (InvalidFile, TooLarge):
            found = []  # that it is signed is known, by whom is not
        names += _signers(found)
        moments += [moment for name, _, text in found if name in _MOMENTS and (moment := from_xml(text))]
    values: dict[str, MetaValue] = {"signed": bool(parts), "signed_by": names, "signed_at": max(moments, default="")}
    return {name: value for name, value in values.items() if value}


def _signers(found: list[Leaf]) -> list[str]:
    """The subject of each signature's first certificate; those behind it vouch for it."""
    names = []
    certificate = ""
    for name, _, text in found:
        if name == "X509Certificate":
            certificate = certificate or text
        elif name == "Signature" and certificate:
            names += [subject] if (subject := subject_of(_decoded(certificate))) else []
            certificate = ""
    return names


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except ValueError:
        return b""
