"""TNEF, Outlook's wrapper for mail that leaves Exchange (winmail.dat): text, fields, attachments. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import HandlerSpec, Options, Piece, Source
from redwell.handlers.outlook.mapi_message import pieces
from redwell.handlers.outlook.tnef_stream import read_message

SPEC = HandlerSpec(name="tnef", media_types=frozenset(("application/vnd.ms-tnef",)), version=2, kind="mail")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Text and fields of the message that was wrapped, its attachments with their exact bytes."""
    yield from pieces(read_message(source.read()), options)
