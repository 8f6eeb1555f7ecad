"""Outlook's stores, PST and OST of all ages: every item as a message, folder by folder. Runs in a child.

An item has no bytes of its own, so it is composed (composed_message.py) and its hash is labelled synthetic. A locator
is the item's node id. Items are listed by the node database; libpff then counts them by the folders' tables.
"""

import struct
from collections.abc import Iterator
from itertools import dropwhile, islice
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile
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
    Trouble,
)
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.outlook.composed_message import composed
from redwell.handlers.pst.fields import fields_of
from redwell.handlers.pst.folders import Folder, read_folders
from redwell.handlers.pst.header import subject_of
from redwell.handlers.pst.items import Item, Reader
from redwell.handlers.pst.libpff_count import Uncounted, count_again
from redwell.handlers.pst.message import message_of
from redwell.handlers.pst.names import named_properties
from redwell.handlers.pst.nodes import Database
from redwell.handlers.pst.tree import Damaged

SPEC = HandlerSpec(name="pst", media_types=frozenset(("application/vnd.ms-outlook-pst",)), kind="mailbox", version=2)

_LONGEST_NAME = 120
_MOST_LACKS = 20  # that are told of one item
_MESSAGE_CLASS, _DELIVERED, _FLAGS, _CREATED, _CHANGED = 0x001A, 0x0E06, 0x0E07, 0x3007, 0x3008
_IS_READ = 1
# what a damaged item may make of code that took it for sound: it costs this item, not those after it
_UNFORESEEN = (struct.error, ValueError, TypeError, LookupError, ArithmeticError, RecursionError)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        database = Database(file, source.size)
        folders = read_folders(database)
        if not folders:
            raise InvalidFile("no folder and no item can be found in the store")
        yield Contents(declared=None)
        yield from _Items(database, scratch, options).pieces(folders)
        if database.holes:
            detail = (
                f"{database.holes} pages of the store's trees are damaged; what other pages still told was salvaged"
            )
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail)
        file.seek(0)
        yield from _counted(folders, database, file)


class _Items:
    def __init__(self, database: Database, scratch: Path, options: Options) -> None:
        self._database, self._scratch, self._options = database, scratch, options
        self._reader = Reader(database, named_properties(database))

    def pieces(self, folders: list[Folder]) -> Iterator[Piece]:
        for locator, folder, index in _pending(folders, self._options):
            yield from self._item(locator, folder, index)

    def _item(self, locator: str, folder: Folder, index: int) -> Iterator[Piece]:
        where = f"item {index + 1} of {len(folder.items)} in {folder.path or 'the root folder'}"
        name = f"{folder.path}/item {index + 1}.eml".lstrip("/")
        yield Opening(locator=locator, name=name)
        try:
            item = self._reader.read(self._database.node(int(locator, 16)))
            name = _name(folder, item, index)
            size = item.size
            if size > self._options.max_member_bytes:
                detail = f"{where}: {size} bytes of attachments are over the limit of max_member_mb"
                yield Lost(locator=locator, name=name, outcome=Outcome.TOO_LARGE, detail=detail)
                return
            data = composed(message_of(item), self._scratch)
            told = _metadata(folder, locator, item, self._is_salvaged(folder, locator))
        except (Damaged, *_UNFORESEEN) as error:
            said = str(error) if isinstance(error, Damaged) else f"{type(error).__name__}: {error}"
            yield Lost(locator=locator, name=name, outcome=Outcome.INVALID_FILE, detail=f"{where}: {said}")
            return
        yield Child(locator=locator, name=name, data=data, metadata=told, hash_kind="synthetic")
        for lack in islice(item.lacks(), _MOST_LACKS):
            yield Trouble(code=Code.MEMBER_FAILED, detail=f"{where}: {lack}")

    def _is_salvaged(self, folder: Folder, locator: str) -> bool:
        return int(locator, 16) in folder.unlisted or self._database.was_hidden(int(locator, 16))


def _pending(folders: list[Folder], options: Options) -> Iterator[tuple[str, Folder, int]]:
    """Like `core.handler.pending`, without a list of all items: there may be millions."""
    places: Iterator[tuple[str, Folder, int]] = (
        (f"{nid:x}", folder, index) for folder in folders for index, nid in enumerate(folder.items)
    )
    if options.after is not None:
        places = islice(dropwhile(lambda place: place[0] != options.after, places), 1, None)
    return (place for place in places if place[0] not in options.skip)


def _name(folder: Folder, item: Item, index: int) -> str:
    subject = " ".join(subject_of(item.properties).replace("/", " ").replace("\\", " ").split())[:_LONGEST_NAME]
    return f"{folder.path}/{subject or f'item {index + 1}'}.eml".lstrip("/")


def _metadata(folder: Folder, locator: str, item: Item, salvaged: bool) -> dict[str, MetaValue]:
    told = item.properties
    moments = {"date_received": _DELIVERED, "item_created": _CREATED, "item_modified": _CHANGED}
    found: dict[str, MetaValue] = {"folder": folder.path, "node_id": locator}
    found |= {name: m.strftime("%Y-%m-%dT%H:%M:%SZ") for name, key in moments.items() if (m := told.moment(key))}
    found |= {"message_class": told.text(_MESSAGE_CLASS)} if told.text(_MESSAGE_CLASS) else {}
    found |= {"is_read": bool(told.number(_FLAGS) & _IS_READ)} if told.kind(_FLAGS) else {}
    lacks = list(islice(item.lacks(), _MOST_LACKS))
    found |= {"missing": lacks} if lacks else {}
    return found | fields_of(item) | ({"salvaged": True} if salvaged else {})


def _counted(folders: list[Folder], database: Database, file: BinaryIO) -> Iterator[Piece]:
    """What each reader and each folder itself counts; a difference is a problem, and partial where items may lack."""
    kind = f"{'OST' if database.header.is_offline else 'PST'}, {database.layout.kind}"
    try:
        again = count_again(file)
        yield Contents(declared=sum(again.values()))
    except Uncounted as error:
        again = {}
        detail = f"the second reader could not count the items: {error}"
        yield Trouble(code=Code.COUNT_MISMATCH, detail=detail, partial=False)
    lines = []
    for folder in folders:
        mine, other = len(folder.items), again.get(folder.nid)
        if mine or other or folder.told:
            lines.append(
                f"{folder.path}: {mine} by nodes, {_said(other)} by tables, {_said(folder.told)} by the folder"
            )
        if again and mine != (other or 0):
            detail = f"{folder.path}: {mine} items by the node database, {other or 0} by the second reader"
            yield Trouble(code=Code.COUNT_MISMATCH, detail=detail, partial=(other or 0) > mine)
    yield Metadata(values={"store_format": kind, "item_counts": lines})


def _said(count: int | None) -> str:
    return "none" if count is None else str(count)
