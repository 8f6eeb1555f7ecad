"""Who signed a PDF, when and why, as a signature field says. Called by the reader of forms in a child.

Signatures are shown, not verified.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from redwell.core.errors import RedwellError
from redwell.core.handler import MetaValue
from redwell.handlers.pdf.pdf_objects import dictionary, name, text
from redwell.handlers.structures.dates import dated, from_pdf
from redwell.handlers.structures.signatures import cms
from redwell.handlers.structures.signatures.signers import signature_fields

_WORDS = {"/Reason": "reason", "/Location": "location", "/ContactInfo": "contact"}
_MOST_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class Signature:
    """`raw_moment` is as written, `moment` the same as ISO 8601 where it is a date."""

    words: str
    signers: tuple[str, ...]
    moment: str
    raw_moment: str
    is_time_stamp: bool  # of a service that vouches for the time alone


def signature_in(value: Any) -> Signature | None:
    """What a signature's dictionary and the certificates in it say; None for a field that nobody has signed."""
    told = dictionary(value)
    if not len(told):
        return None
    sealed = _sealed(told.get("/Contents"))
    named, certified = text(told.get("/Name")), sealed.get("signed_by")
    signers = tuple(certified) if isinstance(certified, list) else tuple(filter(None, [named]))
    raw = str(sealed.get("signed_at") or text(told.get("/M")))
    moment = raw if "signed_at" in sealed else from_pdf(raw) or ""
    is_time_stamp = name(told.get("/Type")) == "DocTimeStamp"
    parts = ["time stamp" if is_time_stamp else "signed", " by " if signers else "", named or "; ".join(signers)]
    more = [moment or raw, *(f"{word}: {said}" for key, word in _WORDS.items() if (said := text(told.get(key))))]
    return Signature(", ".join(filter(None, ["".join(parts), *more])), signers, moment, raw, is_time_stamp)


def signature_metadata(signatures: Sequence[Signature]) -> dict[str, MetaValue]:
    """The fields that signed mail has, too; of several signatures the moment of the last one."""
    signed = [signature for signature in signatures if not signature.is_time_stamp]
    if not signed:
        return {}
    values: dict[str, MetaValue] = {"signed": True}
    if names := list(dict.fromkeys(signer for signature in signed for signer in signature.signers)):
        values["signed_by"] = names
    last = max(signed, key=lambda signature: signature.moment)
    return values | dated("signed_at", last.raw_moment, last.moment or None)


def _sealed(contents: Any) -> dict[str, MetaValue]:
    """Of the certificates and the time in the signature itself, where it is of a kind that has them."""
    import pikepdf

    if not isinstance(contents, pikepdf.String):
        return {}
    try:
        return signature_fields(cms.read(bytes(contents), _MOST_BYTES))
    except RedwellError:
        return {}  # a key of another kind (PKCS #1), or damaged: the dictionary's own words stand
