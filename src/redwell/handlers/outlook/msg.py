"""Outlook message files and templates (MSG, OFT): mail, appointments, contacts, tasks, reports. Runs in a child.

Own reader over the MAPI properties (docs/adr/0011-own-readers-for-outlook-messages.md).
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import HandlerSpec, Options, Piece, Source
from redwell.handlers.outlook.mapi_message import pieces
from redwell.handlers.outlook.msg_storage import read_message
from redwell.handlers.structures.ole import Compound

SPEC = HandlerSpec(name="msg", media_types=frozenset(("application/vnd.ms-outlook",)), version=2, kind="mail")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Text and fields of the message, its attachments, and messages inside as files of their own."""
    with source.open() as file:
        yield from pieces(read_message(Compound(file)), options)
