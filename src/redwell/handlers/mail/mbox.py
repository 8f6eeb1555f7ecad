"""Mail in one file (mbox in all its variants): every message with its exact bytes. Runs in a child.

A locator is the offset of the message's separator, so reading goes on behind any of them without a look at what
lies before. Lines that were quoted as ">From " are restored only where the store says that they were: by the name
of the variant (mboxrd), or by a Content-Length that fits the restored body alone.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from redwell.core.handler import (
    Child,
    Contents,
    HandlerSpec,
    Lost,
    Metadata,
    MetaValue,
    Opening,
    Options,
    Piece,
    Source,
)
from redwell.core.outcomes import Outcome
from redwell.handlers.mail.mail_headers import decode_value, first
from redwell.handlers.mail.mbox_places import Place, Places

SPEC = HandlerSpec(name="mbox", media_types=frozenset(("application/mbox",)), kind="mailbox")

_IN_MEMORY = 8 << 20
_COPY = 1 << 20
_LONGEST_NAME = 120
_QUOTED = re.compile(rb"^>(>*From )", re.M)
_UNFIT = re.compile(r"[/\\\x00-\x1f]+")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    restores = options.name.lower().endswith(".mboxrd")
    yield Contents(declared=None)
    if restores:
        yield Metadata(values={"mbox_variant": "mboxrd"})
    with source.open() as file:
        for place in Places(file, source.size).after(int(options.after) if options.after else None):
            if str(place.at) not in options.skip:
                yield from _message(file, place, scratch, options, restores)


def _message(file: BinaryIO, place: Place, scratch: Path, options: Options, restores: bool) -> Iterator[Piece]:
    locator, name = str(place.at), _name(place)
    yield Opening(locator=locator, name=name)
    size = place.end - place.start
    if size > options.max_member_bytes:
        detail = f"a message of {size} bytes is over the limit of max_member_mb"
        yield Lost(locator=locator, name=name, outcome=Outcome.TOO_LARGE, detail=detail)
        return
    told = _envelope(place)
    if size > _IN_MEMORY:
        yield Child(locator=locator, name=name, data=_copied(file, place, scratch), metadata=told)
        return
    file.seek(place.start)
    data, restored = _restored(file.read(size), place, restores)
    told = told | ({"from_quoting_undone": True} if restored else {})
    yield Child(locator=locator, name=name, data=data, metadata=told)


def _restored(data: bytes, place: Place, restores: bool) -> tuple[bytes, bool]:
    """The message with its quoting undone, where the store tells that it was quoted."""
    if b"\n>" not in data or place.counted:
        return data, False
    body = place.body - place.start
    plain, changed = _QUOTED.subn(rb"\1", data[body:])
    length = place.length_told
    fits = length is not None and length in (len(plain), len(plain) - 1, len(plain.rstrip(b"\r\n")))
    return (data[:body] + plain, True) if changed and (restores or fits) else (data, False)


def _copied(file: BinaryIO, place: Place, scratch: Path) -> Path:
    """A large message as a file; it is kept as it lies in the store."""
    copy = scratch / "message"
    with copy.open("wb") as out:
        file.seek(place.start)
        left = place.end - place.start
        while left and (part := file.read(min(_COPY, left))):
            out.write(part)
            left -= len(part)
    return copy


def _name(place: Place) -> str:
    subject = decode_value(first(place.headers, "subject"))
    plain = " ".join(_UNFIT.sub(" ", subject).split())[:_LONGEST_NAME] or f"message at {place.at}"
    return f"{plain}.eml" if place.headers else plain  # without a header it is some text, and may be called so


def _envelope(place: Place) -> dict[str, MetaValue]:
    """What the separator tells: who delivered it and when, by the store's own clock."""
    told = place.envelope[5:].decode("utf-8", "replace").strip()
    return {"mbox_envelope": told} if told and told != "-" else {}
