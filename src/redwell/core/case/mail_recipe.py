"""By what copies of a mail know each other, whatever store or format each came from: the normalised recipe. Pure.

Sent date to the second in UTC, sender, recipients (To and Cc) by their addresses, subject, the letters and digits of
the body, names and sizes of the attachments. Each part stands behind its length, so that no two mails run into one
another. Bcc is left out on purpose: the sender's copy has it, and those of the recipients have not.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from redwell.core.case.letters import letters_of

VERSION = b"mail-1"  # part of every key: another recipe never matches this one's
_ADDRESS = re.compile(r"<([^<>]*)>\s*\Z")


def key_of(parts: Iterable[bytes]) -> bytes:
    """Of parts in this order, each behind its length."""
    return hashlib.sha256(b"".join([len(part).to_bytes(8, "big") + part for part in parts])).digest()


def mail_parts(metadata: Mapping[str, Any], body: str, attachments: Sequence[tuple[str, int]]) -> list[bytes] | None:
    """What a mail's key is made of; None where nobody sent it: of a draft each is one by itself."""
    sent = sent_second(metadata)
    if not sent:
        return None
    people = sorted({address(each) for name in ("to", "cc") for each in _several(metadata.get(name))})
    files = sorted(f"{name}\0{size}" for name, size in attachments)
    return [
        VERSION,
        sent.encode(),
        *(_bytes(address(each)) for each in _several(metadata.get("from"))[:1] or [""]),
        _joined(people),
        _bytes(str(metadata.get("subject") or "")),
        _bytes(letters_of(body)),
        _joined(files),
    ]


def sent_second(metadata: Mapping[str, Any]) -> str:
    """2024-05-17T09:30:00, of a date that the handlers give in UTC; empty where there is none."""
    return str(metadata.get("date") or "").partition(".")[0].removesuffix("Z")


def address(person: str) -> str:
    """`Ann Lee <Ann@Example.com>` is ann@example.com; where no address is told, the name has to do."""
    found = _ADDRESS.search(person)
    return (found[1] if found and "@" in found[1] else person).strip(" \t'\"").lower()


def message_hash(metadata: Mapping[str, Any]) -> str:
    """EDRM's MIH: MD5 of the Message-ID with its brackets; empty where the mail has none."""
    told = str(metadata.get("message_id") or "").strip()
    inner = told.partition(">")[0].lstrip("<").strip()
    return (
        hashlib.md5(f"<{inner}>".encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest() if inner else ""
    )


def _several(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [str(each) for each in value or ()]


def _joined(values: Sequence[str]) -> bytes:
    return b"".join(len(part).to_bytes(8, "big") + part for part in map(_bytes, values))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
