"""The chain of the audit log: each entry's hash covers the one before, so none is changed or taken out unseen. Pure."""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

FIRST = bytes(32)  # what the first entry follows


def link(before: bytes, fields: Mapping[str, Any]) -> bytes:
    """The hash of an entry: over its fields in a fixed order, and the hash of the entry before."""
    return hashlib.sha256(before + msgspec.json.encode(fields, order="deterministic")).digest()


def fields_of(number: int, at_ms: int, who: str, action: str, exhibit: int | None, detail: str) -> dict[str, Any]:
    """What the hash covers; `detail` is the JSON text as it is stored."""
    return {"n": number, "at": at_ms, "who": who, "action": action, "exhibit": exhibit, "detail": detail}
