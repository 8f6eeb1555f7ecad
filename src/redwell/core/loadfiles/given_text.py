"""A text that an overlay gives a document: its characters from the bytes of its file, and how they are told. Pure."""

from typing import Any, NamedTuple

from redwell.core.loadfiles.formats.encodings import decoded, find_encoding, repaired

FIELD = "(text)"  # what it is called beside fields; none of them has such signs


class GivenText(NamedTuple):
    """A text by its blob; no blob: words that were recognised on pages."""

    sha256: bytes | None
    chars: int

    def told(self) -> dict[str, Any]:
        return {"sha256": self.sha256.hex() if self.sha256 else None, "chars": self.chars}


def told_blob(told: Any) -> bytes:
    """The hash in what was told of a text that has one."""
    return bytes.fromhex(told["sha256"])


def text_of(data: bytes) -> str:
    """By its mark, else UTF-16 by its zeros, UTF-8 if all of it is, else cp1252: the rules for load files (ADR 35).
    Lines end with a single newline; zero characters, which nothing shows, are left out."""
    text = repaired("".join(decoded([data], find_encoding([data]))))
    return text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
