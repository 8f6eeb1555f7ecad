"""vCard address books: the cards as text, photographs as embedded files.

Called by Redwell's host, in a sandboxed child.
"""

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import InvalidFile
from redwell.core.handler import Child, HandlerSpec, Lost, Metadata, Opening, Options, Piece, Source, Text, pending
from redwell.core.outcomes import Outcome

SPEC = HandlerSpec(name="vcard", media_types=frozenset({"text/vcard"}), score=60, kind="contact")

_NOT_SHOWN = {"BEGIN", "END", "VERSION", "PHOTO"}


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Text of all cards, metadata of the first one, a child per photograph."""
    fields = list(_fields(source.read().decode("utf-8", "replace")))
    if ("END", "VCARD") not in fields:
        raise InvalidFile("the last card has no end")
    shown = [(name, value) for name, value in fields if name not in _NOT_SHOWN]
    yield Text(text="".join(f"{name}: {value}\n" for name, value in shown))
    first = dict(reversed(shown))
    yield Metadata(values={"title": first.get("FN", ""), "email": first.get("EMAIL", "")})
    photographs = {f"photo/{n}": value for n, (name, value) in enumerate(fields) if name == "PHOTO"}
    for locator in pending(photographs, options):
        yield from _photograph(locator, photographs[locator])


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """Name and value of each line; a line that begins with a space continues the one before."""
    for line in text.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "").splitlines():
        head, colon, value = line.partition(":")
        if colon:
            yield head.partition(";")[0].upper(), value.replace("\\n", " ").replace("\\,", ",")


def _photograph(locator: str, value: str) -> Iterator[Piece]:
    name = locator.replace("/", "-") + ".jpg"
    yield Opening(locator=locator, name=name)
    try:
        data = base64.b64decode(value, validate=True)
    except binascii.Error as error:
        yield Lost(locator=locator, name=name, outcome=Outcome.INVALID_FILE, detail=f"not base64: {error}")
    else:
        yield Child(locator=locator, name=name, data=data, role="embedded")
