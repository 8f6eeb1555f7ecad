"""Archives of Outlook for Mac (OLM): a ZIP of XML. Every message is composed with its attachments. Runs in a child.

Contacts, calendars and whatever else the archive holds come out as the files that they are. Attachments that
belong to no message do, too: those come last, when it is known which ones are taken.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import (
    Child,
    Contents,
    HandlerSpec,
    Lost,
    MetaValue,
    Opening,
    Options,
    Piece,
    Skipped,
    Source,
    Trouble,
    pending,
)
from redwell.core.outcomes import Code
from redwell.handlers.detect import zip_directory
from redwell.handlers.detect.zip_directory import Entry
from redwell.handlers.outlook.composed_message import Attached, composed, one_line
from redwell.handlers.outlook.olm_message import emails_in, message_of, moment_of, text_of
from redwell.handlers.unpacking.size_limits import Room
from redwell.handlers.zip.zip_data import Unpacker

SPEC = HandlerSpec(name="olm", media_types=frozenset(("application/x-olm",)), score=60, kind="mailbox")

_MESSAGES, _ATTACHMENTS = "com.microsoft.__Messages", "com.microsoft.__Attachments"
_LONGEST_NAME = 120


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        end = zip_directory.find_end(file, source.size)
        found = zip_directory.entries(file, end) if end else zip_directory.salvaged(file, source.size)
        entries = list(islice(found, options.max_members))
        if not entries:
            raise InvalidFile("no member of the archive can be found")
        yield Contents(declared=None)
        unpacker = Unpacker(file, Room(source.size, options), scratch, options.passwords)
        yield from _Archive(entries, unpacker, scratch).pieces(options)


@dataclass
class _Archive:
    entries: list[Entry]
    unpacker: Unpacker
    scratch: Path
    taken: set[int] = field(default_factory=set)  # members that are part of a message

    def __post_init__(self) -> None:
        self.names = [entry.name.decode("utf-8", "replace") for entry in self.entries]
        self.by_name = {name: index for index, name in enumerate(self.names)}

    def pieces(self, options: Options) -> Iterator[Piece]:
        """A reading that goes on further down looks at the messages before it again: they own attachments."""
        order = sorted(range(len(self.entries)), key=lambda index: (_ATTACHMENTS in self.names[index], index))
        todo = set(pending(map(str, order), options))
        for index in order:
            if str(index) in todo:
                yield from self._member(index)
            elif self._is_message(index):
                self._claim(index)

    def _is_message(self, index: int) -> bool:
        name = self.names[index]
        return _MESSAGES in name and _ATTACHMENTS not in name and name.lower().endswith(".xml")

    def _member(self, index: int) -> Iterator[Piece]:
        locator, name = str(index), self.names[index]
        if self.entries[index].is_folder or index in self.taken:
            yield Skipped(locator=locator, reason="a folder" if index not in self.taken else "part of a message")
            return
        yield Opening(locator=locator, name=name)
        try:
            emails = emails_in(self._bytes(index)) if self._is_message(index) else []
            if len(emails) == 1:
                yield from self._message(locator, index, emails[0])
            else:
                yield Child(locator=locator, name=name, data=self.unpacker.take_out(self.entries[index], index))
        except BadInput as error:
            yield Lost(locator=locator, name=name, outcome=error.outcome, detail=str(error))

    def _message(self, locator: str, index: int, email: Any) -> Iterator[Piece]:
        message, missing = message_of(email, lambda url: self._attachment(index, url))
        folder = "/".join(step for step in self.names[index].split("/")[:-1] if step != _MESSAGES)
        subject = one_line(text_of(email, "Subject")).replace("/", " ")[:_LONGEST_NAME]
        name = f"{folder}/{subject or self.names[index].rpartition('/')[2].removesuffix('.xml')}.eml"
        told: dict[str, MetaValue] = {"folder": folder}
        if received := moment_of(email, "ReceivedTime"):
            told["date_received"] = received.strftime("%Y-%m-%dT%H:%M:%SZ")
        data = composed(message, self.scratch)
        yield Child(locator=locator, name=name, data=data, metadata=told, hash_kind="synthetic")
        for each in missing:
            yield Trouble(code=Code.MEMBER_FAILED, detail=f"{name}: {each} is not in the archive")

    def _attachment(self, index: int, url: str) -> Attached | None:
        """The member at this address, which may be relative to the message's folder; one that is damaged is none."""
        beside = f"{self.names[index].rpartition('/')[0]}/{url}"
        member = self.by_name.get(url, self.by_name.get(beside))
        if member is None:
            return None
        try:
            data = self._bytes(member)
        except BadInput:
            return None
        self.taken.add(member)
        return Attached(name="", size=len(data), runs=lambda: (data,))

    def _claim(self, index: int) -> None:
        try:
            for email in emails_in(self._bytes(index)):
                message_of(email, lambda url: self._attachment(index, url))
        except BadInput:
            return

    def _bytes(self, index: int) -> bytes:
        taken = self.unpacker.take_out(self.entries[index], index)
        if isinstance(taken, bytes):
            return taken
        data = taken.read_bytes()
        taken.unlink()
        return data
